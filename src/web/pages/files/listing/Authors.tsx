import { shownName } from '../../../../text/shown-name.ts';
import type { FileItem } from '../../../api/storage.ts';
import { Name } from '../../../components/Name.tsx';
import { texts } from '../texts.ts';

/** Names the members who added and last changed a file of a shared workspace; null = unknown or personal workspace. */
export function authorsOf({ createdBy, modifiedBy }: FileItem): string | null {
  if (modifiedBy === undefined || modifiedBy === createdBy)
    return createdBy === undefined ? null : shownName(createdBy);
  const changed = texts.changedByText(modifiedBy);
  return createdBy === undefined ? changed : `${shownName(createdBy)}, ${changed}`;
}

/** A cell with the members who added and last changed a file. */
export function AuthorsCell({ file }: { file: FileItem | null }) {
  const { createdBy, modifiedBy } = file ?? {};
  return (
    <td className="cell-author">
      {createdBy && (
        <span title={texts.addedByName(createdBy)}>
          <Name name={createdBy} />
        </span>
      )}
      {modifiedBy && modifiedBy !== createdBy && (
        <small title={texts.changedByName(modifiedBy)}>
          {texts.changedBy} <Name name={modifiedBy} />
        </small>
      )}
    </td>
  );
}
