import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { DAY, SECOND } from '../clock.ts';
import type { Vault } from '../crypto/vault.ts';
import type { Database, Reader, Transaction } from '../database/database.ts';
import { listed } from '../database/listed.ts';
import { prepare } from '../database/prepared.ts';
import { createLanes, STEPS_ASIDE_AFTER } from './lanes.ts';
import type { Claimed, NewMessage, OutboxMessage } from './message.ts';
import { FREE, fromRow, NEW_ROW, QUEUED } from './rows.ts';
import { type Attempt, createSettle } from './settling.ts';

export const LEASE_MS = 30 * SECOND;
/** From when a message is due; then it fails. */
export const DEADLINE_MS = DAY;
const SECRET_PURPOSE = 'outbox secret';

/**
 * While this many are stored together, callers wait in a queue for the disk; then a turn shares their commit rather than take
 * one of its own in between. The time is less than what a delivery takes.
 */
const MANY = 8;
const CROWDED_MS = 50;
const PATIENCE_MS = 3;

interface StoreParts {
  database: Database;
  vault: Vault;
  clock: Clock;
  /** This process, for its leases. */
  node: string;
}

export interface Turn {
  /** The rows as they stand after their attempts, in the same order; null = the lease went to another. */
  settled: (OutboxMessage | null)[];
  claimed: Claimed[];
}

/** The outbox table: rows in, leases, end states. */
export interface OutboxStore {
  add(trx: Transaction, messages: readonly NewMessage[]): Promise<void>;
  /**
   * Notes how attempts ended and leases at most `limit` rows of `kind` that are due, in one transaction. An attempt whose
   * lease went to another is not noted.
   */
  turn(kind: string, ended: readonly Attempt[], limit: number): Promise<Turn>;
  /** When the next row of `kind` will be due; null = none waits. */
  nextDue(kind: string): Promise<number | null>;
  renew(ids: readonly string[]): Promise<void>;
  /** Gives back the leases of this process, uncounted. */
  release(ids: readonly string[]): Promise<void>;
  /** The parts of a message, in order; empty = unknown. */
  parts(reader: Reader, messageId: string): Promise<OutboxMessage[]>;
  /** The parts of several messages by their ids. */
  partsOf(reader: Reader, messageIds: readonly string[]): Promise<Map<string, OutboxMessage[]>>;
  /** Cancels the rows of a message that wait and are not under way. Gives how many. */
  cancel(trx: Transaction, messageId: string): Promise<number>;
  /** Lets the ended rows of a message wait again: those that did not go through, or all when all did. Gives their kind; null = unknown or not ended. */
  reopen(trx: Transaction, messageId: string): Promise<string | null>;
  /** How many rows of `kind` each lane got since `since`, ms since the epoch. */
  lanesSince(kind: string, since: number): Promise<Map<string, number>>;
  /** Makes the free rows of these lanes due now. */
  hasten(trx: Transaction, lanes: readonly string[]): Promise<void>;
}

export function createOutboxStore({ database, vault, clock, node }: StoreParts): OutboxStore {
  const lanes = createLanes(database.kind);
  const settle = createSettle(database.kind, lanes, node);
  let crowdedUntil = 0;
  const next = prepare(database, (reader, { kind, node: own }: { kind: string; node: string }) =>
    reader
      .selectFrom('outbox')
      .select(['next_attempt_at', 'lease_until'])
      .where('kind', '=', kind)
      .where('status', '=', QUEUED)
      .where('blocked', '=', FREE)
      .where((where) => where.or([where('lease_owner', 'is', null), where('lease_owner', '!=', own)]))
      .orderBy('next_attempt_at')
      .limit(sql.lit(1)),
  );

  async function claim(trx: Transaction, kind: string, limit: number): Promise<Claimed[]> {
    const now = clock.now();
    let due = trx
      .selectFrom('outbox')
      .select('id')
      .where('kind', '=', kind)
      .where('status', '=', QUEUED)
      .where('blocked', '=', FREE)
      .where('next_attempt_at', '<=', now)
      .where((where) => where.or([where('lease_until', 'is', null), where('lease_until', '<', now)]))
      .orderBy('next_attempt_at')
      .limit(limit);
    if (database.kind === 'postgres') due = due.forUpdate().skipLocked();
    const rows = await trx
      .updateTable('outbox')
      .set({
        // A lease that ran out was a process that died in the middle of an attempt, which may have reached the peer.
        attempts: sql<number>`attempts + case when lease_owner is null then 0 else 1 end`,
        lease_owner: node,
        lease_until: now + LEASE_MS,
      })
      .where('id', 'in', due)
      .returningAll()
      .execute();
    // One that kills the process every time must not hold up its lane either.
    const deadly = rows.filter(({ attempts }) => attempts >= STEPS_ASIDE_AFTER);
    await lanes.unblockNext(
      trx,
      deadly.flatMap(({ lane }) => lane ?? []),
    );
    return rows
      .map((row) => ({ ...fromRow(row), secret: row.secret === null ? null : vault.open(SECRET_PURPOSE, row.secret) }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  return {
    async add(trx, messages) {
      if (messages.length === 0) return;
      const now = clock.now();
      if (messages.length >= MANY) crowdedUntil = performance.now() + CROWDED_MS;
      const named = messages.flatMap(({ lane }) => lane ?? []);
      await lanes.lock(trx, named);
      const occupied = await lanes.occupied(trx, named);
      const rows = messages.map((message) => {
        const notBefore = Math.max(now, message.notBefore ?? 0);
        const blocked = message.lane !== null && occupied.has(message.lane) ? 1 : 0;
        if (message.lane !== null) occupied.add(message.lane);
        return {
          id: message.id,
          message_id: message.messageId,
          part: message.part,
          kind: message.kind,
          client_id: message.clientId,
          lane: message.lane,
          blocked,
          status: 'queued',
          payload: JSON.stringify(message.payload),
          secret: message.secret === undefined ? null : vault.seal(SECRET_PURPOSE, message.secret),
          attempts: 0,
          next_attempt_at: notBefore,
          deadline_at: notBefore + DEADLINE_MS,
          sandbox: message.sandbox ? 1 : 0,
          date_created: now,
        };
      });
      const names = sql.join(Object.keys(NEW_ROW).map((name) => sql.ref(name)));
      await sql`insert into outbox (${names}) select ${names} from ${listed(database.kind, 'arrived', NEW_ROW, rows)}`.execute(trx);
    },

    turn(kind, ended, limit) {
      const patience = performance.now() < crowdedUntil ? PATIENCE_MS : 0;
      return database.transaction(async (trx) => {
        const settled = ended.length > 0 ? await settle(trx, ended, clock.now()) : [];
        return { settled, claimed: limit > 0 ? await claim(trx, kind, limit) : [] };
      }, patience);
    },

    async nextDue(kind) {
      const [row] = await next({ kind, node });
      return row ? Math.max(row.next_attempt_at, row.lease_until ?? 0) : null;
    },

    async renew(ids) {
      if (ids.length === 0) return;
      await database.transaction((trx) =>
        trx
          .updateTable('outbox')
          .set({ lease_until: clock.now() + LEASE_MS })
          .where('id', 'in', ids)
          .where('lease_owner', '=', node)
          .execute(),
      );
    },

    async release(ids) {
      if (ids.length === 0) return;
      await database.transaction((trx) =>
        trx
          .updateTable('outbox')
          .set({ lease_owner: null, lease_until: null })
          .where('id', 'in', ids)
          .where('lease_owner', '=', node)
          .execute(),
      );
    },

    async partsOf(reader, messageIds) {
      const rows = await reader.selectFrom('outbox').selectAll().where('message_id', 'in', messageIds).orderBy('part').execute();
      return Map.groupBy(rows.map(fromRow), ({ messageId }) => messageId);
    },

    async parts(reader, messageId) {
      const rows = await reader.selectFrom('outbox').selectAll().where('message_id', '=', messageId).orderBy('part').execute();
      return rows.map(fromRow);
    },

    async reopen(trx, messageId) {
      const rows = await trx
        .selectFrom('outbox')
        .select(['id', 'kind', 'lane', 'status'])
        .where('message_id', '=', messageId)
        .orderBy('part')
        .execute();
      const [first] = rows;
      if (!first || rows.some((row) => row.status === 'queued')) return null;
      const unsent = rows.filter((row) => row.status !== 'sent');
      const now = clock.now();
      const again = unsent.length > 0 ? unsent : rows;
      const named = again.flatMap(({ lane }) => lane ?? []);
      await lanes.lock(trx, named);
      const occupied = await lanes.occupied(trx, named);
      for (const { id, lane } of again) {
        const blocked = lane !== null && occupied.has(lane) ? 1 : 0;
        if (lane !== null) occupied.add(lane);
        await trx
          .updateTable('outbox')
          .set({
            status: 'queued',
            blocked,
            attempts: 0,
            next_attempt_at: now,
            deadline_at: now + DEADLINE_MS,
            date_finished: null,
            error: null,
            error_code: null,
          })
          .where('id', '=', id)
          .execute();
      }
      return first.kind;
    },

    async cancel(trx, messageId) {
      const now = clock.now();
      const concerned = await trx.selectFrom('outbox').select('lane').distinct().where('message_id', '=', messageId).execute();
      await lanes.lock(
        trx,
        concerned.flatMap(({ lane }) => lane ?? []),
      );
      const rows = await trx
        .updateTable('outbox')
        .set({ status: 'cancelled', secret: null, date_finished: now })
        .where('message_id', '=', messageId)
        .where('status', '=', 'queued')
        .where((where) => where.or([where('lease_until', 'is', null), where('lease_until', '<', now)]))
        .returning('lane')
        .execute();
      await lanes.unblockNext(
        trx,
        rows.flatMap((row) => row.lane ?? []),
      );
      return rows.length;
    },

    async lanesSince(kind, since) {
      const rows = await database.read
        .selectFrom('outbox')
        .select((of) => ['lane', of.fn.countAll<number>().as('count')])
        .where('kind', '=', kind)
        .where('date_created', '>=', since)
        .groupBy('lane')
        .execute();
      return new Map(rows.flatMap(({ lane, count }) => (lane === null ? [] : [[lane, Number(count)] as const])));
    },

    hasten: (trx, named) => lanes.hasten(trx, named, clock.now()),
  };
}
