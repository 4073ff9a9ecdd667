import {
  changeFile,
  changeFolder,
  copyFile,
  copyFolder,
  deleteFile,
  deleteFolder,
  type FileItem,
  type FileMetadata,
  type FolderConflict,
  moveFile,
} from '../../api/storage.ts';
import { restore } from '../../api/trash.ts';
import { listVersions, restoreVersion } from '../../api/versions.ts';
import type { OnConflict } from '../../conflicts/resolve.ts';
import type { Entry } from './entries.ts';

/** A change of an entry that was made. */
export interface EntryChange {
  entry: Entry;
  /** Its name now. */
  name: string;
  /** The folders whose content differs. */
  folders: readonly string[];
  /** Takes the change back exactly; null = impossible. */
  undo: (() => Promise<unknown>) | null;
}

/** Returns the folder of an entry; '' = none. */
export const folderOf = (entry: Entry) =>
  entry.kind === 'file' ? entry.file.folderId : (entry.folder.parentFolderId ?? '');

export async function moveEntry(
  entry: Entry,
  targetId: string,
  onConflict: OnConflict,
): Promise<EntryChange> {
  const folders = [folderOf(entry), targetId];
  if (entry.kind === 'file') {
    const file = await moveFile(entry.id, targetId, onConflict);
    return { entry, name: file.originalName, folders, undo: await undoOf(entry.file, file) };
  }
  const change = { parentFolderId: targetId, onConflict: forFolder(onConflict) };
  const { name } = await changeFolder(entry.id, change);
  return { entry, name, folders: [...folders, entry.id], undo: () => putFolderBack(entry) };
}

export async function renameEntry(entry: Entry, name: string, onConflict: OnConflict): Promise<EntryChange> {
  const folders = [folderOf(entry)];
  if (entry.kind === 'file') {
    const file = await changeFile(entry.id, { originalName: name, onConflict });
    return { entry, name: file.originalName, folders, undo: await undoOf(entry.file, file) };
  }
  const folder = await changeFolder(entry.id, { name, onConflict: forFolder(onConflict) });
  return { entry, name: folder.name, folders: [...folders, entry.id], undo: () => putFolderBack(entry) };
}

/** Copies an entry; the copy can be deleted as any other. Beside the original, it gets a number. */
export async function copyEntry(
  entry: Entry,
  targetId: string,
  onConflict: OnConflict,
): Promise<EntryChange> {
  const how = targetId === folderOf(entry) ? 'rename' : onConflict;
  if (entry.kind === 'file') await copyFile(entry.id, targetId, how);
  else await copyFolder(entry.id, targetId, forFolder(how));
  return { entry, name: entry.name, folders: [targetId], undo: null };
}

export async function deleteEntry(entry: Entry): Promise<EntryChange> {
  await (entry.kind === 'folder' ? deleteFolder(entry.id) : deleteFile(entry.id));
  const undo = () => restore(entry.id, 'keep');
  return { entry, name: entry.name, folders: [folderOf(entry)], undo };
}

/** The name of a folder is never that of another: the former one gets a number if it is taken meanwhile. */
function putFolderBack(entry: Extract<Entry, { kind: 'folder' }>): Promise<unknown> {
  const { name, parentFolderId } = entry.folder;
  return changeFolder(entry.id, { name, parentFolderId: parentFolderId ?? '', onConflict: 'rename' });
}

const forFolder = (onConflict: OnConflict): FolderConflict => (onConflict === 'fail' ? 'fail' : 'rename');

/** Returns how to undo the move or the rename of a file. @param after the file that has its bytes now */
async function undoOf(before: FileItem, after: FileMetadata): Promise<EntryChange['undo']> {
  const { id, folderId, originalName } = before;
  if (after.id === id)
    return async () => {
      if (after.folderId !== folderId) await moveFile(id, folderId, 'keep');
      if (after.originalName !== originalName) await changeFile(id, { originalName });
    };
  // It replaced another, whose content is a version now, and is in the trash itself.
  const [replaced] = await listVersions(after.id);
  return replaced
    ? async () => {
        await restoreVersion(after.id, replaced.id);
        await restore(id, 'keep');
      }
    : null;
}
