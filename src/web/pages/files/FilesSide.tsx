import { Trash2 } from 'lucide-react';
import { Link } from 'wouter';
import { fileTexts as texts } from '../../texts/files.ts';
import { FolderTree } from './FolderTree.tsx';
import { UsageBar } from './UsageBar.tsx';

interface FilesSideProps {
  rootId: string;
  folderId: string;
  path: readonly string[];
}

/** Beside the folder: the tree, the way to the trash, and how full the workspace is. */
export function FilesSide({ rootId, folderId, path }: FilesSideProps) {
  return (
    <aside className="files-side" aria-label={texts.tree}>
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
      {texts.trash}
    </Link>
  );
}
