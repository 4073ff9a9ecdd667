import { Share2, Trash2 } from 'lucide-react';
import { Link } from 'wouter';
import { sharedAddress, trashAddress } from '../../api/workspaces.ts';
import { texts as common } from '../../texts.ts';
import { useFilesPage } from './FilesContext.ts';
import { UsageBar } from './UsageBar.tsx';

/** Links to the shared items and the trash of the workspace, for people who may change it, and the space used. */
export function SpaceAndTrash() {
  const { workspace, canWrite } = useFilesPage();
  if (!workspace) return null;
  return (
    <>
      {canWrite && (
        <>
          <Link href={sharedAddress(workspace)} className="trash-link">
            <Share2 size={17} aria-hidden />
            {common.shared}
          </Link>
          <Link href={trashAddress(workspace)} className="trash-link">
            <Trash2 size={17} aria-hidden />
            {common.trash}
          </Link>
        </>
      )}
      <UsageBar workspaceId={workspace.id} />
    </>
  );
}
