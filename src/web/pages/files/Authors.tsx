import type { FileItem } from '../../api/storage.ts';
import { texts } from './texts.ts';

/** The members who added and last changed a file of a shared workspace; null = unknown or personal. */
export function authorsOf({ createdBy, modifiedBy }: FileItem): string | null {
  if (modifiedBy === undefined || modifiedBy === createdBy) return createdBy ?? null;
  const changed = texts.changedByText(modifiedBy);
  return createdBy === undefined ? changed : `${createdBy}, ${changed}`;
}

/** A cell with the members who added and last changed a file. */
export function AuthorsCell({ file }: { file: FileItem | null }) {
  const { createdBy, modifiedBy } = file ?? {};
  return (
    <td className="cell-author">
      {createdBy && <span title={texts.addedByName(createdBy)}>{createdBy}</span>}
      {modifiedBy && modifiedBy !== createdBy && (
        <small title={texts.changedByName(modifiedBy)}>
          {texts.changedBy} {modifiedBy}
        </small>
      )}
    </td>
  );
}
