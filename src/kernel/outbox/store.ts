import { type Selectable, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { DAY, SECOND } from '../clock.ts';
import type { Vault } from '../crypto/vault.ts';
import type { Database, Reader, Transaction } from '../database/database.ts';
import { withoutSecrets } from '../log.ts';
import type { OutboxTable } from '../tables.ts';
import { backoffMs } from './backoff.ts';
import type { Claimed, Delivery, NewMessage, OutboxMessage } from './message.ts';

export const LEASE_MS = 30 * SECOND;
const DEADLINE_MS = DAY;
/** A message that failed this often lets those behind it pass. */
const STEPS_ASIDE_AFTER = 5;
const SECRET_PURPOSE = 'outbox secret';

interface StoreParts {
  database: Database;
  vault: Vault;
  clock: Clock;
  /** This process, for its leases. */
  node: string;
}

/** The outbox table: rows in, leases, end states. */
export interface OutboxStore {
  add(trx: Transaction, messages: readonly NewMessage[]): Promise<void>;
  /** Leases at most `limit` rows of `kind` that are due. */
  claim(kind: string, limit: number): Promise<Claimed[]>;
  /** When the next row of `kind` will be due; null = none waits. */
  nextDue(kind: string): Promise<number | null>;
  renew(ids: readonly string[]): Promise<void>;
  /** Notes how an attempt ended; does nothing when the lease went to another. Gives the row as it then stands. */
  settle(message: Claimed, delivery: Delivery): Promise<OutboxMessage | null>;
  /** Gives back the leases of this process, uncounted. */
  release(ids: readonly string[]): Promise<void>;
  /** The parts of a message, in order; empty = unknown. */
  parts(reader: Reader, messageId: string): Promise<OutboxMessage[]>;
  /** Cancels the rows of a message that wait and are not under way. Gives how many. */
  cancel(trx: Transaction, messageId: string): Promise<number>;
}

export function createOutboxStore({ database, vault, clock, node }: StoreParts): OutboxStore {
  /** Order within a lane is decided by one transaction at a time; on SQLite all are. */
  async function lockLane(trx: Transaction, lane: string): Promise<void> {
    if (database.kind === 'postgres') await sql`select pg_advisory_xact_lock(hashtextextended(${lane}, 7))`.execute(trx);
  }

  /** Lets the first blocked row of the lane go, unless a row that has not stepped aside is still in front. */
  async function unblockNext(trx: Transaction, lane: string): Promise<void> {
    const waiting = () =>
      trx.selectFrom('outbox').select('id').where('lane', '=', lane).where('status', '=', 'queued').orderBy('id').limit(1);
    const head = await waiting().where('blocked', '=', 0).where('attempts', '<', STEPS_ASIDE_AFTER).executeTakeFirst();
    if (head) return;
    const next = await waiting().where('blocked', '=', 1).executeTakeFirst();
    if (next) await trx.updateTable('outbox').set({ blocked: 0 }).where('id', '=', next.id).execute();
  }

  return {
    async add(trx, messages) {
      const now = clock.now();
      const lanes = [...new Set(messages.flatMap(({ lane }) => lane ?? []))].sort();
      const occupied = new Set<string>();
      for (const lane of lanes) {
        await lockLane(trx, lane);
        const ahead = await trx
          .selectFrom('outbox')
          .select('id')
          .where('lane', '=', lane)
          .where('status', '=', 'queued')
          .where('attempts', '<', STEPS_ASIDE_AFTER)
          .limit(1)
          .executeTakeFirst();
        if (ahead) occupied.add(lane);
      }
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
          status: 'queued' as const,
          payload: JSON.stringify(message.payload),
          secret: message.secret === undefined ? null : vault.seal(SECRET_PURPOSE, message.secret),
          attempts: 0,
          next_attempt_at: notBefore,
          deadline_at: notBefore + DEADLINE_MS,
          sandbox: message.sandbox ? 1 : 0,
          date_created: now,
        };
      });
      await trx.insertInto('outbox').values(rows).execute();
    },

    claim(kind, limit) {
      return database.transaction(async (trx) => {
        const now = clock.now();
        let due = trx
          .selectFrom('outbox')
          .select('id')
          .where('kind', '=', kind)
          .where('status', '=', 'queued')
          .where('blocked', '=', 0)
          .where('next_attempt_at', '<=', now)
          .where((where) => where.or([where('lease_until', 'is', null), where('lease_until', '<', now)]))
          .orderBy('next_attempt_at')
          .limit(limit);
        if (database.kind === 'postgres') due = due.forUpdate().skipLocked();
        const rows = await trx
          .updateTable('outbox')
          .set({ lease_owner: node, lease_until: now + LEASE_MS })
          .where('id', 'in', due)
          .returningAll()
          .execute();
        return rows
          .map((row) => ({ ...fromRow(row), secret: row.secret === null ? null : vault.open(SECRET_PURPOSE, row.secret) }))
          .sort((a, b) => (a.id < b.id ? -1 : 1));
      });
    },

    async nextDue(kind) {
      const row = await database.read
        .selectFrom('outbox')
        .select(['next_attempt_at', 'lease_until'])
        .where('kind', '=', kind)
        .where('status', '=', 'queued')
        .where('blocked', '=', 0)
        .where((where) => where.or([where('lease_owner', 'is', null), where('lease_owner', '!=', node)]))
        .orderBy('next_attempt_at')
        .limit(1)
        .executeTakeFirst();
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

    settle(message, delivery) {
      return database.transaction(async (trx) => {
        if (message.lane !== null) await lockLane(trx, message.lane);
        const change = changeAfter(message, delivery, clock.now());
        const row = await trx
          .updateTable('outbox')
          .set({ ...change, lease_owner: null, lease_until: null })
          .where('id', '=', message.id)
          .where('lease_owner', '=', node)
          .where('status', '=', 'queued')
          .returningAll()
          .executeTakeFirst();
        if (!row) return null;
        const passes = row.status !== 'queued' || (delivery.outcome === 'later' && row.attempts >= STEPS_ASIDE_AFTER);
        if (row.lane !== null && passes) await unblockNext(trx, row.lane);
        return fromRow(row);
      });
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

    async parts(reader, messageId) {
      const rows = await reader.selectFrom('outbox').selectAll().where('message_id', '=', messageId).orderBy('part').execute();
      return rows.map(fromRow);
    },

    async cancel(trx, messageId) {
      const now = clock.now();
      const lanes = await trx.selectFrom('outbox').select('lane').distinct().where('message_id', '=', messageId).execute();
      for (const { lane } of lanes) if (lane !== null) await lockLane(trx, lane);
      const rows = await trx
        .updateTable('outbox')
        .set({ status: 'cancelled', secret: null, date_finished: now })
        .where('message_id', '=', messageId)
        .where('status', '=', 'queued')
        .where((where) => where.or([where('lease_until', 'is', null), where('lease_until', '<', now)]))
        .returning('lane')
        .execute();
      for (const lane of new Set(rows.flatMap((row) => row.lane ?? []))) await unblockNext(trx, lane);
      return rows.length;
    },
  };
}

type Change = Partial<Selectable<OutboxTable>>;

function changeAfter(message: Claimed, delivery: Delivery, now: number): Change {
  const attempts = message.attempts + 1;
  const end = { attempts, secret: null, date_finished: now };
  switch (delivery.outcome) {
    case 'sent':
      return { ...end, status: 'sent', error_code: null, error: null, result: json(delivery.result) };
    case 'refused':
      return { ...end, status: 'failed', error_code: delivery.code, error: withoutSecrets(delivery.reason), result: json(delivery.result) };
    case 'unknown':
      return { ...end, status: 'unknown', error_code: 'no_answer', error: withoutSecrets(delivery.reason) };
    case 'held':
      if (now >= message.deadlineAt) return { ...end, status: 'failed', error_code: 'deadline', error: withoutSecrets(delivery.reason) };
      return { next_attempt_at: Math.min(delivery.untilMs, message.deadlineAt), error: withoutSecrets(delivery.reason) };
    case 'later': {
      const error = { error_code: delivery.code, error: withoutSecrets(delivery.reason) };
      if (now >= message.deadlineAt) return { ...end, ...error, status: 'failed' };
      const next = Math.min(now + backoffMs(attempts, delivery.retryAfterMs ?? null), message.deadlineAt);
      return {
        ...error,
        attempts,
        next_attempt_at: next,
        ...(delivery.payload === undefined ? {} : { payload: JSON.stringify(delivery.payload) }),
      };
    }
  }
}

function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

function fromRow(row: Selectable<OutboxTable>): OutboxMessage {
  return {
    id: row.id,
    messageId: row.message_id,
    part: row.part,
    kind: row.kind,
    clientId: row.client_id,
    lane: row.lane,
    status: row.status,
    payload: JSON.parse(row.payload) as unknown,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    deadlineAt: row.deadline_at,
    errorCode: row.error_code,
    error: row.error,
    result: row.result === null ? null : (JSON.parse(row.result) as unknown),
    sandbox: row.sandbox === 1,
    dateCreated: row.date_created,
    dateFinished: row.date_finished,
  };
}
