import type { Clock } from '../../../kernel/clock.ts';
import type { Transaction } from '../../../kernel/database/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { notFound } from '../../../kernel/problem.ts';
import { nameKey } from '../../../text/name-key.ts';
import { lockWorkspace } from '../lock.ts';
import type { Rows } from '../rows.ts';
import { depthOf, lineAbove, requireDepth, requireMovable, requireVacancy } from './bounds.ts';
import { type Folder, insertFolders } from './folder.ts';
import type { MoveDeps } from './moves.ts';
import { type OnFolderConflict, requireNotRoot, resolveFolderName } from './rules.ts';

export interface FolderDeps extends MoveDeps {
  clock: Clock;
}

export async function createFolder(
  trx: Transaction,
  { database, clock, rows, changed }: FolderDeps,
  parent: Folder,
  name: string,
  by: string,
): Promise<Folder> {
  await lockWorkspace(database, trx, parent.workspaceId);
  await rows.requireFolder(trx, parent, by);
  requireDepth((await depthOf(trx, parent.id)) + 1);
  await requireVacancy(trx, parent.id);
  await resolveFolderName(trx, { parentId: parent.id, name, onConflict: 'fail' });
  const folder = {
    id: newId(),
    workspaceId: parent.workspaceId,
    parentId: parent.id,
    name,
    dateCreated: clock.now(),
  };
  await insertFolders(trx, [folder], by);
  changed(trx, parent.workspaceId, parent.id);
  return folder;
}

/** The name and the parent that a folder gets. */
export interface FolderChange {
  name?: string;
  parent?: Folder;
  onConflict: OnFolderConflict;
  /** Id of the member. */
  by: string;
}

export async function changeFolder(
  trx: Transaction,
  { database, rows, changed }: FolderDeps,
  folder: Folder,
  { name: wanted = folder.name, parent, onConflict, by }: FolderChange,
): Promise<Folder> {
  requireNotRoot(folder);
  // The lock serializes the changes of one tree, so that two concurrent moves cannot create a cycle.
  await lockWorkspace(database, trx, folder.workspaceId);
  await rows.requireFolder(trx, folder, by);
  // Read again with the lock, since another request may have moved the folder.
  const line = await lineAbove(trx, folder.id);
  const before = line[0]?.parent_id ?? folder.parentId;
  const parentId = parent?.id ?? before;
  if (parent) await requireTarget(trx, rows, folder, { parent, before, from: line.length - 1, by });
  const name = await resolveFolderName(trx, { parentId, name: wanted, folderId: folder.id, onConflict });
  await trx
    .updateTable('folders')
    .set({ name, name_key: nameKey(name), parent_id: parentId })
    .where('id', '=', folder.id)
    .execute();
  for (const id of [before, parentId, folder.id]) changed(trx, folder.workspaceId, id);
  return { ...folder, name, parentId };
}

interface Target {
  parent: Folder;
  /** Id of the parent before. */
  before: string;
  /** Depth of the folder before. */
  from: number;
  /** Id of the member. */
  by: string;
}

/** @throws Problem 404 for a folder of another workspace, 409 `folder_cycle`, `folder_too_deep`, `folder_full`, 503 */
async function requireTarget(
  trx: Transaction,
  rows: Rows,
  folder: Folder,
  { parent, before, from, by }: Target,
): Promise<void> {
  if (parent.workspaceId !== folder.workspaceId) throw notFound();
  await rows.requireFolder(trx, parent, by);
  if (parent.id !== before) await requireMovable(trx, folder, parent.id, from);
}
