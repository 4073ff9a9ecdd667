import { type RawBuilder, sql } from 'kysely';
import { batchesOf } from '../../kernel/batches-of.ts';
import { chunksIn } from '../../kernel/content.ts';
import type { Database } from '../../kernel/database/database.ts';
import { BlobMissing, type Blobs } from '../blobs/port.ts';
import { createInlineChecksums } from '../intake/checksums.ts';
import type { StoredContent, StoredFile } from '../tree/files/file.ts';
import { lockWorkspace } from '../tree/lock.ts';
import { addBytes } from '../tree/sums.ts';
import type { TrashTree } from '../tree/trash/tree.ts';
import { deadLinks, misplacedLinks } from './broken-links.ts';
import { everyFile } from './every-file.ts';
import { circles, strays } from './misplaced-rows.ts';
import { discardedKeys, referencedKeys } from './references.ts';
import { checkRenditions } from './renditions.ts';
import type { SweeperDeps } from './sweeper.ts';
import { BLOBS_HELD, LEFT_ALONE_MS } from './sweeper.ts';

export interface Findings {
  /** Number of files; those in the trash are checked too, but not counted. */
  files: number;
  /** Files whose blob is missing or has another size. */
  missing: DamagedFile[];
  /** Files whose blob has other bytes than those stored. */
  corrupt: DamagedFile[];
  /** Files with missing or corrupt content in the trash or in an earlier version: restoring does not recover it. */
  damagedInTrash: DamagedFile[];
  /** Keys of blobs that no row references. A kill may leave some; the sweeper deletes them. */
  orphaned: string[];
  /** Ids of files with a rendition whose blob is missing. */
  renditionsLost: string[];
  /** Workspaces whose used bytes are not the sum of their files. */
  miscounted: string[];
  /** Ids of links whose folder no longer exists, not even in the trash. */
  deadLinks: string[];
  /** Ids of links whose folder is in another workspace. */
  misplacedLinks: string[];
  /** Ids of rows in another workspace than what contains them: the first thousand. */
  strays: string[];
  /** Ids of folders that no root leads to, since they form a cycle or are below one: the first thousand. */
  circles: string[];
}

export type DamagedFile = Pick<StoredFile, 'id' | 'originalName' | 'workspaceId'>;

interface CheckDeps extends SweeperDeps {
  /** Called after each file, with the bytes read so far and in total. */
  progress?(doneBytes: number, allBytes: number): void;
}

const PAGE = 200;

/**
 * Compares every file with its blob and every blob with the rows. `repair` moves damaged files to the trash, which
 * hides them without destroying anything, renders lost renditions again, corrects sums and the workspaces
 * of links, and deletes old orphaned blobs and dead links. The server may run meanwhile.
 */
export async function checkStorage(deps: CheckDeps, repair: boolean): Promise<Findings> {
  const { database, blobs } = deps;
  const findings: Findings = {
    files: 0,
    missing: [],
    corrupt: [],
    damagedInTrash: [],
    orphaned: [],
    renditionsLost: [],
    miscounted: [],
    deadLinks: [],
    misplacedLinks: [],
    strays: await strays(database),
    circles: await circles(database),
  };
  const allBytes = await sumOfSizes(database);
  const damaged: StoredFile[] = [];
  let doneBytes = 0;
  for await (const file of everyFile(database)) {
    const isTrash = file.deletedAt !== null;
    if (!isTrash) findings.files++;
    const state = await verify(blobs, file);
    doneBytes += file.sizeBytes;
    deps.progress?.(doneBytes, allBytes);
    // The file may have been replaced or deleted while its bytes were read.
    if (state === 'sound' || !(await isUnchanged(database, file))) continue;
    findings[isTrash ? 'damagedInTrash' : state].push({
      id: file.id,
      originalName: file.originalName,
      workspaceId: file.workspaceId,
    });
    if (!isTrash) damaged.push(file);
  }
  findings.damagedInTrash.push(...(await damagedVersions(deps)));
  // A store that fails fails here at the latest, before anything is changed.
  const listed = await Array.fromAsync(blobs.list());
  for (const file of repair ? damaged : []) await moveToTrash(deps, file);
  findings.orphaned = await sweepOrphans(deps, listed, repair);
  findings.renditionsLost = (await checkRenditions(deps, new Set(repair ? ['missing'] : []))).missing;
  findings.miscounted = await recount(database, repair);
  findings.deadLinks = await deadLinks(database, repair);
  findings.misplacedLinks = await misplacedLinks(database, repair);
  return findings;
}

async function verify(
  blobs: Blobs,
  { blobKey, sizeBytes, sha256, crc32 }: StoredContent,
): Promise<'sound' | 'missing' | 'corrupt'> {
  const sums = createInlineChecksums();
  try {
    const body = await blobs.read(blobKey, sizeBytes);
    for await (const chunk of chunksIn(body)) sums.update(chunk);
  } catch (error) {
    if (error instanceof BlobMissing) return 'missing';
    throw error;
  }
  const found = await sums.finish();
  return found.sha256 === sha256 && found.crc32 === crc32 ? 'sound' : 'corrupt';
}

/** Returns a file for each of its versions whose blob is missing or has other bytes. */
async function damagedVersions({ database, blobs }: CheckDeps): Promise<DamagedFile[]> {
  const damaged: DamagedFile[] = [];
  for (let after = ''; ; ) {
    const rows = await database.read
      .selectFrom('file_versions')
      .innerJoin('files', 'files.id', 'file_versions.file_id')
      .selectAll('file_versions')
      .select('original_name')
      .where('file_versions.id', '>', after)
      .orderBy('file_versions.id')
      .limit(PAGE)
      .execute();
    for (const row of rows) {
      const { blob_key: blobKey, size_bytes: sizeBytes, mime_type: mimeType, sha256, crc32 } = row;
      const state = await verify(blobs, { blobKey, sizeBytes, mimeType, sha256, crc32 });
      // It may have been restored or deleted while its bytes were read.
      if (state === 'sound' || !(await isVersion(database, row.id))) continue;
      damaged.push({ id: row.file_id, originalName: row.original_name, workspaceId: row.workspace_id });
    }
    const last = rows.at(-1);
    if (!last) return damaged;
    after = last.id;
  }
}

async function isVersion({ read }: Database, id: string): Promise<boolean> {
  const row = await read.selectFrom('file_versions').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

async function sumOfSizes(database: Database): Promise<number> {
  const { bytes } = await database.read
    .selectFrom('files')
    .select((of) => of.fn.sum<number | null>('size_bytes').as('bytes'))
    .executeTakeFirstOrThrow();
  return bytes ?? 0;
}

async function isUnchanged(database: Database, { id, blobKey, deletedAt }: StoredFile): Promise<boolean> {
  const row = await database.read
    .selectFrom('files')
    .select('id')
    .where('id', '=', id)
    .where('blob_key', '=', blobKey)
    .where('deleted_at', deletedAt === null ? 'is' : '=', deletedAt)
    .executeTakeFirst();
  return row !== undefined;
}

/** Like `Trash.removeFile`, but only if the file still has the same blob and workspace, and without erasing others. */
async function moveToTrash(
  { database }: CheckDeps,
  { id, blobKey, workspaceId, sizeBytes }: StoredFile,
): Promise<void> {
  await database.transaction(async (trx) => {
    await lockWorkspace(database, trx, workspaceId);
    const moved = await trx
      .updateTable('files')
      .set({ deleted_at: database.now, deleted_by: null, trash_id: null, place: null })
      .where('id', '=', id)
      .where('workspace_id', '=', workspaceId)
      .where('blob_key', '=', blobKey)
      .where('deleted_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!moved) return;
    await addBytes(trx, workspaceId, { used_bytes: -sizeBytes, trash_bytes: sizeBytes });
  });
}

/** Returns the orphaned blobs; `repair` deletes those so old that no row can be about to reference them. */
async function sweepOrphans(
  { database, blobs, clock, holds }: CheckDeps,
  listed: readonly { key: string; dateModified: number }[],
  repair: boolean,
): Promise<string[]> {
  const orphans: string[] = [];
  for (const batch of batchesOf(listed, PAGE)) {
    const keys = batch.map(({ key }) => key);
    const named = await referencedKeys(database.read, keys);
    const discarded = await discardedKeys(database.read, keys);
    const mayDelete = repair && !(await holds.isHeld(database.read, BLOBS_HELD));
    for (const { key, dateModified } of batch) {
      if (named.has(key) || discarded.has(key)) continue;
      orphans.push(key);
      if (mayDelete && dateModified < clock.now() - LEFT_ALONE_MS) await blobs.delete(key);
    }
  }
  return orphans;
}

/** Sum of the sizes of the files of a workspace that meet a condition. */
const sumOfFiles = (condition: RawBuilder<unknown>) => sql<number>`(
  select coalesce(sum(size_bytes), 0) from files
  where files.workspace_id = workspaces.id and ${condition})`;
/** A tree that is being restored counts as used, an erased one neither as used nor as trash. */
const isOfTree = (...states: TrashTree['state'][]) => sql`exists (
  select 1 from trash_trees where trash_trees.id = files.trash_id and state in (${sql.join(states)}))`;
const SUMS = {
  version_bytes: sql<number>`(
    select coalesce(sum(size_bytes), 0) from file_versions where file_versions.workspace_id = workspaces.id)`,
  used_bytes: sumOfFiles(sql`(deleted_at is null or ${isOfTree('restoring')})`),
  trash_bytes: sumOfFiles(
    sql`deleted_at > trash_since and (trash_id is null or ${isOfTree('removing', 'kept')})`,
  ),
};

/** Returns the workspaces with a wrong sum; `repair` corrects it. */
async function recount(database: Database, repair: boolean): Promise<string[]> {
  const wrong = await database.read
    .selectFrom('workspaces')
    .select('id')
    .where((where) =>
      where.or([
        where('used_bytes', '!=', SUMS.used_bytes),
        where('trash_bytes', '!=', SUMS.trash_bytes),
        where('version_bytes', '!=', SUMS.version_bytes),
      ]),
    )
    .execute();
  for (const { id } of repair ? wrong : []) {
    await database.transaction(async (trx) => {
      await lockWorkspace(database, trx, id);
      await trx.updateTable('workspaces').set(SUMS).where('id', '=', id).execute();
    });
  }
  return wrong.map(({ id }) => id);
}
