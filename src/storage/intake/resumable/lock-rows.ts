import { sql } from 'kysely';
import { type Clock, SECOND } from '../../../kernel/clock.ts';
import type { Database, Transaction } from '../../../kernel/database/database.ts';
import { after } from '../../../kernel/database/now.ts';
import type { LeaseKeeper } from '../../../kernel/leases/lease-keeper.ts';
import { createLeases, type Leases } from '../../../kernel/leases/leases.ts';

/** Short, because a client that reconnects waits for the lock of a dead node, and no request may wait for 30 s. */
export const UPLOAD_LOCK_MS = 15 * SECOND;

/** The locks in the rows of resumable uploads, whose owners are requests. */
export interface UploadLocks {
  /**
   * Locks an upload so that only `owner` may write; `unknown` when there is no such upload. When it is busy, marks it
   * as wanted.
   */
  lock(id: string, owner: string): Promise<'locked' | 'busy' | 'unknown'>;
  /** Renews the lock until the keeper is stopped, unless another owner has taken it. */
  keepLock(id: string, owner: string): LeaseKeeper;
  unlock(id: string, owner: string): Promise<void>;
  /** Reports whether another request waits for the lock that `owner` holds. */
  isWanted(id: string, owner: string): Promise<boolean>;
  /** Ends the locks of a run of the server that has ended. @param node its id, the prefix of their owners */
  forgetLocks(node: string): Promise<void>;
  /** Returns the condition that the lock of a row is free. */
  isFree: Leases['isFree'];
}

/** Returns the columns of an upload that `owner` locks now. */
export const lockedBy = (database: Database, owner: string) => ({
  lock_owner: owner,
  lock_until: after(database, UPLOAD_LOCK_MS),
  lock_wanted: 0,
});

export function createUploadLocks({ database, clock }: { database: Database; clock: Clock }): UploadLocks {
  const locks = createLeases(
    { table: 'uploads', until: 'lock_until', owner: 'lock_owner' },
    { database, clock, lengthMs: UPLOAD_LOCK_MS },
  );
  return {
    async lock(id, owner) {
      const outcome = await database.transaction((trx) => takeLock(trx, database, locks, id, owner));
      if (outcome === 'busy') await locks.shorten(sql`id = ${id}`);
      return outcome;
    },
    keepLock: (id, owner) => locks.keep({ ids: () => [id], owner }),
    unlock: (id, owner) => locks.release([id], owner),
    async isWanted(id, owner) {
      const row = await database.read
        .selectFrom('uploads')
        .select('id')
        .where('id', '=', id)
        .where('lock_owner', '=', owner)
        .where('lock_wanted', '=', 1)
        .executeTakeFirst();
      return row !== undefined;
    },
    forgetLocks: (node) => database.transaction((trx) => endLocks(trx, node)),
    isFree: locks.isFree,
  };
}

async function takeLock(
  trx: Transaction,
  database: Database,
  locks: Leases,
  id: string,
  owner: string,
): Promise<'locked' | 'busy' | 'unknown'> {
  const row = await trx
    .updateTable('uploads')
    .set(lockedBy(database, owner))
    .where('id', '=', id)
    .where((where) => where.or([where('lock_owner', '=', owner), locks.isFree()]))
    .returning('id')
    .executeTakeFirst();
  if (row) return 'locked';
  await trx
    .updateTable('uploads')
    .set({ lock_wanted: 1 })
    .where('id', '=', id)
    .where('lock_wanted', '=', 0)
    .execute();
  return (await trx.selectFrom('uploads').select('id').where('id', '=', id).executeTakeFirst())
    ? 'busy'
    : 'unknown';
}

async function endLocks(trx: Transaction, node: string): Promise<void> {
  // The space prevents a match of another node whose name begins with this one.
  const start = `${node} `;
  await trx
    .updateTable('uploads')
    .set({ lock_owner: null, lock_until: null })
    .where(sql<boolean>`substr(lock_owner, 1, ${start.length}) = ${start}`)
    .execute();
}
