import { sql } from 'kysely';
import { type Clock, MINUTE } from '../kernel/clock.ts';
import type { Database, Reader, Transaction } from '../kernel/database/database.ts';
import { Problem } from '../kernel/http/problem.ts';
import { newId } from '../kernel/ids.ts';
import { lockWorkspace } from './lock.ts';

const LEASE_MS = MINUTE;
/** Below this a reservation costs more than the bytes that a refusal at the end wastes. */
const WORTH_RESERVING = 1_048_576;

/** Space that an upload under way holds. */
export interface Reservation {
  readonly id: string;
  /** Gives the space back. */
  release(): Promise<void>;
  /** Call once a commit has charged it: there is nothing left to give back. */
  spent(): void;
}

interface QuotaParts {
  database: Database;
  clock: Clock;
  /** The quota of a workspace that has none of its own. */
  workspaceBytes: number;
  /** A name of this process that its next run will have as well. */
  owner: string;
}

export type Quota = ReturnType<typeof createQuota>;

/**
 * The space of workspaces. `used_bytes` is the sum of committed files, changed only in the transaction that changes the files.
 * An upload of known length reserves it before its first byte; one of unknown length holds nothing and is judged as it
 * streams and again when it commits, so that of several which race for the last bytes the first to finish has them.
 */
export function createQuota({ database, clock, workspaceBytes, owner }: QuotaParts) {
  const full = () => new Problem('quota_exceeded', 'The workspace has not enough space left for this file.');

  async function reservedBytes(reader: Reader, workspaceId: string, except: string | null): Promise<number> {
    let query = reader
      .selectFrom('reservations')
      .select((of) => of.fn.sum<number | null>('bytes').as('bytes'))
      .where('workspace_id', '=', workspaceId)
      .where('lease_until', '>', clock.now());
    if (except !== null) query = query.where('id', '!=', except);
    return Number((await query.executeTakeFirst())?.bytes ?? 0);
  }

  async function limits(reader: Reader, workspaceId: string): Promise<{ used: number; max: number }> {
    const row = await reader
      .selectFrom('workspaces')
      .select(['used_bytes', 'max_bytes'])
      .where('id', '=', workspaceId)
      .executeTakeFirstOrThrow();
    return { used: row.used_bytes, max: row.max_bytes ?? workspaceBytes };
  }

  /** @throws Problem 507 when `bytes` do not fit beside what is used and reserved */
  async function requireSpace(trx: Transaction, workspaceId: string, bytes: number): Promise<void> {
    await lockWorkspace(database, trx, workspaceId);
    const { used, max } = await limits(trx, workspaceId);
    if (used + (await reservedBytes(trx, workspaceId, null)) + bytes > max) throw full();
  }

  async function release(id: string): Promise<void> {
    await database.transaction((trx) => trx.deleteFrom('reservations').where('id', '=', id).execute());
  }

  return {
    /**
     * Reserves `bytes` for an upload; null where so few are not worth it. The lease is renewed until it is released or charged.
     * @throws Problem 507 when they do not fit beside what is used and reserved
     */
    async reserve(workspaceId: string, bytes: number): Promise<Reservation | null> {
      if (bytes < WORTH_RESERVING) return null;
      const id = newId();
      const row = () => ({ id, workspace_id: workspaceId, bytes, owner, lease_until: clock.now() + LEASE_MS });
      await database.transaction(async (trx) => {
        await requireSpace(trx, workspaceId, bytes);
        await trx.insertInto('reservations').values(row()).execute();
      });
      const renewal = setInterval(() => {
        const renewed = database.transaction((trx) =>
          trx
            .insertInto('reservations')
            .values(row())
            .onConflict((conflict) => conflict.column('id').doUpdateSet({ lease_until: row().lease_until }))
            .execute(),
        );
        // A lease that could not be renewed is judged once more when the file is charged.
        renewed.catch(() => {});
      }, LEASE_MS / 3);
      return {
        id,
        async release() {
          clearInterval(renewal);
          await release(id);
        },
        spent: () => clearInterval(renewal),
      };
    },

    /**
     * Holds `bytes` under an id of the caller's until `until`, over restarts too; `charge` uses them up.
     * @throws Problem 507 when they do not fit beside what is used and reserved
     */
    async hold(trx: Transaction, id: string, workspaceId: string, bytes: number, until: number): Promise<void> {
      await requireSpace(trx, workspaceId, bytes);
      await trx.insertInto('reservations').values({ id, workspace_id: workspaceId, bytes, owner: null, lease_until: until }).execute();
    },

    /** How many bytes are free beside what is used and what others have reserved: more than that will not fit. */
    async freeBytes(workspaceId: string, reservationId: string | null = null): Promise<number> {
      const { used, max } = await limits(database.read, workspaceId);
      return max - used - (await reservedBytes(database.read, workspaceId, reservationId));
    },

    /**
     * Counts `bytes` as used, in the transaction that commits the file.
     * @param reservationId what the upload had reserved; it is used up
     * @throws Problem 507 when they do not fit
     */
    async charge(trx: Transaction, workspaceId: string, bytes: number, reservationId: string | null): Promise<void> {
      await lockWorkspace(database, trx, workspaceId);
      if (reservationId !== null) await trx.deleteFrom('reservations').where('id', '=', reservationId).execute();
      const charged = await trx
        .updateTable('workspaces')
        .set((set) => ({ used_bytes: set('used_bytes', '+', bytes) }))
        .where('id', '=', workspaceId)
        .where((where) => {
          const reserved = where
            .selectFrom('reservations')
            .select((of) => of.fn.coalesce(of.fn.sum<number>('bytes'), of.lit(0)).as('bytes'))
            .where('workspace_id', '=', workspaceId)
            .where('lease_until', '>', clock.now());
          return sql<boolean>`used_bytes + ${bytes} + ${reserved} <= coalesce(max_bytes, ${where.lit(workspaceBytes)})`;
        })
        .returning('id')
        .executeTakeFirst();
      if (!charged) throw full();
    },

    /** Counts `bytes` as free again, in the transaction that removes the file. */
    async refund(trx: Transaction, workspaceId: string, bytes: number): Promise<void> {
      await trx
        .updateTable('workspaces')
        .set((set) => ({ used_bytes: set('used_bytes', '-', bytes) }))
        .where('id', '=', workspaceId)
        .execute();
    },

    /** Gives back what the last run of this process had reserved when it died. Call before the first upload. */
    async forgetLastRun(): Promise<void> {
      await database.transaction((trx) => trx.deleteFrom('reservations').where('owner', '=', owner).execute());
    },

    /** Deletes the reservations whose lease has run out. */
    async sweep(): Promise<void> {
      await database.transaction((trx) => trx.deleteFrom('reservations').where('lease_until', '<=', clock.now()).execute());
    },
  };
}
