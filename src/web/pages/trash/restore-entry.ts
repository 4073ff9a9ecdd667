import { deleteFile, deleteFolder, findFileNamed } from '../../api/storage.ts';
import { restore, type TrashEntry } from '../../api/trash.ts';
import type { OnConflict } from '../../conflicts/resolve.ts';

/** A restored file or folder. */
export interface RestoredEntry {
  entry: TrashEntry;
  /** The folder it is in. */
  folderId: string;
  /** Deletes it again. */
  undo(): Promise<unknown>;
}

/** Restores an entry. With `replace`, the file that has its name goes to the trash instead. */
export async function restoreEntry(entry: TrashEntry, onConflict: OnConflict): Promise<RestoredEntry> {
  const { id, kind, name } = entry;
  const { folderId } = await restore(id, onConflict === 'replace' ? 'keep' : onConflict);
  const other = onConflict === 'replace' ? await findFileNamed(folderId, name, { except: id }) : null;
  if (other) await deleteFile(other.id);
  return {
    entry,
    folderId,
    async undo() {
      await (kind === 'folder' ? deleteFolder(id) : deleteFile(id));
      if (other) await restore(other.id, 'keep');
    },
  };
}
