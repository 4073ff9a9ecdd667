import { getHotkeyHandler } from '@mantine/hooks';
import { ChevronRight, Folder, FolderOpen } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { Link } from 'wouter';
import { shownName } from '../../../../text/shown-name.ts';
import { type Workspace, workspaceName } from '../../../api/workspaces.ts';
import { Name } from '../../../components/Name.tsx';
import { texts as common } from '../../../texts.ts';
import { folderAddress } from '../entries.ts';
import { useFilesPage } from '../FilesContext.ts';
import { WorkspaceIcon } from '../workspaces/WorkspaceIcon.tsx';
import { type TreeNode, useFolderTree } from './useFolderTree.ts';

interface FolderTreeProps {
  workspace: Workspace;
  currentId: string;
  /** IDs from the root to the current folder. */
  path: readonly string[];
}

/**
 * All folders of a workspace as a tree (https://www.w3.org/WAI/ARIA/apg/patterns/treeview/). The items are siblings;
 * `aria-level` has their levels.
 */
export function FolderTree({ workspace, currentId, path }: FolderTreeProps) {
  const root = { id: workspace.rootFolderId, name: workspaceName(workspace) };
  const { nodes, setOpen } = useFolderTree(root, path);
  return (
    <div role="tree" tabIndex={-1} className="tree" aria-label={common.folders} onKeyDown={moveFocus}>
      {nodes.map((node) => (
        <TreeItem
          key={node.id}
          node={node}
          isCurrent={node.id === currentId}
          setOpen={(open) => setOpen(node.id, open)}
        />
      ))}
    </div>
  );
}

interface TreeItemProps {
  node: TreeNode;
  isCurrent: boolean;
  setOpen(open: boolean): void;
}

function TreeItem({ node: { id, name, level, isOpen, isLeaf }, isCurrent, setOpen }: TreeItemProps) {
  const { drag, workspace } = useFilesPage();
  const Icon = isOpen && !isLeaf ? FolderOpen : Folder;
  return (
    <div
      role="treeitem"
      aria-level={level}
      aria-selected={isCurrent}
      aria-expanded={isLeaf ? undefined : isOpen}
      className="tree-item"
      data-current={isCurrent || undefined}
      style={{ paddingLeft: (level - 1) * 14 }}
      tabIndex={isCurrent ? 0 : -1}
      onKeyDown={getHotkeyHandler([
        ['ArrowRight', () => setOpen(true)],
        ['ArrowLeft', () => setOpen(false)],
        ['Enter', ({ target }) => (target as HTMLElement).querySelector('a')?.click()],
      ])}
      {...drag.target({ id, name })}
    >
      <button
        type="button"
        className="tree-toggle"
        data-open={isOpen || undefined}
        data-hidden={isLeaf || undefined}
        tabIndex={-1}
        aria-hidden
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight size={15} />
      </button>
      <Link
        href={folderAddress(id, level === 1 && workspace?.personal)}
        tabIndex={-1}
        draggable={false}
        title={shownName(name)}
      >
        <span className="tree-icon">
          {level === 1 && workspace ? (
            <WorkspaceIcon workspace={workspace} />
          ) : (
            <Icon size={17} aria-hidden />
          )}
        </span>
        <span>
          <Name name={name} />
        </span>
      </Link>
    </div>
  );
}

/** Moves the focus through the visible folders. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=treeitem]')];
  const index = items.indexOf(event.target as HTMLElement);
  getHotkeyHandler([
    ['ArrowDown', () => items[index + 1]?.focus()],
    ['ArrowUp', () => items[index - 1]?.focus()],
    ['Home', () => items[0]?.focus()],
    ['End', () => items.at(-1)?.focus()],
  ])(event);
}
