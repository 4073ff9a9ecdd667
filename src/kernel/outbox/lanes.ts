import type { Transaction } from '../database/database.ts';
import { createLaneTable, type LanesDeps, prepareLaneQueries } from './lane-queries.ts';

/** Position of a row in the order of its lane. */
export interface LanePosition {
  /** Greater than that of all queued rows of the lane; 0 = the row has no lane. */
  position: number;
  /** 1 while an earlier row of the lane blocks this one. */
  blocked: 0 | 1;
}

/** A row that may belong to a lane. */
interface Laned {
  lane: string | null;
}

/** Position of a row without a lane. */
export const NO_LANE: LanePosition = { position: 0, blocked: 0 };

/**
 * Delivery order within a lane: its first row is unblocked, those behind it are blocked until it is final or has failed
 * five times. Positions are assigned under the lane's lock, so their order is that of the commits, regardless of the
 * clocks of the nodes. The literal `status = 'queued'` in each query lets SQLite use the partial index.
 */
export interface Lanes {
  /** Locks these lanes for the rest of the transaction. On SQLite one transaction runs at a time anyway. */
  lock(trx: Transaction, lanes: readonly string[]): Promise<void>;
  /** Locks the lanes of new rows and returns the positions of the rows, in the same order. */
  assignPositions(trx: Transaction, rows: readonly Laned[]): Promise<LanePosition[]>;
  /** Unblocks the first blocked row of each lane, unless an unblocked row with fewer than five failures precedes it. */
  unblockNext(trx: Transaction, lanes: readonly string[]): Promise<void>;
}

/** The lanes of some rows, without the rows that have none. */
export function lanesOf(rows: readonly Laned[]): string[] {
  return rows.flatMap(({ lane }) => lane ?? []);
}

export function createLanes(database: LanesDeps): Lanes {
  const { kind } = database;
  const table = createLaneTable(kind);
  const queries = prepareLaneQueries(database, table);

  async function lock(trx: Transaction, lanes: readonly string[]): Promise<void> {
    if (kind === 'postgres' && lanes.length > 0) await queries.lock(trx, { lanes: table.encode(lanes) });
  }

  return {
    lock,
    async assignPositions(trx, rows) {
      const named = lanesOf(rows);
      if (named.length === 0) return rows.map(() => NO_LANE);
      await lock(trx, named);
      const found = await queries.states(trx, { lanes: table.encode(named) });
      const states = new Map(
        found.map(({ name, last, occupied }) => [name, { last: last ?? 0, occupied: occupied === 1 }]),
      );
      return rows.map(({ lane }) => {
        const state = lane === null ? undefined : states.get(lane);
        if (!state) return NO_LANE;
        const blocked = state.occupied ? 1 : 0;
        state.occupied = true;
        return { position: ++state.last, blocked };
      });
    },
    async unblockNext(trx, lanes) {
      if (lanes.length > 0) await queries.unblock(trx, { lanes: table.encode(lanes) });
    },
  };
}
