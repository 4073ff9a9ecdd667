import type { Me } from '../../api/session.ts';
import { Nothing } from '../../parts/Nothing.tsx';
import { fileTexts as texts } from '../../texts/files.ts';
import { FolderView } from './FolderView.tsx';

/** A person's files: one folder at a time. */
export function FilesPage({ me, folderId }: { me: Me; folderId: string | null }) {
  if (folderId === null || me.rootFolderId === null) return <Nothing title={texts.noStorage} text={texts.noStorageText} whole="page" />;
  return <FolderView key={folderId} rootId={me.rootFolderId} folderId={folderId} />;
}
