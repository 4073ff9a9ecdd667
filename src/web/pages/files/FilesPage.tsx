import type { Me } from '../../api/session.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { FolderView } from './FolderView.tsx';

/** The files page, which shows one folder. */
export function FilesPage({ me, folderId }: { me: Me; folderId: string | null }) {
  if (folderId === null || me.rootFolderId === null)
    return (
      <EmptyState
        title="This server does not store files"
        text="The storage service is disabled."
        whole="page"
      />
    );
  return <FolderView key={folderId} rootId={me.rootFolderId} folderId={folderId} />;
}
