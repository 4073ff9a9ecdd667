import { Trash2 } from 'lucide-react';
import { Link } from 'wouter';
import { FolderTree } from './FolderTree.tsx';
import { UsageBar } from './UsageBar.tsx';

interface FilesSidebarProps {
  rootId: string;
  folderId: string;
  path: readonly string[];
}

/** The folder tree, a link to the trash, and the space used. */
export function FilesSidebar({ rootId, folderId, path }: FilesSidebarProps) {
  return (
    <aside className="files-side" aria-label="Folders">
      <div className="files-tree">
        <FolderTree rootId={rootId} currentId={folderId} path={path} />
      </div>
      <TrashLink />
      <UsageBar />
    </aside>
  );
}

export function TrashLink() {
  return (
    <Link href="/files/trash" className="trash-link">
      <Trash2 size={17} aria-hidden />
      Trash
    </Link>
  );
}
