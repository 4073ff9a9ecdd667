import type { Generated } from 'kysely';
import type { Migration } from './database/migrate.ts';

declare module './database/database.ts' {
  interface Tables {
    outbox: OutboxTable;
    idempotency_keys: IdempotencyKeysTable;
    attempts: AttemptsTable;
    facts: FactsTable;
    holds: HoldsTable;
    upkeep: UpkeepTable;
    rates: RatesTable;
    signals: SignalsTable;
    slots: SlotsTable;
  }
}

export interface OutboxTable {
  id: string;
  /** Public id. A message that was split into parts has one id and several rows. */
  message_id: string;
  part: number;
  /** Kind of the transport that delivers it. */
  kind: string;
  /** Id of the client that sent it; null = none. */
  client_id: string | null;
  /** Rows of one lane are delivered one after the other, in the order of their positions; null = in any order. */
  lane: string | null;
  /** Place in its lane, assigned under the lane's lock; 0 = no lane. */
  position: Generated<number>;
  /** 1 while an earlier row of its lane must be delivered first. */
  blocked: number;
  status: OutboxStatus;
  /** JSON in the shape of the transport. */
  payload: string;
  /** Sealed by the vault; erased when the row is final. */
  secret: string | null;
  attempts: number;
  next_attempt_at: number;
  deadline_at: number;
  lease_owner: string | null;
  lease_until: number | null;
  error_code: string | null;
  error: string | null;
  /** JSON of the peer's response. */
  result: string | null;
  /** 1 = delivered to the sandbox. */
  sandbox: number;
  date_created: number;
  date_finished: number | null;
}

export const OUTBOX_STATUSES = ['queued', 'sent', 'failed', 'unknown', 'cancelled'] as const;
export type OutboxStatus = (typeof OUTBOX_STATUSES)[number];

export interface IdempotencyKeysTable {
  /** Digest of the route, the client and the key. */
  scope: string;
  fingerprint: string;
  message_id: string;
  /** The first response; null = there is none yet. */
  answer_status: number | null;
  answer_body: string | null;
  expires_at: number;
}

/** Failed attempts, such as wrong passwords, counted in a window that begins with the first. */
export interface AttemptsTable {
  scope: string;
  count: number;
  window_ends_at: number;
}

export interface FactsTable {
  name: string;
  value: string;
}

/** A resource that must not be cleaned up for now. */
export interface HoldsTable {
  id: string;
  what: string;
  /** End of the hold's lease, in ms since the epoch on the database's clock. */
  lease_until: number;
}

/** A periodic task of all nodes. Times are those of the database's clock. */
export interface UpkeepTable {
  /** Its name. */
  id: string;
  due_at: number;
  lease_owner: string | null;
  lease_until: number | null;
  date_started: number | null;
  date_finished: number | null;
  date_succeeded: number | null;
  /** Number of failed runs. */
  failures: Generated<number>;
}

/** A token bucket that is not full. */
export interface RatesTable {
  scope: string;
  /** Time at which it will be full, in µs since the epoch on the database's clock. */
  full_at: number;
}

/** Signals between nodes, where the database does not deliver them. */
export interface SignalsTable {
  id: string;
  node: string;
  channel: string;
  payload: string;
  date_created: number;
}

/** Slots of `SharedSlots`; each key has a limited number of them. */
export interface SlotsTable {
  /** Name of the limit, key, and number of the slot. */
  id: string;
  /** The process that holds it, until `lease_until` unless it renews the lease. */
  lease_owner: string;
  lease_until: number;
}

export const kernelMigrations: readonly Migration[] = [
  {
    name: '0001_kernel',
    kind: 'expand',
    up: [
      `create table outbox (
          id text primary key, message_id text not null, part integer not null, kind text not null,
          client_id text, lane text, blocked integer not null, status text not null, payload text not null,
          secret text, attempts integer not null, next_attempt_at bigint not null, deadline_at bigint not null,
          lease_owner text, lease_until bigint, error_code text, error text, result text,
          sandbox integer not null, date_created bigint not null, date_finished bigint)`,
      'create index outbox_message on outbox (message_id, part)',
      // Queued, unblocked rows only, so that other rows do not slow down claiming.
      `create index outbox_due on outbox (kind, next_attempt_at) where status = 'queued' and blocked = 0`,
      `create index outbox_lane on outbox (lane, blocked, id) where status = 'queued'`,
      'create index outbox_recent on outbox (date_created, id)',
      `create table idempotency_keys (
          scope text primary key, fingerprint text not null, message_id text not null,
          answer_status integer, answer_body text, expires_at bigint not null)`,
      'create index idempotency_keys_expiry on idempotency_keys (expires_at)',
      `create table attempts (
          scope text primary key, count integer not null, window_ends_at bigint not null)`,
      'create index attempts_expiry on attempts (window_ends_at)',
      'create table facts (name text primary key, value text not null)',
      'create table holds (id text primary key, what text not null, lease_until bigint not null)',
    ],
  },
  {
    name: '0007_outbox_position',
    kind: 'contract',
    up: [
      'alter table outbox add column position bigint default 0 not null',
      `update outbox set position = numbered.position
        from (
          select id, row_number() over (partition by lane order by id) as position
          from outbox where lane is not null and status = 'queued'
        ) as numbered
        where numbered.id = outbox.id`,
      'drop index outbox_lane',
      `create index outbox_lane on outbox (lane, blocked, position, id) where status = 'queued'`,
    ],
  },
  {
    name: '0008_outbox_filters',
    kind: 'expand',
    up: [
      // One index per filter of the message log, each in the order of its pages. Most rows are sent ones.
      `create index outbox_unsent on outbox (status, message_id) where status <> 'sent'`,
      'create index outbox_client on outbox (client_id, message_id) where client_id is not null',
      'create index outbox_kind on outbox (kind, message_id)',
    ],
  },
  {
    // From here on, sealed values name their key and are bound to their row; earlier programs cannot open them.
    name: '0009_sealed_rows',
    kind: 'contract',
    up: [],
  },
  {
    name: '0010_upkeep',
    kind: 'expand',
    up: [
      `create table upkeep (
          id text primary key, due_at bigint not null, lease_owner text, lease_until bigint,
          date_started bigint, date_finished bigint, date_succeeded bigint,
          failures bigint default 0 not null)`,
    ],
  },
  {
    name: '0012_rates',
    kind: 'expand',
    up: ['create table rates (scope text primary key, full_at bigint not null)'],
  },
  {
    name: '0023_signals',
    kind: 'expand',
    up: [
      `create table signals (
          id text primary key, node text not null, channel text not null, payload text not null,
          date_created bigint not null)`,
      'create index signals_date on signals (date_created)',
      'create table slots (id text primary key, lease_owner text not null, lease_until bigint not null)',
    ],
  },
  {
    // Statistics that PostgreSQL collects while the queue is empty make it read all queued rows of a burst. Setting the
    // type, even to the same one, deletes existing statistics.
    name: '0036_outbox_statistics',
    kind: 'expand',
    only: 'postgres',
    up: ['alter table outbox alter column status type text, alter column status set statistics 0'],
  },
  {
    // The counts of a file or link are a range of the primary key.
    name: '0041_attempts_sorted_by_bytes',
    kind: 'expand',
    only: 'postgres',
    up: ['alter table attempts alter column scope type text collate "C"'],
  },
  {
    // Finds the next row of each client that has queued rows.
    name: '0046_outbox_due_by_client',
    kind: 'expand',
    up: [
      `create index outbox_due_by_client on outbox (kind, coalesce(client_id, ''), next_attempt_at)
          where status = 'queued' and blocked = 0`,
    ],
  },
  {
    // The message log lists the few messages of the sandbox among many others.
    name: '0049_outbox_sandbox',
    kind: 'expand',
    up: ['create index outbox_sandbox on outbox (message_id) where sandbox = 1'],
  },
];
