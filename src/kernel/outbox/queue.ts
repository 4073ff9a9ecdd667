import { type Expression, sql } from 'kysely';
import type { Vault } from '../crypto/vault.ts';
import type { Database, Transaction } from '../database/database.ts';
import { prepareInsert } from '../database/prepare-insert.ts';
import type { Leases } from '../leases/leases.ts';
import { createLaneTable } from './lane-queries.ts';
import { type LanePosition, type Lanes, lanesOf, NO_LANE } from './lanes.ts';
import type { NewMessage } from './message.ts';
import { isFinal } from './message-status.ts';
import { DEADLINE_MS, QUEUED, SECRET_PURPOSE, UNBLOCKED } from './rows.ts';

interface QueueDeps {
  database: Pick<Database, 'kind' | 'now' | 'prepare'>;
  vault: Vault;
  lanes: Lanes;
  leases: Leases;
}

/** Changes to the outbox in a transaction of the caller. */
export interface Queue {
  /** Stores rows. Call `wake` with their kind after the commit. */
  add(trx: Transaction, messages: readonly NewMessage[]): Promise<void>;
  /**
   * Queues a finished message again, behind the other rows of its lane: the parts that were not sent, or all when
   * all were. Returns the kind to `wake` after the commit; null = unknown or not finished.
   */
  reopen(trx: Transaction, messageId: string): Promise<string | null>;
  /** Cancels those queued parts of a message that no process is delivering; returns their number. */
  cancel(trx: Transaction, messageId: string): Promise<number>;
  /** Makes the unblocked rows of these lanes due now. Call `wake` after the commit. */
  expedite(trx: Transaction, lanes: readonly string[]): Promise<void>;
}

/** Columns of a new row that are copied from the caller's values; the database computes the times. */
const COPIED = {
  id: 'text',
  message_id: 'text',
  part: 'bigint',
  kind: 'text',
  client_id: 'text',
  lane: 'text',
  position: 'bigint',
  blocked: 'bigint',
  status: 'text',
  payload: 'text',
  secret: 'text',
  attempts: 'bigint',
  sandbox: 'bigint',
} as const;

const NEW_ROW = { ...COPIED, not_before: 'bigint', delay_ms: 'bigint' } as const;

export function createQueue({ database, vault, lanes, leases }: QueueDeps): Queue {
  const insert = prepareAdd(database);
  const laneTable = createLaneTable(database.kind);
  return {
    async add(trx, messages) {
      if (messages.length === 0) return;
      const positions = await lanes.assignPositions(trx, messages);
      const rows = messages.map((message, index) => toRow(message, positions[index] ?? NO_LANE, vault));
      await insert(trx, rows);
    },

    async reopen(trx, messageId) {
      const query = trx
        .selectFrom('outbox')
        .select(['id', 'kind', 'lane', 'status'])
        .where('message_id', '=', messageId)
        .orderBy('part');
      // Of two calls at once, the second must see the rows of the first, not queue them again.
      const parts = await (database.kind === 'postgres' ? query.forUpdate() : query).execute();
      const [first] = parts;
      if (!first || parts.some(({ status }) => !isFinal(status))) return null;
      const unsent = parts.filter(({ status }) => status !== 'sent');
      const again = unsent.length > 0 ? unsent : parts;
      const positions = await lanes.assignPositions(trx, again);
      for (const [index, { id }] of again.entries())
        await requeue(trx, id, positions[index] ?? NO_LANE, database.now);
      return first.kind;
    },

    async cancel(trx, messageId) {
      const all = await trx
        .selectFrom('outbox')
        .select('lane')
        .distinct()
        .where('message_id', '=', messageId)
        .execute();
      await lanes.lock(trx, lanesOf(all));
      const cancelled = await trx
        .updateTable('outbox')
        .set({ status: 'cancelled', secret: null, date_finished: database.now })
        .where('message_id', '=', messageId)
        .where('status', '=', QUEUED)
        .where(leases.isFree())
        .returning('lane')
        .execute();
      await lanes.unblockNext(trx, lanesOf(cancelled));
      return cancelled.length;
    },

    async expedite(trx, named) {
      if (named.length === 0) return;
      await trx
        .updateTable('outbox')
        .set({ next_attempt_at: database.now })
        .where('lane', 'in', sql<string>`(select name from ${laneTable.over(laneTable.encode(named))})`)
        .where('status', '=', QUEUED)
        .where('blocked', '=', UNBLOCKED)
        .execute();
    },
  };
}

async function requeue(
  trx: Transaction,
  id: string,
  position: LanePosition,
  now: Expression<number>,
): Promise<void> {
  await trx
    .updateTable('outbox')
    .set({
      ...position,
      status: 'queued',
      attempts: 0,
      next_attempt_at: now,
      deadline_at: sql`${now} + ${sql.lit(DEADLINE_MS)}`,
      date_finished: null,
      error: null,
      error_code: null,
    })
    .where('id', '=', id)
    .execute();
}

function toRow(message: NewMessage, { position, blocked }: LanePosition, vault: Vault) {
  return {
    id: message.id,
    message_id: message.messageId,
    part: message.part,
    kind: message.kind,
    client_id: message.clientId,
    lane: message.lane,
    position,
    blocked,
    status: 'queued',
    payload: JSON.stringify(message.payload),
    secret: message.secret === undefined ? null : vault.seal(SECRET_PURPOSE, message.id, message.secret),
    attempts: 0,
    sandbox: message.sandbox ? 1 : 0,
    not_before: message.notBefore ?? 0,
    delay_ms: message.delayMs ?? 0,
  };
}

function prepareAdd(database: QueueDeps['database']) {
  const copied = Object.keys(COPIED) as (keyof typeof COPIED)[];
  return prepareInsert(database, NEW_ROW, ({ value, from }) => {
    const { now } = database;
    const earliest = sql`${now} + ${value('delay_ms')}`;
    const due = sql`case when ${value('not_before')} > ${earliest} then ${value('not_before')} else ${earliest} end`;
    return sql`
      insert into outbox (${sql.join(copied.map((name) => sql.ref(name)))}, date_created, next_attempt_at, deadline_at)
      select ${sql.join(copied.map(value))}, ${now}, ${due}, ${due} + ${sql.lit(DEADLINE_MS)} ${from}`;
  });
}
