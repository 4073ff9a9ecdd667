import type { Me } from '../../api/session.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { fileTexts as texts } from '../../texts/files.ts';
import { FolderView } from './FolderView.tsx';

/** The files page, which shows one folder. */
export function FilesPage({ me, folderId }: { me: Me; folderId: string | null }) {
  if (folderId === null || me.rootFolderId === null)
    return <EmptyState title={texts.noStorage} text={texts.noStorageText} whole="page" />;
  return <FolderView key={folderId} rootId={me.rootFolderId} folderId={folderId} />;
}
