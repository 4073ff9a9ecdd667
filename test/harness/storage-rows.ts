import type { Insertable } from 'kysely';
import { systemClock } from '../../src/kernel/clock.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { newId, newToken } from '../../src/kernel/ids.ts';
import type { Blobs } from '../../src/storage/blobs/port.ts';
import type { FilesTable, FoldersTable, WorkspacesTable } from '../../src/storage/tables.ts';
import { createWorkspaces, type NewWorkspace } from '../../src/storage/tree/workspaces.ts';

/** Stores a blob; returns its key. */
export async function addBlob(blobs: Blobs, bytes: Uint8Array, key = newId()): Promise<string> {
  const writer = blobs.create(key);
  await writer.write(bytes);
  await writer.commit();
  return key;
}

/** Adds a workspace without folders or members. */
export async function addWorkspace(
  database: Database,
  row: Partial<Insertable<WorkspacesTable>> & { id: string },
): Promise<void> {
  const values = { name: row.id, root_folder_id: 'root', used_bytes: 0, date_created: 0, ...row };
  await database.transaction((trx) => trx.insertInto('workspaces').values(values).execute());
}

interface Rooted {
  id: string;
  rootFolderId: string;
}

/** Adds the personal workspace of an account, with its root folder. */
export function addPersonal(database: Database, accountId: string): Promise<Rooted> {
  return create(database, { name: accountId, personal: true, accountId });
}

/** Adds a shared workspace with its root folder. @param accountId the manager */
export function addTeam(database: Database, accountId: string, name = 'Team'): Promise<Rooted> {
  return create(database, { name, personal: false, accountId });
}

async function create(database: Database, workspace: NewWorkspace): Promise<Rooted> {
  const limits = { workspaceBytes: 0, trashDays: 0 };
  const workspaces = createWorkspaces({ database, clock: systemClock, limits });
  return await database.transaction((trx) => workspaces.create(trx, workspace));
}

/** Adds the row of a folder below `root`. */
export async function addFolderRow(
  database: Database,
  row: Partial<Insertable<FoldersTable>> & { id: string; workspace_id: string },
): Promise<void> {
  const values = { parent_id: 'root', name: row.id, name_key: row.id, date_created: 0, ...row };
  await database.transaction((trx) => trx.insertInto('folders').values(values).execute());
}

/** Adds folders inside each other below a stored one, the first inside it. Returns the id of the deepest. */
export async function addFolderChain(
  database: Database,
  parentId: string,
  names: readonly string[],
): Promise<string> {
  const ids = [parentId, ...names.map(newId)];
  await database.transaction(async (trx) => {
    const parent = await trx
      .selectFrom('folders')
      .selectAll()
      .where('id', '=', parentId)
      .executeTakeFirstOrThrow();
    const rows = names.map((name, index) => ({
      ...parent,
      id: ids[index + 1] ?? '',
      parent_id: ids[index] ?? '',
      name,
      name_key: name,
    }));
    await trx.insertInto('folders').values(rows).execute();
  });
  return ids.at(-1) ?? '';
}

/** Adds the row of a file, without its blob. Returns its id. */
export async function addFileRow(
  database: Database,
  row: Partial<Insertable<FilesTable>> & { workspace_id: string },
): Promise<string> {
  const values = {
    id: newId(),
    folder_id: 'root',
    original_name: 'name',
    name_key: 'name',
    size_bytes: 4,
    mime_type: 'text/plain',
    visibility: 0,
    blob_key: newId(),
    sha256: '',
    crc32: 0,
    direct_token: newToken(),
    ui_token: newToken(),
    download_count: 0,
    thumbnail_state: 'none' as const,
    thumbnail_attempts: 0,
    date_created: 0,
    date_modified: 0,
    ...row,
  };
  await database.transaction((trx) => trx.insertInto('files').values(values).execute());
  return values.id;
}
