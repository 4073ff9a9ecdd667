import { SECOND } from '../../kernel/clock.ts';
import type { Transaction } from '../../kernel/database/database.ts';
import { newId } from '../../kernel/ids.ts';
import { Problem, tooMany } from '../../kernel/problem.ts';
import { type CopyDeps, rowOfCopy } from './copies.ts';
import { type Folder, usageOf } from './folder.ts';
import { lockWorkspace, lockWorkspaces, requireFolder } from './lock.ts';
import { nameKey } from './names.ts';
import type { Reservation } from './quota.ts';
import { folderNamed, nameTaken, numberedFolderName } from './siblings.ts';
import { foldersBelow, pagesOfFiles, readerForTree, type TreeFile, type TreeFolder } from './subtree.ts';

const LONGEST = 100_000;
/** Rows of one transaction. */
const ROWS_AT_ONCE = 200;
/** Time for other transactions between two batches. */
const PAUSE_MS = 5;

/**
 * Copies a folder with all below it into a folder of any workspace, in batches; the space of all files is reserved
 * first. What others add to the source meanwhile may be missing. A copy that fails is deleted.
 * @throws Problem 404, 409 `name_taken`, `folder_too_large`, 429 `rate_limited`, 507
 */
export type CopyFolder = (source: Folder, target: Folder, options: CopyOptions) => Promise<Folder>;

interface CopyOptions {
  /** Id of the member, who copies one folder at a time. */
  by: string;
  /** When a folder of the target has the name: `rename` to “name (2)”, or `fail`. */
  onConflict: 'rename' | 'fail';
}

/** @param longest files and folders of one copy at most */
export function createCopyFolder(deps: CopyDeps, longest = LONGEST): CopyFolder {
  const running = new Set<string>();
  return async (source, target, options) => {
    const { by } = options;
    if (running.has(by))
      throw tooMany('rate_limited', 'You are copying another folder. Try again when that is done.', SECOND);
    running.add(by);
    try {
      return await copyTree({ ...deps, longest }, source, target, options);
    } finally {
      running.delete(by);
    }
  };
}

async function copyTree(
  { longest, ...deps }: CopyDeps & { longest: number },
  source: Folder,
  target: Folder,
  { by, onConflict }: CopyOptions,
): Promise<Folder> {
  const { database, clock, quota } = deps;
  const reader = await readerForTree(database, source);
  const below = await foldersBelow(reader, source.id);
  const { usedBytes, fileCount } = await usageOf(database, source);
  if (below.length + fileCount > longest)
    throw new Problem('folder_too_large', `A folder of more than ${longest} files cannot be copied at once.`);
  const ids = new Map(below.map(({ id }) => [id, newId()]));
  const reservation = await quota.reserve(target.workspaceId, usedBytes);
  const copy: Folder = {
    id: ids.get(source.id) ?? newId(),
    workspaceId: target.workspaceId,
    parentId: target.id,
    name: source.name,
    dateCreated: clock.now(),
  };
  const work: TreeCopy = { ...deps, source, copy, ids, copied: [], by, reservation };
  try {
    await insertRoot(work, target, onConflict);
    await copyFolders(work, below);
    for await (const page of pagesOfFiles(reader, below)) await copyFiles(work, page);
    return copy;
  } catch (error) {
    await removeCopy(work);
    throw error;
  } finally {
    await reservation?.release();
  }
}

interface TreeCopy extends CopyDeps {
  source: Folder;
  copy: Folder;
  /** Ids of the copies of folders. */
  ids: ReadonlyMap<string, string>;
  /** Ids of the copies of files. */
  copied: string[];
  by: string;
  /** Null = too few bytes. */
  reservation: Reservation | null;
}

async function insertRoot(
  { database, copy, by }: TreeCopy,
  target: Folder,
  onConflict: CopyOptions['onConflict'],
): Promise<void> {
  copy.name = await database.transaction(async (trx) => {
    await lockWorkspace(database, trx, target.workspaceId);
    await requireFolder(trx, target);
    const isTaken = (await folderNamed(trx, target.id, copy.name)) !== null;
    if (isTaken && onConflict === 'fail') throw nameTaken('folder');
    const name = isTaken ? await numberedFolderName(trx, target.id, copy.name) : copy.name;
    await insertFolders(trx, [{ ...copy, name }], by);
    return name;
  });
}

async function insertFolders(trx: Transaction, folders: readonly Folder[], by: string): Promise<void> {
  await trx
    .insertInto('folders')
    .values(
      folders.map(({ id, workspaceId, parentId, name, dateCreated }) => ({
        id,
        workspace_id: workspaceId,
        parent_id: parentId,
        name,
        name_key: nameKey(name),
        date_created: dateCreated,
        created_by: by,
      })),
    )
    .execute();
}

async function copyFolders(work: TreeCopy, below: readonly TreeFolder[]): Promise<void> {
  const { database, source, copy, ids, by } = work;
  const folders = below
    .filter(({ id }) => id !== source.id)
    .map(({ id, parent_id, name }) => ({
      ...copy,
      id: ids.get(id) ?? newId(),
      parentId: ids.get(parent_id ?? '') ?? copy.id,
      name,
    }));
  for (let at = 0; at < folders.length; at += ROWS_AT_ONCE) {
    await database.transaction(async (trx) => {
      await lockWorkspaces(database, trx, [source.workspaceId, copy.workspaceId]);
      await requireFolder(trx, copy);
      await insertFolders(trx, folders.slice(at, at + ROWS_AT_ONCE), by);
    });
    await Bun.sleep(PAUSE_MS);
  }
}

async function copyFiles(work: TreeCopy, page: readonly TreeFile[]): Promise<void> {
  const { database, clock, quota, source, copy, ids, copied, by, reservation } = work;
  for (let at = 0; at < page.length; at += ROWS_AT_ONCE) {
    const batch = page.slice(at, at + ROWS_AT_ONCE).map(({ id }) => id);
    const added = await database.transaction(async (trx) => {
      await lockWorkspaces(database, trx, [source.workspaceId, copy.workspaceId]);
      await requireFolder(trx, copy);
      // Read again with the lock: a file that is there keeps its blob until the copy is committed.
      const rows = await trx
        .selectFrom('files')
        .selectAll()
        .where('id', 'in', batch)
        .where('workspace_id', '=', source.workspaceId)
        .where('deleted_at', 'is', null)
        .execute();
      if (rows.length === 0) return [];
      const bytes = rows.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
      await quota.spend(trx, copy.workspaceId, bytes, reservation?.id ?? null);
      const now = clock.now();
      const copies = rows.map((row) =>
        rowOfCopy(
          row,
          { workspaceId: copy.workspaceId, folderId: ids.get(row.folder_id) ?? copy.id, by },
          now,
        ),
      );
      await trx.insertInto('files').values(copies).execute();
      return copies.map(({ id }) => id);
    });
    copied.push(...added);
    await Bun.sleep(PAUSE_MS);
  }
}

/** Deletes what a failed copy has created, at once; folders stay if others have put files into them. */
async function removeCopy({ database, quota, copy, ids, copied }: TreeCopy): Promise<void> {
  for (const batch of batchesOf(copied)) {
    await database.transaction(async (trx) => {
      await lockWorkspace(database, trx, copy.workspaceId);
      const files = await trx
        .deleteFrom('files')
        .where('id', 'in', batch)
        .where('workspace_id', '=', copy.workspaceId)
        .where('deleted_at', 'is', null)
        .returning('size_bytes')
        .execute();
      const bytes = files.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
      await quota.refund(trx, copy.workspaceId, bytes);
    });
  }
  const folders = [...batchesOf([...ids.values()])];
  for (const batch of folders) {
    const files = database.read.selectFrom('files').select('id').where('folder_id', 'in', batch).limit(1);
    if ((await files.execute()).length > 0) return;
  }
  for (const batch of folders)
    await database.transaction((trx) => trx.deleteFrom('folders').where('id', 'in', batch).execute());
}

function* batchesOf(ids: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < ids.length; at += ROWS_AT_ONCE) yield ids.slice(at, at + ROWS_AT_ONCE);
}
