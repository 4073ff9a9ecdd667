import { batchesOf } from '../../../kernel/batches-of.ts';
import { SECOND } from '../../../kernel/clock.ts';
import { BATCH_PAUSE_MS } from '../../../kernel/database/batches.ts';
import type { Transaction } from '../../../kernel/database/database.ts';
import { createTimeSlices, type GiveWay } from '../../../kernel/event-loop/time-slices.ts';
import { newId } from '../../../kernel/ids.ts';
import { tooMany } from '../../../kernel/problem.ts';
import { rowOfCopy } from '../files/copies.ts';
import { lockWorkspace, lockWorkspaces } from '../lock.ts';
import { memberOf } from '../member.ts';
import type { Reservation } from '../quota.ts';
import { requireFolders } from '../rows.ts';
import { depthOf, requireDepth, requireDepths, requireVacancy } from './bounds.ts';
import type { FolderDeps } from './changes.ts';
import { planCopy } from './copy-plan.ts';
import { type CreatedTree, removeCopy } from './failed-copies.ts';
import { type Folder, insertFolders } from './folder.ts';
import { beginCopy, continueCopy, endCopy } from './incomplete-copies.ts';
import { type OnFolderConflict, resolveFolderName } from './rules.ts';
import { pagesOfFiles, readerForTree, type TreeFile } from './subtree.ts';

const MAX_ENTRIES = 100_000;
/** Rows of one transaction. */
const ROWS_AT_ONCE = 200;

/**
 * Copies a folder with everything in it into a folder of any workspace, in batches; the space of all files is reserved
 * first. Content that is added to the source meanwhile may be missing. The copy fails if one of its folders is deleted
 * or moved to another workspace meanwhile; a failed copy is deleted (`failed-copies.ts`). A copy that its process
 * cannot complete or delete is moved to the trash (`incomplete-copies.ts`).
 * @throws Problem 404, 409 `name_taken`, `folder_too_large`, `folder_too_deep`, `folder_full`, 429 `rate_limited`, 507
 */
export type CopyFolder = (source: Folder, target: Folder, options: CopyOptions) => Promise<Folder>;

interface CopyOptions {
  /** Id of the member. A member can copy one folder at a time. */
  by: string;
  onConflict: OnFolderConflict;
}

/** @param longest maximum number of files and folders of one copy */
export function createCopyFolder(deps: FolderDeps, longest = MAX_ENTRIES): CopyFolder {
  const running = new Set<string>();
  const giveWay = createTimeSlices();
  return async (source, target, options) => {
    const { by } = options;
    if (running.has(by))
      throw tooMany(
        'rate_limited',
        'You are already copying a folder. Try again when that copy is complete.',
        SECOND,
      );
    running.add(by);
    try {
      return await copyTree({ ...deps, longest, giveWay }, source, target, options);
    } finally {
      running.delete(by);
    }
  };
}

async function copyTree(
  { longest, giveWay, ...deps }: FolderDeps & { longest: number; giveWay: GiveWay },
  source: Folder,
  target: Folder,
  { by, onConflict }: CopyOptions,
): Promise<Folder> {
  const { database, clock, quota } = deps;
  const { below, ids, levels, bytes } = await planCopy(database, source, { longest, giveWay });
  const reservation = await quota.reserve(target.workspaceId, bytes);
  const copy: Folder = {
    id: ids.get(source.id) ?? newId(),
    workspaceId: target.workspaceId,
    parentId: target.id,
    name: source.name,
    dateCreated: clock.now(),
  };
  const copies = below.map(({ id, parent_id, name }) => ({
    ...copy,
    id: ids.get(id) ?? newId(),
    parentId: ids.get(parent_id ?? '') ?? copy.id,
    name,
  }));
  const created = {
    copy,
    below: new Map(copies.map((folder) => [folder.id, folder])),
    folderOf: new Map<string, string>(),
  };
  const work: TreeCopy = { ...deps, ...created, source, ids, by, reservation };
  try {
    await insertRoot(work, target, { onConflict, levels });
    try {
      await copyFolders(work);
      const reader = await readerForTree(database, source);
      for await (const page of pagesOfFiles(reader, [source, ...below])) await copyFiles(work, page);
      await completeCopy(work);
    } catch (error) {
      await removeCopy(work);
      throw error;
    }
    return copy;
  } finally {
    await reservation?.release();
  }
}

interface TreeCopy extends CreatedTree {
  source: Folder;
  /** Ids of the copies of folders. */
  ids: ReadonlyMap<string, string>;
  by: string;
  /** Null = too few bytes to reserve. */
  reservation: Reservation | null;
}

async function insertRoot(
  { database, clock, rows, copy, by, changed }: TreeCopy,
  target: Folder,
  { onConflict, levels }: { onConflict: OnFolderConflict; levels: number },
): Promise<void> {
  copy.name = await database.transaction(async (trx) => {
    await lockWorkspace(database, trx, target.workspaceId);
    await rows.requireFolder(trx, target, by);
    requireDepth((await depthOf(trx, target.id)) + levels);
    await requireVacancy(trx, target.id);
    const name = await resolveFolderName(trx, { parentId: target.id, name: copy.name, onConflict });
    await insertFolders(trx, [{ ...copy, name }], by);
    await beginCopy(trx, { database, clock }, copy.id);
    changed(trx, target.workspaceId, target.id);
    return name;
  });
}

async function copyFolders(work: TreeCopy): Promise<void> {
  const { database, source, copy, below, by, changed } = work;
  for (const batch of batchesOf([...below.values()], ROWS_AT_ONCE)) {
    const parents = new Set([copy.id, ...batch.map(({ parentId }) => parentId)]);
    for (const { id } of batch) parents.delete(id);
    await database.transaction(async (trx) => {
      await lockWorkspaces(database, trx, [source.workspaceId, copy.workspaceId]);
      await beginBatch(trx, work);
      await requireFolders(trx, copy.workspaceId, parents);
      // Checked again, since the copy, or folders in it, may have been moved deeper meanwhile.
      await requireDepths(trx, batch);
      await insertFolders(trx, batch, by);
      for (const id of parents) changed(trx, copy.workspaceId, id);
    });
    await Bun.sleep(BATCH_PAUSE_MS);
  }
}

async function copyFiles(work: TreeCopy, page: readonly TreeFile[]): Promise<void> {
  const { database, clock, quota, source, copy, ids, by, reservation, changed } = work;
  const fileIds = page.map(({ id }) => id);
  for (const batch of batchesOf(fileIds, ROWS_AT_ONCE)) {
    const added = await database.transaction(async (trx) => {
      await lockWorkspaces(database, trx, [source.workspaceId, copy.workspaceId]);
      await beginBatch(trx, work);
      // Read again with the lock: a file that still exists keeps its blob until the copy is committed.
      const rows = await trx
        .selectFrom('files')
        .selectAll()
        .where('id', 'in', batch)
        .where('workspace_id', '=', source.workspaceId)
        .where('deleted_at', 'is', null)
        .execute();
      const targetOf = (row: { folder_id: string }) => ids.get(row.folder_id) ?? copy.id;
      const folders = new Set([copy.id, ...rows.map(targetOf)]);
      await requireFolders(trx, copy.workspaceId, folders);
      if (rows.length === 0) return [];
      const bytes = rows.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
      await quota.spend(trx, copy.workspaceId, bytes, reservation?.id ?? null);
      const now = clock.now();
      const copies = rows.map((row) =>
        rowOfCopy(row, { workspaceId: copy.workspaceId, folderId: targetOf(row), by }, now),
      );
      await trx.insertInto('files').values(copies).execute();
      for (const id of folders) changed(trx, copy.workspaceId, id);
      return copies;
    });
    for (const { id, folder_id } of added) work.folderOf.set(id, folder_id);
    await Bun.sleep(BATCH_PAUSE_MS);
  }
}

async function completeCopy({ database, rows, copy, by }: TreeCopy): Promise<void> {
  await database.transaction(async (trx) => {
    await lockWorkspace(database, trx, copy.workspaceId);
    await rows.requireFolder(trx, copy, by);
    await endCopy(trx, copy.id);
  });
}

/**
 * Checks that the member may still read the source and write the copy, and renews its lease.
 * @throws Problem 404, 403
 */
async function beginBatch(
  trx: Transaction,
  { database, clock, rows, source, copy, by }: TreeCopy,
): Promise<void> {
  await rows.findFolder(trx, memberOf(by, 'viewer'), source.id);
  await rows.requireFolder(trx, copy, by);
  await continueCopy(trx, { database, clock }, copy.id);
}
