import { useQuery } from '@tanstack/react-query';
import { ChevronRight, Folder, FolderOpen, HardDrive } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { Link } from 'wouter';
import { getFolder, keys } from '../../api/storage.ts';
import { fileTexts as texts } from '../../texts/files.ts';
import { useFilesPage } from './FilesContext.ts';

interface TreeProps {
  rootId: string;
  currentId: string;
  /** Ids from the root down to the current folder. */
  path: readonly string[];
}

/** All folders as a tree; a branch is asked for when it is opened. */
export function FolderTree({ rootId, currentId, path }: TreeProps) {
  return (
    <ul className="tree" role="tree" aria-label={texts.tree} onKeyDown={moveFocus}>
      <Branch id={rootId} name={texts.root} level={1} currentId={currentId} path={path} />
    </ul>
  );
}

interface BranchProps {
  id: string;
  name: string;
  level: number;
  currentId: string;
  path: readonly string[];
}

function Branch({ id, name, level, currentId, path }: BranchProps) {
  const { drag } = useFilesPage();
  const isAbove = path.includes(id);
  // Null = as the current folder wants it: open above it, closed elsewhere.
  const [chosen, setChosen] = useState<boolean | null>(null);
  const open = chosen ?? (isAbove || level === 1);
  const folder = useQuery({ queryKey: keys.folder(id), queryFn: ({ signal }) => getFolder(id, signal), enabled: open });
  const inner = folder.data?.folders ?? [];
  const isLeaf = open && folder.isSuccess && inner.length === 0;
  const isCurrent = id === currentId;
  const Icon = level === 1 ? HardDrive : open && !isLeaf ? FolderOpen : Folder;
  return (
    <li role="none">
      <div
        role="treeitem"
        aria-level={level}
        aria-selected={isCurrent}
        aria-expanded={isLeaf ? undefined : open}
        className="tree-item"
        data-current={isCurrent || undefined}
        data-over={drag.over === id || undefined}
        style={{ paddingLeft: (level - 1) * 14 }}
        tabIndex={isCurrent ? 0 : -1}
        onKeyDown={(event) => {
          if (event.key === 'ArrowRight' && !open) setChosen(true);
          else if (event.key === 'ArrowLeft' && open) setChosen(false);
          else if (event.key === 'Enter') event.currentTarget.querySelector('a')?.click();
          else return;
          event.preventDefault();
        }}
        {...drag.into({ id, name })}
      >
        <button
          type="button"
          className="tree-toggle"
          data-open={open || undefined}
          data-hidden={isLeaf || undefined}
          tabIndex={-1}
          aria-hidden
          onClick={() => setChosen(!open)}
        >
          <ChevronRight size={15} />
        </button>
        <Link href={level === 1 ? '/files' : `/files/${id}`} tabIndex={-1} draggable={false} title={name}>
          <Icon size={17} aria-hidden />
          <span>{name}</span>
        </Link>
      </div>
      {open && inner.length > 0 && (
        <ul role="group">
          {[...inner]
            .sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }))
            .map((child) => (
              <Branch key={child.id} id={child.id} name={child.name} level={level + 1} currentId={currentId} path={path} />
            ))}
        </ul>
      )}
    </li>
  );
}

/** Up and down through what is open (https://www.w3.org/WAI/ARIA/apg/patterns/treeview/). */
function moveFocus(event: KeyboardEvent<HTMLUListElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=treeitem]')];
  const place = items.indexOf(event.target as HTMLElement);
  const target =
    event.key === 'Home' ? items[0] : event.key === 'End' ? items.at(-1) : step === undefined ? undefined : items[place + step];
  if (!target) return;
  event.preventDefault();
  target.focus();
}
