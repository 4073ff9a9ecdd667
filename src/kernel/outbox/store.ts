import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { DAY, SECOND } from '../clock.ts';
import type { Vault } from '../crypto/vault.ts';
import type { Database, Reader, Transaction } from '../database/database.ts';
import { listed } from '../database/listed.ts';
import { withoutSecrets } from '../log.ts';
import type { OutboxTable } from '../tables.ts';
import { backoffMs } from './backoff.ts';
import { createLanes, STEPS_ASIDE_AFTER } from './lanes.ts';
import type { Claimed, Delivery, NewMessage, OutboxMessage } from './message.ts';

export const LEASE_MS = 30 * SECOND;
const DEADLINE_MS = DAY;
const NEW_ROW = {
  id: 'text',
  message_id: 'text',
  part: 'bigint',
  kind: 'text',
  client_id: 'text',
  lane: 'text',
  blocked: 'bigint',
  status: 'text',
  payload: 'text',
  secret: 'text',
  attempts: 'bigint',
  next_attempt_at: 'bigint',
  deadline_at: 'bigint',
  sandbox: 'bigint',
  date_created: 'bigint',
} as const;
const SECRET_PURPOSE = 'outbox secret';
// In the text of a query, not as parameters: only so does SQLite see that the partial index serves it.
const QUEUED = sql.lit('queued' as const);
const FREE = sql.lit(0);

/** The error code of a row that was not tried: nothing went wrong with it. */
export const HELD = 'held';

interface StoreParts {
  database: Database;
  vault: Vault;
  clock: Clock;
  /** This process, for its leases. */
  node: string;
}

/** An attempt that ended. */
export interface Attempt {
  message: Claimed;
  delivery: Delivery;
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
  /** Makes the free rows of these lanes due now. */
  hasten(trx: Transaction, lanes: readonly string[]): Promise<void>;
}

export function createOutboxStore({ database, vault, clock, node }: StoreParts): OutboxStore {
  const lanes = createLanes(database.kind);

  /** The usual end, of all that have it in one statement. */
  async function settleSent(trx: Transaction, ended: readonly Attempt[], now: number): Promise<(message: Claimed) => Settled | null> {
    if (ended.length === 0) return () => null;
    const rows = ended.map(({ message, delivery }) => ({
      id: message.id,
      answer: json(delivery.outcome === 'sent' ? delivery.result : undefined),
    }));
    const noted = await sql<{ id: string; attempts: number; next_attempt_at: number }>`
      update outbox set
        status = 'sent', attempts = attempts + 1, secret = null, error_code = null, error = null,
        result = answer, date_finished = ${now}, lease_owner = null, lease_until = null
      from ${listed(database.kind, 'peer', { id: 'text', answer: 'text' }, rows)}
      where outbox.id = peer.id and lease_owner = ${node} and status = 'queued'
      returning outbox.id, attempts, next_attempt_at`.execute(trx);
    const byId = new Map(noted.rows.map((row) => [row.id, row]));
    return ({ id }) => {
      const row = byId.get(id);
      return row ? { ...row, status: 'sent', error_code: null, error: null, date_finished: now } : null;
    };
  }

  async function settleOther(
    trx: Transaction,
    message: Claimed,
    delivery: Exclude<Delivery, { outcome: 'sent' }>,
    now: number,
  ): Promise<Settled | null> {
    const row = await trx
      .updateTable('outbox')
      .set({ ...changeAfter(message, delivery, now), lease_owner: null, lease_until: null })
      .where('id', '=', message.id)
      .where('lease_owner', '=', node)
      .where('status', '=', QUEUED)
      .returning(['status', 'attempts', 'next_attempt_at', 'error_code', 'error', 'date_finished'])
      .executeTakeFirst();
    return row ?? null;
  }

  async function settle(trx: Transaction, ended: readonly Attempt[]): Promise<(OutboxMessage | null)[]> {
    const now = clock.now();
    await lanes.lock(
      trx,
      ended.flatMap(({ message }) => message.lane ?? []),
    );
    const sent = await settleSent(
      trx,
      ended.filter(({ delivery }) => delivery.outcome === 'sent'),
      now,
    );
    const passing: string[] = [];
    const settled: (OutboxMessage | null)[] = [];
    for (const { message, delivery } of ended) {
      const row = delivery.outcome === 'sent' ? sent(message) : await settleOther(trx, message, delivery, now);
      settled.push(row ? afterSettling(message, delivery, row) : null);
      const passes = row && (row.status !== 'queued' || (delivery.outcome === 'later' && row.attempts >= STEPS_ASIDE_AFTER));
      if (message.lane !== null && passes) passing.push(message.lane);
    }
    await lanes.unblockNext(trx, passing);
    return settled;
  }

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
      return database.transaction(async (trx) => {
        const settled = ended.length > 0 ? await settle(trx, ended) : [];
        return { settled, claimed: limit > 0 ? await claim(trx, kind, limit) : [] };
      });
    },

    async nextDue(kind) {
      const row = await database.read
        .selectFrom('outbox')
        .select(['next_attempt_at', 'lease_until'])
        .where('kind', '=', kind)
        .where('status', '=', QUEUED)
        .where('blocked', '=', FREE)
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

    hasten: (trx, named) => lanes.hasten(trx, named, clock.now()),
  };
}

type Settled = Pick<Selectable<OutboxTable>, 'status' | 'attempts' | 'next_attempt_at' | 'error_code' | 'error' | 'date_finished'>;

function afterSettling({ secret: _, ...message }: Claimed, delivery: Delivery, row: Settled): OutboxMessage {
  return {
    ...message,
    status: row.status,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    errorCode: row.error_code,
    error: row.error,
    result: 'result' in delivery && delivery.result !== undefined ? delivery.result : message.result,
    dateFinished: row.date_finished,
  };
}

type Change = Omit<Partial<Selectable<OutboxTable>>, 'next_attempt_at'> & { next_attempt_at?: number | RawBuilder<number> };

function changeAfter(message: Claimed, delivery: Exclude<Delivery, { outcome: 'sent' }>, now: number): Change {
  const attempts = message.attempts + 1;
  const end = { attempts, secret: null, date_finished: now };
  switch (delivery.outcome) {
    case 'refused':
      return { ...end, status: 'failed', error_code: delivery.code, error: wordsOf(delivery), result: json(delivery.result) };
    case 'unknown':
      return { ...end, status: 'unknown', error_code: 'no_answer', error: wordsOf(delivery) };
    case 'held':
      if (now >= message.deadlineAt) return { ...end, status: 'failed', error_code: 'deadline', error: wordsOf(delivery) };
      return {
        // Who hastened it while it was under way knew better than what this attempt saw.
        next_attempt_at: sql<number>`case when next_attempt_at = ${message.nextAttemptAt} then ${Math.min(delivery.untilMs, message.deadlineAt)} else next_attempt_at end`,
        error_code: HELD,
        error: wordsOf(delivery),
      };
    case 'later': {
      const error = { error_code: delivery.code, error: wordsOf(delivery) };
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

/** A peer's words as they may be kept; PostgreSQL takes no NUL. */
function wordsOf({ reason }: { reason: string }): string {
  return withoutSecrets(reason).replaceAll('\u0000', '');
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
