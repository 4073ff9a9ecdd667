import { type RawBuilder, type Selectable, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Database, Tables, Transaction } from '../database/database.ts';
import { createJsonTable } from '../database/json-table.ts';
import { after } from '../database/now.ts';
import { isOneOf, isUnlockedOf } from '../database/unlocked.ts';
import type { Leases } from '../leases/leases.ts';
import type { OutboxTable } from '../tables.ts';
import { STEPS_ASIDE_AFTER } from './lane-queries.ts';
import { type Lanes, lanesOf } from './lanes.ts';
import { OVERDUE_MS, QUEUED, UNBLOCKED } from './rows.ts';

export type ClaimedRow = Selectable<OutboxTable> & { is_overdue: number };

/** The due rows to claim. */
export interface Claim {
  kind: string;
  /** Maximum number of runs. */
  runs: number;
  /** Maximum number of further runs if more rows are due: one for each client that has none under way. */
  extra: number;
  /** Clients with runs under way; '' = none. */
  busy: readonly string[];
  /** Maximum number of rows of a run. */
  length: number;
}

export interface ClaimRunsDeps {
  database: Database;
  lanes: Lanes;
  leases: Leases;
  /** Holder of the leases. */
  node: string;
}

/**
 * Returns a function that leases rows in runs: unblocked rows, each with those behind it in its lane. A run leaves out
 * rows that are not due, and those after the first part of a message, which are cancelled when the first is refused.
 */
export function createClaimRuns(
  deps: ClaimRunsDeps,
): (trx: Transaction, claim: Claim) => Promise<ClaimedRow[][]> {
  const { lanes } = deps;
  const claimOldest = prepareOldest(deps);
  const claimOthers = createClaimOthers(deps);
  const claimBehind = createClaimBehind(deps);
  return async (trx, { kind, runs, extra, busy, length }) => {
    const oldest = runs > 0 ? await claimOldest(trx, { kind, runs }) : [];
    // Fewer rows than requested are all that were due.
    const isBacklog = oldest.length === runs && extra > 0;
    const clients = [...busy, ...oldest.map(clientOf)];
    const others = isBacklog ? await claimOthers(trx, { kind, extra, busy: clients }) : [];
    const first = [...oldest, ...others].sort((a, b) => (a.id < b.id ? -1 : 1));
    // A row that kills the process at each attempt must not block its lane either.
    await lanes.unblockNext(trx, lanesOf(first.filter(hasSteppedAside)));
    const heads = first.filter((row) => row.lane !== null && !hasSteppedAside(row));
    const behind = length > 1 ? await claimBehind(trx, heads, length) : [];
    const byLane = Map.groupBy(
      behind.sort((a, b) => a.position - b.position),
      ({ lane }) => lane,
    );
    return first.map((row) => {
      if (!heads.includes(row)) return [row];
      const run = [row, ...(byLane.get(row.lane) ?? [])];
      byLane.delete(row.lane);
      return run;
    });
  };
}

const hasSteppedAside = ({ attempts }: ClaimedRow) => attempts >= STEPS_ASIDE_AFTER;

/** Returns the client of a row; '' = none. */
const clientOf = ({ client_id }: Pick<ClaimedRow, 'client_id'>) => client_id ?? '';

function prepareOldest({ database, leases, node }: ClaimRunsDeps) {
  return database.prepare((trx: Transaction, { kind, runs }: { kind: string; runs: number }) =>
    leaseAll(
      { database, leases, node },
      trx,
      trx
        .selectFrom('outbox')
        .select('id')
        .where('kind', '=', kind)
        .where('status', '=', QUEUED)
        .where('blocked', '=', UNBLOCKED)
        .where('next_attempt_at', '<=', database.now)
        .where(leases.isFree())
        .orderBy('next_attempt_at')
        .limit(runs),
    ),
  );
}

/**
 * Returns a function that leases the oldest due row of each client that is not busy, so that the backlog of one client
 * does not delay the others. The order is random: where there are more clients than rows to lease, each has its turn.
 */
function createClaimOthers(deps: ClaimRunsDeps) {
  const { database, leases } = deps;
  const table = createJsonTable(database.kind, 'busy', { name: 'text' });
  const claim = database.prepare(
    (trx: Transaction, { kind, extra, busy }: { kind: string; extra: number; busy: string }) => {
      const waiting = sql`from outbox where kind = ${kind} and status = 'queued' and blocked = 0`;
      const client = sql`coalesce(client_id, '')`;
      // Looks up each client in the index, past its rows.
      const ids = sql`
        with recursive clients(name) as (
          select (select ${client} ${waiting} order by ${client} limit 1)
          union all
          select (select ${client} ${waiting} and ${client} > name order by ${client} limit 1)
          from clients where name is not null
        )
        select id from (
          select (
            select id ${waiting} and ${client} = name and next_attempt_at <= ${database.now} and ${leases.isFree()}
            order by next_attempt_at limit 1
          ) as id
          from clients where name is not null and name not in (select name from ${table.over(busy)})
        ) as oldest
        where id is not null order by random() limit ${extra}`;
      return leaseAll(deps, trx, dueAmong(deps, trx, ids, UNBLOCKED));
    },
  );
  return (trx: Transaction, { kind, extra, busy }: Pick<Claim, 'kind' | 'extra' | 'busy'>) =>
    claim(trx, { kind, extra, busy: table.encode(busy.map((name) => ({ name }))) });
}

function createClaimBehind(deps: ClaimRunsDeps) {
  const { database } = deps;
  const table = createJsonTable(database.kind, 'positions', { name: 'text', following: 'bigint' });
  const claim = database.prepare((trx: Transaction, { positions }: { positions: string }) => {
    // Looked up by index one by one, at any size of the table.
    const ids = sql`
      select (
        select id from outbox where lane = name and status = 'queued' and blocked = 1 and position = following limit 1
      )
      from ${table.over(positions)}`;
    return leaseAll(deps, trx, dueAmong(deps, trx, ids, sql.lit(1)).where('part', '=', sql.lit(0)));
  });
  return async (trx: Transaction, heads: readonly ClaimedRow[], length: number): Promise<ClaimedRow[]> => {
    if (heads.length === 0) return [];
    const positions = heads.flatMap(({ lane, position }) =>
      Array.from({ length: length - 1 }, (_, index) => ({ name: lane, following: position + 1 + index })),
    );
    return await claim(trx, { positions: table.encode(positions) });
  };
}

/** Starts a query for the rows with these ids that are due and that no process has leased. */
function dueAmong(
  { database, leases }: Pick<ClaimRunsDeps, 'database' | 'leases'>,
  trx: Transaction,
  ids: RawBuilder<unknown>,
  blocked: RawBuilder<number>,
) {
  return (
    trx
      .selectFrom('outbox')
      .select('id')
      .where(sql<SqlBool>`id ${isOneOf(database.kind, ids)}`)
      // PostgreSQL checks only these again when another transaction has changed the row meanwhile.
      .where('status', '=', QUEUED)
      .where('blocked', '=', blocked)
      .where('next_attempt_at', '<=', database.now)
      .where(leases.isFree())
  );
}

/** Leases the rows of `query`, unless another transaction has locked them, and returns them. */
function leaseAll<Selected>(
  { database, leases, node }: Pick<ClaimRunsDeps, 'database' | 'leases' | 'node'>,
  trx: Transaction,
  query: SelectQueryBuilder<Tables, 'outbox', Selected>,
) {
  return trx
    .updateTable('outbox')
    .set({
      // A lease that expired counts as an attempt that the peer may have received, unless a row before it was not
      // sent.
      attempts: sql<number>`attempts + case when lease_owner is null or blocked = 1 then 0 else 1 end`,
      lease_owner: node,
      lease_until: leases.end(),
    })
    .where(isUnlockedOf(database, query))
    .returningAll()
    .returning(
      sql<number>`case when deadline_at < ${after(database, -OVERDUE_MS)} then 1 else 0 end`.as('is_overdue'),
    );
}
