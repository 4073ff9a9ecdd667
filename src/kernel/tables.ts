import { sql } from 'kysely';
import type { Migration } from './database/migrate.ts';

declare module './database/database.ts' {
  interface Tables {
    outbox: OutboxTable;
    idempotency_keys: IdempotencyKeysTable;
    attempts: AttemptsTable;
    facts: FactsTable;
    holds: HoldsTable;
  }
}

export interface OutboxTable {
  id: string;
  /** What people know it by: a message that had to be split into parts has one id and several rows. */
  message_id: string;
  part: number;
  /** Which transport delivers it. */
  kind: string;
  /** The client record that sent it; null when there is none. */
  client_id: string | null;
  /** Rows of one lane are delivered one after the other, in the order of their ids; null = no order kept. */
  lane: string | null;
  /** 1 while an earlier row of its lane is not done. */
  blocked: number;
  status: OutboxStatus;
  /** JSON, of the transport's own shape. */
  payload: string;
  /** Sealed by the vault; erased at the end state. */
  secret: string | null;
  attempts: number;
  next_attempt_at: number;
  deadline_at: number;
  lease_owner: string | null;
  lease_until: number | null;
  error_code: string | null;
  error: string | null;
  /** JSON of what the peer answered. */
  result: string | null;
  /** 1 when it went to the sandbox. */
  sandbox: number;
  date_created: number;
  date_finished: number | null;
}

export type OutboxStatus = 'queued' | 'sent' | 'failed' | 'unknown' | 'cancelled';

export interface IdempotencyKeysTable {
  /** Route, client and key. */
  scope: string;
  fingerprint: string;
  message_id: string;
  /** The first answer, once it was given. */
  answer_status: number | null;
  answer_body: string | null;
  expires_at: number;
}

/** Wrong attempts, counted by a window that begins with the first. */
export interface AttemptsTable {
  scope: string;
  count: number;
  window_ends_at: number;
}

export interface FactsTable {
  name: string;
  value: string;
}

/** Something that must not be cleaned away for now. */
export interface HoldsTable {
  id: string;
  what: string;
  /** A dead process's hold runs out. */
  lease_until: number;
}

export const kernelMigrations: readonly Migration[] = [
  {
    name: '0001_kernel',
    async up(schema) {
      await schema.schema
        .createTable('outbox')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('message_id', 'text', (c) => c.notNull())
        .addColumn('part', 'integer', (c) => c.notNull())
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('client_id', 'text')
        .addColumn('lane', 'text')
        .addColumn('blocked', 'integer', (c) => c.notNull())
        .addColumn('status', 'text', (c) => c.notNull())
        .addColumn('payload', 'text', (c) => c.notNull())
        .addColumn('secret', 'text')
        .addColumn('attempts', 'integer', (c) => c.notNull())
        .addColumn('next_attempt_at', 'bigint', (c) => c.notNull())
        .addColumn('deadline_at', 'bigint', (c) => c.notNull())
        .addColumn('lease_owner', 'text')
        .addColumn('lease_until', 'bigint')
        .addColumn('error_code', 'text')
        .addColumn('error', 'text')
        .addColumn('result', 'text')
        .addColumn('sandbox', 'integer', (c) => c.notNull())
        .addColumn('date_created', 'bigint', (c) => c.notNull())
        .addColumn('date_finished', 'bigint')
        .execute();
      await schema.schema.createIndex('outbox_message').on('outbox').columns(['message_id', 'part']).execute();
      // Waiting rows only, so that neither the finished nor the blocked make claiming slower.
      await sql`create index outbox_due on outbox (kind, next_attempt_at) where status = 'queued' and blocked = 0`.execute(schema);
      await sql`create index outbox_lane on outbox (lane, blocked, id) where status = 'queued'`.execute(schema);
      await schema.schema.createIndex('outbox_recent').on('outbox').columns(['date_created', 'id']).execute();
      await schema.schema
        .createTable('idempotency_keys')
        .addColumn('scope', 'text', (c) => c.primaryKey())
        .addColumn('fingerprint', 'text', (c) => c.notNull())
        .addColumn('message_id', 'text', (c) => c.notNull())
        .addColumn('answer_status', 'integer')
        .addColumn('answer_body', 'text')
        .addColumn('expires_at', 'bigint', (c) => c.notNull())
        .execute();
      await schema.schema.createIndex('idempotency_keys_expiry').on('idempotency_keys').column('expires_at').execute();
      await schema.schema
        .createTable('attempts')
        .addColumn('scope', 'text', (c) => c.primaryKey())
        .addColumn('count', 'integer', (c) => c.notNull())
        .addColumn('window_ends_at', 'bigint', (c) => c.notNull())
        .execute();
      await schema.schema.createIndex('attempts_expiry').on('attempts').column('window_ends_at').execute();
      await schema.schema
        .createTable('facts')
        .addColumn('name', 'text', (c) => c.primaryKey())
        .addColumn('value', 'text', (c) => c.notNull())
        .execute();
      await schema.schema
        .createTable('holds')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('what', 'text', (c) => c.notNull())
        .addColumn('lease_until', 'bigint', (c) => c.notNull())
        .execute();
    },
  },
];
