import { texts as common } from '../../texts.ts';
import { useFilesPage } from './FilesContext.ts';
import { FolderTree } from './folders/FolderTree.tsx';
import { SpaceAndTrash } from './SpaceAndTrash.tsx';
import { WorkspaceMenu } from './workspaces/WorkspaceMenu.tsx';

interface FilesSidebarProps {
  folderId: string;
  path: readonly string[];
}

/** The workspace, its folder tree, a link to the trash, and the space used. */
export function FilesSidebar({ folderId, path }: FilesSidebarProps) {
  const { workspace } = useFilesPage();
  return (
    <aside className="files-side" aria-label={common.folders}>
      <div className="files-workspace">
        <WorkspaceMenu />
      </div>
      <div className="files-tree">
        {workspace && <FolderTree workspace={workspace} currentId={folderId} path={path} />}
      </div>
      <SpaceAndTrash />
    </aside>
  );
}
