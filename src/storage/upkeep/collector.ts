import { sql } from 'kysely';
import { batchesOf } from '../../kernel/batches-of.ts';
import { DAY, SECOND } from '../../kernel/clock.ts';
import { repeatWithPauses } from '../../kernel/database/batches.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import { readNow } from '../../kernel/database/now.ts';
import { readerFor } from '../../kernel/database/reader-for.ts';
import type { Holds } from '../../kernel/leases/holds.ts';
import { inThisContext } from '../../kernel/limits/callers.ts';
import { shareRuns } from '../../kernel/share-runs.ts';
import type { Blobs } from '../blobs/port.ts';
import { lockWorkspace } from '../tree/lock.ts';
import { addBytes } from '../tree/sums.ts';
import type { ErasureDeps } from './erased-rows.ts';
import { deleteErased } from './erased-rows.ts';
import { deleteOldVersions } from './old-versions.ts';
import { referencedKeys } from './references.ts';
import { BLOBS_HELD } from './sweeper.ts';

/**
 * Time from the end of a blob's last row to its deletion, for responses that have read the row and not yet opened
 * the blob. Longer downloads take a hold.
 */
const GRACE_MS = SECOND;
const BLOBS_AT_ONCE = 500;
/** Concurrent deletions of blobs. */
const CONCURRENT = 16;
/** Time after which other nodes find what a killed node has erased. */
const ACTIVE_MS = 10 * SECOND;

/** The hold of a download that reads several blobs of a workspace, one after the other. */
export function blobsOfWorkspace(workspaceId: string): string {
  return `${BLOBS_HELD} of ${workspaceId}`;
}

interface CollectorDeps extends ErasureDeps {
  blobs: Blobs;
  holds: Holds;
  trashDays: number;
  versionDays: number;
}

/** Deletes the rows of erased files, and the blobs that the program has discarded. */
export interface Collector {
  /** Erases the files that have been in the trash too long, and the versions that are too old. */
  expire(): Promise<void>;
  /**
   * Deletes all that can be deleted now; concurrent calls share the work. Any number of nodes may do so at
   * once.
   */
  collect(): Promise<void>;
  /** Runs at every call within `ACTIVE_MS` of the last garbage, otherwise once per `ACTIVE_MS`. */
  poll(): Promise<void>;
  /** Notes that a transaction of this node erases files or discards blobs. */
  expect(): void;
}

export function createCollector(deps: CollectorDeps): Collector {
  const { database, trashSpace, trashDays, versionDays } = deps;
  let activeUntil = 0;
  let nextAt = 0;
  const collectShared = shareRuns(inThisContext(collectAll));
  const collect = () => collectShared(deps);

  function expect(): void {
    activeUntil = performance.now() + ACTIVE_MS;
  }

  return {
    async expire() {
      const now = await readNow(database, database.read);
      if (await deleteOldVersions(deps, now - versionDays * DAY)) expect();
      const until = now - trashDays * DAY - 1;
      for (const id of await workspacesWithTrash(database, until)) {
        await database.transaction(async (trx) => {
          await lockWorkspace(database, trx, id);
          await trashSpace.erase(trx, id, until);
        });
      }
    },

    collect: async () => void (await collect()),
    async poll() {
      const now = performance.now();
      if (now > activeUntil && now < nextAt) return;
      nextAt = now + ACTIVE_MS;
      if (await collect()) expect();
    },
    expect,
  };
}

/**
 * Returns false when there is nothing to delete, now or later.
 * @throws the first error of a workspace, after the others and the blobs
 */
async function collectAll(deps: CollectorDeps): Promise<boolean> {
  const { database } = deps;
  const errors = new Map<string, unknown>();
  await repeatWithPauses(async () => {
    let areLeft = false;
    // In turn, so that the many files of one workspace do not delay those of others.
    for (const id of await erasingWorkspaces(database)) {
      if (errors.has(id)) continue;
      try {
        if (await deleteErased(deps, id)) areLeft = true;
      } catch (error) {
        errors.set(id, error);
      }
    }
    return (await deleteDiscarded(deps)) || areLeft;
  });
  if (errors.size > 0) throw errors.values().next().value;
  const discarded = await database.read.selectFrom('blob_deletions').select('blob_key').limit(1).execute();
  return discarded.length > 0;
}

async function erasingWorkspaces({ read }: Database): Promise<string[]> {
  const rows = await read
    .selectFrom('workspaces')
    .select('id')
    .where('is_erasing', '=', sql.lit(1))
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns the workspaces with files or folders that were deleted at `until` or before. */
async function workspacesWithTrash(database: Database, until: number): Promise<string[]> {
  const reader = await readerFor(database, 'trash', (read) => read.selectFrom('workspaces').select('id'));
  const rows = await reader
    .selectFrom('workspaces')
    .select('id')
    .where((where) =>
      where.or(
        (['files', 'trash_trees'] as const).map((table) =>
          where.exists(
            where
              .selectFrom(table)
              .select('id')
              .whereRef('workspace_id', '=', 'workspaces.id')
              .whereRef('deleted_at', '>', 'trash_since')
              .where('deleted_at', '<=', until),
          ),
        ),
      ),
    )
    .execute();
  return rows.map(({ id }) => id);
}

/** Deletes a batch of blobs; returns false when none is left that can be deleted now. */
async function deleteDiscarded({ database, blobs, holds }: CollectorDeps): Promise<boolean> {
  const held = await holds.held(database.read);
  if (held.includes(BLOBS_HELD)) return false;
  const due = await database.read
    .selectFrom('blob_deletions')
    .select(['blob_key', 'date_created'])
    .where('date_created', '<=', sql<number>`${database.now} - ${sql.lit(GRACE_MS)}`)
    .where(sql`${sql.lit(blobsOfWorkspace(''))} || workspace_id`, 'not in', held.length > 0 ? held : [''])
    .orderBy('date_created')
    .limit(BLOBS_AT_ONCE)
    .execute();
  if (due.length === 0) return false;
  const keys = due.map(({ blob_key }) => blob_key);
  const named = await referencedKeys(database.read, keys);
  // Checked after the rows were read: a backup that read them before has its hold by now.
  if (await holds.isHeld(database.read, BLOBS_HELD)) return false;
  const unnamed = keys.filter((key) => !named.has(key));
  await database.durable();
  for (const batch of batchesOf(unnamed, CONCURRENT))
    await Promise.all(batch.map((key) => blobs.delete(key)));
  const until = due.at(-1)?.date_created ?? 0;
  await database.transaction((trx) => settle(trx, keys, until));
  return due.length === BLOBS_AT_ONCE;
}

/**
 * Records that blobs are deleted, and no longer counts their bytes as erased.
 * @param until time of the last of them; those that were scheduled again since then are left
 */
async function settle(trx: Transaction, keys: readonly string[], until: number): Promise<void> {
  const rows = await trx
    .deleteFrom('blob_deletions')
    .where('blob_key', 'in', keys)
    .where('date_created', '<=', until)
    .returning(['workspace_id', 'size_bytes'])
    .execute();
  const byWorkspace = Map.groupBy(rows, ({ workspace_id }) => workspace_id);
  // In one order on all nodes, so that transactions cannot deadlock.
  for (const id of [...byWorkspace.keys()].sort()) {
    const bytes = (byWorkspace.get(id) ?? []).reduce((sum, row) => sum + row.size_bytes, 0);
    await addBytes(trx, id, { erased_bytes: -bytes });
  }
}
