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
} from '../../../api/storage.ts';
import { restore } from '../../../api/trash.ts';
import { listVersions, restoreVersion } from '../../../api/versions.ts';
import type { OnConflict } from '../../../conflicts/resolve.ts';
import type { Entry } from '../entries.ts';

export interface EntryChange {
  entry: Entry;
  /** Its name after the change. */
  name: string;
  /** IDs of the folders whose content has changed. */
  folders: readonly string[];
  /** Undoes the change completely; null = not possible. */
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

/** Copies an entry. A copy in the same folder gets a number. There is no undo: the copy can be deleted. */
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

/** Restores the former name and parent of a folder. If the name has been taken since, it gets a number. */
function putFolderBack(entry: Extract<Entry, { kind: 'folder' }>): Promise<unknown> {
  const { name, parentFolderId } = entry.folder;
  return changeFolder(entry.id, { name, parentFolderId: parentFolderId ?? '', onConflict: 'rename' });
}

const forFolder = (onConflict: OnConflict): FolderConflict => (onConflict === 'fail' ? 'fail' : 'rename');

/** Returns a function that undoes the move or rename of a file. @param after the file that has its content now */
async function undoOf(before: FileItem, after: FileMetadata): Promise<EntryChange['undo']> {
  const { id, folderId, originalName } = before;
  if (after.id === id)
    return async () => {
      if (after.folderId !== folderId) await moveFile(id, folderId, 'keep');
      if (after.originalName !== originalName) await changeFile(id, { originalName });
    };
  // The moved file replaced another, whose content is now a version, and is itself in the trash.
  const [replaced] = await listVersions(after.id);
  return replaced
    ? async () => {
        await restoreVersion(after.id, replaced.id);
        await restore(id, 'keep');
      }
    : null;
}
