import { type RawBuilder, sql } from 'kysely';
import { MB } from '../../kernel/bytes.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database, Reader, Transaction } from '../../kernel/database/database.ts';
import { newId } from '../../kernel/ids.ts';
import { createLeases, type Leases } from '../../kernel/leases/leases.ts';
import { Problem } from '../../kernel/problem.ts';
import type { ReservationsTable } from '../tables.ts';
import { lockWorkspace } from './lock.ts';
import { addBytes } from './sums.ts';

/**
 * Minimum size to reserve: a smaller reservation costs more than the bytes that are wasted if the upload is refused at
 * its end.
 */
export const WORTH_RESERVING = MB;

/** Space reserved for a running upload. */
export interface Reservation {
  readonly id: string;
  /** Frees the space. */
  release(): Promise<void>;
  /** Call after the commit that charged it: nothing is left to free. */
  spent(): void;
}

interface HeldSpace {
  id: string;
  workspaceId: string;
  bytes: number;
  /** End of the reservation, ms since the epoch on the database's clock. */
  until: number;
}

/**
 * The space of workspaces. `used_bytes` is the sum of committed files, changed only in the transaction that changes
 * the files. An upload of known length reserves its space before its first byte. An upload of unknown length
 * reserves nothing; it is checked while it streams and again at its commit, so that the first of several to finish
 * gets the last bytes.
 */
export interface Quota {
  /**
   * Reserves `bytes` for an upload until it is released or charged; returns null for a size too small to reserve.
   * @throws Problem 507 when they exceed the space that is neither used nor reserved
   */
  reserve(workspaceId: string, bytes: number): Promise<Reservation | null>;
  /**
   * Reserves bytes under an id chosen by the caller. The reservation survives restarts; `charge` uses it up.
   * @throws Problem 507 when they exceed the space that is neither used nor reserved
   */
  hold(trx: Transaction, held: HeldSpace): Promise<void>;
  /** Returns the number of bytes that are neither used nor reserved by others. */
  freeBytes(workspaceId: string, reservationId?: string | null): Promise<number>;
  /**
   * Counts `bytes` as used, in the transaction that commits the file.
   * Requires the lock of the workspace.
   * @param reservationId the reservation of the upload, which is used up
   * @throws Problem 507 when they do not fit
   */
  charge(trx: Transaction, workspaceId: string, bytes: number, reservationId: string | null): Promise<void>;
  /**
   * Counts `bytes` as used, with the workspace locked, out of a reservation that keeps the rest.
   * @param reservationId null = nothing is reserved
   * @throws Problem 507 when they do not fit
   */
  spend(trx: Transaction, workspaceId: string, bytes: number, reservationId: string | null): Promise<void>;
  /** Counts `bytes` as used by another workspace, out of a reservation there, which they may exceed. */
  transfer(trx: Transaction, transfer: Transfer): Promise<void>;
  /** @throws Problem 507 when the used and reserved bytes exceed the quota */
  requireWithin(trx: Transaction, workspaceId: string): Promise<void>;
  /** Counts `bytes` as free again, in the transaction that removes the file. */
  refund(trx: Transaction, workspaceId: string, bytes: number): Promise<void>;
  /** Frees the reservations of a run of the server that has ended. */
  forget(owner: string): Promise<void>;
  /** Deletes the reservations whose lease has ended. */
  sweep(): Promise<void>;
}

export interface Transfer {
  from: string;
  to: string;
  bytes: number;
  reservationId: string;
}

interface QuotaDeps {
  database: Database;
  clock: Clock;
  /** Default quota of a workspace. */
  workspaceBytes: number;
  /** Id of this run of the server. */
  owner: string;
}

export function createQuota(deps: QuotaDeps): Quota {
  const { database, clock, owner: self } = deps;
  const leases = createLeases({ table: 'reservations', until: 'lease_until' }, { database, clock });
  const space = createSpace(deps, leases);
  return {
    async reserve(workspaceId, bytes) {
      if (bytes < WORTH_RESERVING) return null;
      const id = newId();
      const row = { id, workspace_id: workspaceId, bytes, owner: self, lease_until: leases.end() };
      await database.transaction((trx) => space.reserve(trx, row));
      // An upload that loses its reservation is checked once more when the file is charged.
      const keeper = leases.keep({ ids: () => [id] });
      return {
        id,
        async release() {
          keeper.stop();
          await database.transaction((trx) => trx.deleteFrom('reservations').where('id', '=', id).execute());
        },
        spent: keeper.stop,
      };
    },
    hold: (trx, { id, workspaceId, bytes, until }) =>
      space.reserve(trx, { id, workspace_id: workspaceId, bytes, owner: null, lease_until: until }),
    freeBytes: (workspaceId, reservationId = null) => space.free(database.read, workspaceId, reservationId),
    async charge(trx, workspaceId, bytes, reservationId) {
      if (reservationId !== null)
        await trx.deleteFrom('reservations').where('id', '=', reservationId).execute();
      await space.use(trx, workspaceId, bytes);
    },
    async spend(trx, workspaceId, bytes, reservationId) {
      if (reservationId !== null) await reduceReservation(trx, reservationId, bytes);
      await space.use(trx, workspaceId, bytes);
    },
    async transfer(trx, { from, to, bytes, reservationId }) {
      await reduceReservation(trx, reservationId, bytes);
      await addBytes(trx, from, { used_bytes: -bytes });
      await addBytes(trx, to, { used_bytes: bytes });
    },
    async requireWithin(trx, workspaceId) {
      if ((await space.free(trx, workspaceId, null)) < 0) throw workspaceFull();
    },
    refund: (trx, workspaceId, bytes) => addBytes(trx, workspaceId, { used_bytes: -bytes }),
    async forget(owner) {
      await database.transaction((trx) =>
        trx.deleteFrom('reservations').where('owner', '=', owner).execute(),
      );
    },
    async sweep() {
      await database.transaction((trx) => trx.deleteFrom('reservations').where(leases.isFree()).execute());
    },
  };
}

async function reduceReservation(trx: Transaction, id: string, bytes: number): Promise<void> {
  await trx
    .updateTable('reservations')
    .set({ bytes: sql<number>`case when bytes > ${bytes} then bytes - ${bytes} else 0 end` })
    .where('id', '=', id)
    .execute();
}

type NewReservation = Omit<ReservationsTable, 'lease_until'> & { lease_until: number | RawBuilder<number> };

/** The space of a workspace: its quota less the bytes of its files and the reservations of running uploads. */
interface Space {
  /** @param except a reservation that does not count; null = all count */
  free(reader: Reader, workspaceId: string, except: string | null): Promise<number>;
  /** Locks the workspace and inserts a reservation. @throws Problem 507 when fewer bytes are free */
  reserve(trx: Transaction, row: NewReservation): Promise<void>;
  /** Counts `bytes` as used, with the workspace locked. @throws Problem 507 when they do not fit */
  use(trx: Transaction, workspaceId: string, bytes: number): Promise<void>;
}

function createSpace({ database, workspaceBytes }: QuotaDeps, leases: Leases): Space {
  async function free(reader: Reader, workspaceId: string, except: string | null): Promise<number> {
    const row = await reader
      .selectFrom('workspaces')
      .select(['used_bytes', 'max_bytes'])
      .where('id', '=', workspaceId)
      .executeTakeFirstOrThrow();
    let reservations = reader
      .selectFrom('reservations')
      .select((of) => of.fn.sum<number | null>('bytes').as('bytes'))
      .where('workspace_id', '=', workspaceId)
      .where(leases.isHeld());
    if (except !== null) reservations = reservations.where('id', '!=', except);
    const reserved = (await reservations.executeTakeFirst())?.bytes ?? 0;
    return (row.max_bytes ?? workspaceBytes) - row.used_bytes - reserved;
  }

  const addWithinQuota = database.prepare(
    (trx: Transaction, { workspaceId, bytes }: { workspaceId: string; bytes: number }) =>
      trx
        .updateTable('workspaces')
        .set((set) => ({ used_bytes: set('used_bytes', '+', bytes) }))
        .where('id', '=', workspaceId)
        .where((where) => {
          const reserved = where
            .selectFrom('reservations')
            .select((of) => of.fn.coalesce(of.fn.sum<number>('bytes'), of.lit(0)).as('bytes'))
            .where('workspace_id', '=', workspaceId)
            .where(leases.isHeld());
          return sql<boolean>`used_bytes + ${bytes} + ${reserved} <= coalesce(max_bytes, ${where.lit(workspaceBytes)})`;
        })
        .returning('id'),
  );

  return {
    free,
    async reserve(trx, row) {
      await lockWorkspace(database, trx, row.workspace_id);
      if ((await free(trx, row.workspace_id, null)) < row.bytes) throw workspaceFull();
      await trx.insertInto('reservations').values(row).execute();
    },
    async use(trx, workspaceId, bytes) {
      const [used] = await addWithinQuota(trx, { workspaceId, bytes });
      if (!used) throw workspaceFull();
    },
  };
}

/** 507: the workspace has no space for the file. */
export function workspaceFull(): Problem {
  return new Problem('quota_exceeded', 'The workspace does not have enough space for this file.');
}
