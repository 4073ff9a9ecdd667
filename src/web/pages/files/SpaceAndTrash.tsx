import { Trash2 } from 'lucide-react';
import { Link } from 'wouter';
import { useFilesPage } from './FilesContext.ts';
import { UsageBar } from './UsageBar.tsx';

/** The address of the trash of a workspace. */
export const trashAddress = ({ personal, id }: { personal: boolean; id: string }) =>
  personal ? '/files/trash' : `/files/trash?workspaceId=${id}`;

/** A link to the trash of the workspace, for those who may restore, and the space used. */
export function SpaceAndTrash() {
  const { workspace, canWrite } = useFilesPage();
  if (!workspace) return null;
  return (
    <>
      {canWrite && (
        <Link href={trashAddress(workspace)} className="trash-link">
          <Trash2 size={17} aria-hidden />
          Trash
        </Link>
      )}
      <UsageBar workspaceId={workspace.id} />
    </>
  );
}
