import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../kernel/database/database.ts';
import type { Holds } from '../kernel/holds.ts';
import { BlobMissing, type Blobs } from './blobs/port.ts';
import { createInlineChecksums } from './checksums.ts';
import { type Content, fromRow, type StoredFile } from './file.ts';
import { lockWorkspace } from './lock.ts';
import { referencedKeys } from './references.ts';
import { BLOBS_HELD, LEFT_ALONE_MS } from './sweeper.ts';

export interface Findings {
  /** How many files there are; those in the trash are looked at as well, but not counted. */
  files: number;
  /** Files whose blob is not there, or has another size. */
  missing: DamagedFile[];
  /** Files whose blob has other bytes than were stored. */
  corrupt: DamagedFile[];
  /** Files in the trash of either kind: what is restored of them will not be what was deleted. */
  damagedInTrash: DamagedFile[];
  /** Keys of blobs that no row names. After a kill there may be some; the sweeper takes them. */
  orphaned: string[];
  /** Ids of files whose thumbnail is not there. */
  thumbnailsLost: string[];
  /** Workspaces whose sum of used bytes was not that of their files. */
  miscounted: string[];
}

export type DamagedFile = Pick<StoredFile, 'id' | 'originalName' | 'workspaceId'>;

interface CheckParts {
  database: Database;
  blobs: Blobs;
  clock: Clock;
  holds: Holds;
  /** Called now and then with how much is done. */
  progress?(doneBytes: number, allBytes: number): void;
}

const PAGE = 200;

/**
 * Compares every file with its blob and every blob with the rows. With `repair`: damaged files go to the trash, so that
 * nobody is offered what cannot be had and nothing is destroyed; lost thumbnails are to be made anew; sums are put right; old
 * blobs without an owner are deleted.
 * The server may run meanwhile.
 */
export async function checkStorage(parts: CheckParts, repair: boolean): Promise<Findings> {
  const { database, blobs } = parts;
  const findings: Findings = { files: 0, missing: [], corrupt: [], damagedInTrash: [], orphaned: [], thumbnailsLost: [], miscounted: [] };
  const allBytes = await sumOfSizes(database);
  let doneBytes = 0;
  for await (const file of everyFile(database)) {
    const isTrash = file.deletedAt !== null;
    if (!isTrash) findings.files++;
    const state = await verify(blobs, file);
    doneBytes += file.sizeBytes;
    parts.progress?.(doneBytes, allBytes);
    // It may have been replaced or deleted while its bytes were read.
    if (state === 'sound' || !(await isUnchanged(database, file))) continue;
    findings[isTrash ? 'damagedInTrash' : state].push({ id: file.id, originalName: file.originalName, workspaceId: file.workspaceId });
    if (repair && !isTrash) await moveToTrash(parts, file);
  }
  const listed = await Array.fromAsync(blobs.list());
  findings.orphaned = await sweepOrphans(parts, listed, repair);
  findings.thumbnailsLost = await remakeThumbnails(parts, new Set(listed.map(({ key }) => key)), repair);
  findings.miscounted = await recount(database, repair);
  return findings;
}

async function verify(blobs: Blobs, { blobKey, sizeBytes, sha256, crc32 }: Content): Promise<'sound' | 'missing' | 'corrupt'> {
  const sums = createInlineChecksums();
  try {
    const body = await blobs.read(blobKey, sizeBytes);
    for await (const chunk of body instanceof Blob ? body.stream() : body) sums.update(chunk);
  } catch (error) {
    if (error instanceof BlobMissing) return 'missing';
    throw error;
  }
  const found = await sums.tell();
  return found.sha256 === sha256 && found.crc32 === crc32 ? 'sound' : 'corrupt';
}

/** Those in the trash too. */
async function* everyFile(database: Database): AsyncIterable<StoredFile> {
  for (let after = ''; ; ) {
    const rows = await database.read.selectFrom('files').selectAll().where('id', '>', after).orderBy('id').limit(PAGE).execute();
    for (const row of rows) yield fromRow(row);
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}

async function sumOfSizes(database: Database): Promise<number> {
  const { bytes } = await database.read
    .selectFrom('files')
    .select((of) => of.fn.sum<number | null>('size_bytes').as('bytes'))
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
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

/** What `Files.remove` does, for whoever is no account. */
async function moveToTrash({ database, clock }: CheckParts, { id, blobKey, workspaceId, sizeBytes }: StoredFile): Promise<void> {
  await database.transaction(async (trx) => {
    await lockWorkspace(database, trx, workspaceId);
    const moved = await trx
      .updateTable('files')
      .set({ deleted_at: clock.now() })
      .where('id', '=', id)
      .where('blob_key', '=', blobKey)
      .where('deleted_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!moved) return;
    await trx
      .updateTable('workspaces')
      .set((set) => ({ used_bytes: set('used_bytes', '-', sizeBytes) }))
      .where('id', '=', workspaceId)
      .execute();
  });
}

/** The blobs without an owner; with `repair` those that nobody can be about to name are deleted. */
async function sweepOrphans(
  { database, blobs, clock, holds }: CheckParts,
  listed: readonly { key: string; dateModified: number }[],
  repair: boolean,
): Promise<string[]> {
  const orphans: string[] = [];
  for (let at = 0; at < listed.length; at += PAGE) {
    const batch = listed.slice(at, at + PAGE);
    const named = await referencedKeys(
      database.read,
      batch.map(({ key }) => key),
    );
    const mayDelete = repair && !(await holds.isHeld(database.read, BLOBS_HELD));
    for (const { key, dateModified } of batch) {
      if (named.has(key)) continue;
      orphans.push(key);
      if (mayDelete && dateModified < clock.now() - LEFT_ALONE_MS) await blobs.delete(key);
    }
  }
  return orphans;
}

/** Files whose thumbnail is not in the store; with `repair` it is made anew. @param stored keys that were there a moment ago */
async function remakeThumbnails({ database, blobs }: CheckParts, stored: ReadonlySet<string>, repair: boolean): Promise<string[]> {
  const lost: string[] = [];
  for await (const { id, thumbnailKey, deletedAt } of everyFile(database)) {
    // One that was made meanwhile is not among them.
    if (deletedAt !== null || thumbnailKey === null || stored.has(thumbnailKey) || (await blobs.stat(thumbnailKey))) continue;
    lost.push(id);
    if (!repair) continue;
    const anew = { thumbnail_state: 'pending' as const, thumbnail_key: null, thumbnail_attempts: 0, thumbnail_lease_until: null };
    await database.transaction((trx) =>
      trx.updateTable('files').set(anew).where('id', '=', id).where('thumbnail_key', '=', thumbnailKey).execute(),
    );
  }
  return lost;
}

/** Workspaces whose sum is wrong; with `repair` it is put right. */
async function recount(database: Database, repair: boolean): Promise<string[]> {
  const wrong = await database.read
    .selectFrom('workspaces')
    .select('workspaces.id')
    .where((where) =>
      where('used_bytes', '!=', (sum) =>
        sum
          .selectFrom('files')
          .select((of) => of.fn.coalesce(of.fn.sum<number>('size_bytes'), of.lit(0)).as('bytes'))
          .whereRef('files.workspace_id', '=', 'workspaces.id')
          .where('deleted_at', 'is', null),
      ),
    )
    .execute();
  for (const { id } of repair ? wrong : []) {
    await database.transaction(async (trx) => {
      await lockWorkspace(database, trx, id);
      await trx
        .updateTable('workspaces')
        .set((set) => ({
          used_bytes: set
            .selectFrom('files')
            .select((of) => of.fn.coalesce(of.fn.sum<number>('size_bytes'), of.lit(0)).as('bytes'))
            .where('workspace_id', '=', id)
            .where('deleted_at', 'is', null),
        }))
        .where('id', '=', id)
        .execute();
    });
  }
  return wrong.map(({ id }) => id);
}
