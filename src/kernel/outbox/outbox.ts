import { type Clock, SECOND } from '../clock.ts';
import type { Vault } from '../crypto/vault.ts';
import type { Database, Transaction } from '../database/database.ts';
import type { Signals } from '../database/signals.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { isFinal, type NewMessage, type OutboxMessage, type Transport } from './message.ts';
import { QUEUED } from './rows.ts';
import { HELD } from './settling.ts';
import { createOutboxStore, DEADLINE_MS } from './store.ts';
import { startWorker, type Worker } from './worker.ts';

interface OutboxParts {
  database: Database;
  signals: Signals;
  vault: Vault;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

/** Durable messages: committed before they are acknowledged, delivered by whichever node has time. */
export interface Outbox {
  /** Stores messages with whatever else the transaction holds. Call `wake` with their kind after the commit. */
  add(trx: Transaction, messages: readonly NewMessage[]): Promise<void>;
  wake(kind: string): void;
  /**
   * Waits until every part of the message has ended, or one has failed an attempt, or will not be tried in time.
   * Gives the parts as they stand then, or after `limitMs`.
   */
  firstAttempt(messageId: string, limitMs: number): Promise<OutboxMessage[]>;
  /** The parts of a message, in order; empty = unknown. */
  parts(messageId: string): Promise<OutboxMessage[]>;
  /** The parts of several messages by their ids, as this transaction sees them. */
  partsOf(trx: Transaction, messageIds: readonly string[]): Promise<Map<string, OutboxMessage[]>>;
  /** Sends an ended message once more: the parts that did not go through, or all when all did. Gives the kind to `wake`; null = unknown or not ended. */
  reopen(trx: Transaction, messageId: string): Promise<string | null>;
  /** Cancels what of a message waits and is not under way; gives how many parts. */
  cancel(trx: Transaction, messageId: string): Promise<number>;
  /** Makes what waits in these lanes due now, for a target that can be reached again. Call `wake` after the commit. */
  hasten(trx: Transaction, lanes: readonly string[]): Promise<void>;
  /** How many rows of `kind` each lane got since `since`, ms since the epoch. */
  lanesSince(kind: string, since: number): Promise<Map<string, number>>;
  /** Begins to deliver with these transports. */
  start(transports: readonly Transport[]): void;
  /** Throws when the messages cannot be read. */
  probe(): Promise<void>;
  stop(graceMs: number): Promise<void>;
}

const WAKE = 'outbox';
const SETTLED = 'settled';
/** A signal from another node may be lost, so the row itself is looked at this often. */
const CHECK_EVERY_MS = SECOND;

export function createOutbox({ database, signals, vault, clock, log, metrics }: OutboxParts): Outbox {
  const store = createOutboxStore({ database, vault, clock, node: crypto.randomUUID() });
  const workers = new Map<string, Worker>();
  const attempts = metrics.counter('posthouse_outbox_attempts_total', 'Attempts to deliver, by how they ended', ['kind', 'outcome']);
  const durations = metrics.histogram(
    'posthouse_outbox_attempt_duration_seconds',
    'Time of an attempt',
    ['kind'],
    [0.01, 0.05, 0.25, 1, 5, 30],
  );
  showWaiting(metrics, database, clock);
  const unlisten = signals.listen(WAKE, (kind) => workers.get(kind)?.wake());

  return {
    add: store.add,
    wake: (kind) => signals.emit(WAKE, kind),
    parts: (messageId) => store.parts(database.read, messageId),
    partsOf: store.partsOf,
    cancel: store.cancel,
    reopen: store.reopen,
    hasten: store.hasten,
    lanesSince: store.lanesSince,
    firstAttempt(messageId, limitMs) {
      return new Promise((resolve, reject) => {
        let parts: OutboxMessage[] = [];
        const until = clock.now() + limitMs;
        const end = (done: () => void) => {
          clearTimeout(limit);
          clearInterval(again);
          stopListening();
          done();
        };
        const check = async () => {
          try {
            parts = await store.parts(database.read, messageId);
            if (isAttempted(parts, until)) end(() => resolve(parts));
          } catch (error) {
            end(() => reject(error));
          }
        };
        const stopListening = signals.listen(SETTLED, (settled) => {
          if (settled === messageId) void check();
        });
        const limit = setTimeout(() => end(() => resolve(parts)), limitMs);
        const again = setInterval(() => void check(), CHECK_EVERY_MS);
        void check();
      });
    },
    start(transports) {
      for (const transport of transports) {
        const worker = startWorker({
          store,
          transport,
          clock,
          log,
          settled(row, delivery, seconds) {
            attempts.inc({ kind: row.kind, outcome: delivery.outcome });
            durations.observe({ kind: row.kind }, seconds);
            signals.emit(SETTLED, row.messageId);
            // What went well is told by the metrics.
            log[delivery.outcome === 'sent' ? 'debug' : 'info'](
              {
                messageId: row.messageId,
                part: row.part,
                kind: row.kind,
                outcome: delivery.outcome,
                attempts: row.attempts,
                error: row.error ?? undefined,
              },
              'delivery attempted',
            );
          },
        });
        workers.set(transport.kind, worker);
      }
    },
    async probe() {
      await database.read.selectFrom('outbox').select('id').limit(1).execute();
    },
    async stop(graceMs) {
      unlisten();
      await Promise.all([...workers.values()].map((worker) => worker.stop(graceMs)));
    },
  };
}

/** How many messages wait, and for how long the oldest has, by kind and client; what is to be sent later waits from then on. */
function showWaiting(metrics: Metrics, database: Database, clock: Clock): void {
  const waiting = () => database.read.selectFrom('outbox').where('status', '=', QUEUED);
  metrics.gauge('posthouse_outbox_waiting', 'Messages that wait', ['kind'], async (gauge) => {
    const rows = await waiting()
      .select((of) => ['kind', of.fn.countAll<number>().as('count')])
      .groupBy('kind')
      .execute();
    gauge.reset();
    for (const { kind, count } of rows) gauge.set({ kind }, Number(count));
  });
  const about = 'Age of the oldest message that waits';
  metrics.gauge('posthouse_outbox_oldest_waiting_seconds', about, ['kind', 'client'], async (gauge) => {
    const rows = await waiting()
      .select((of) => ['kind', 'client_id', of.fn.min<number>('deadline_at').as('deadline')])
      .groupBy(['kind', 'client_id'])
      .execute();
    gauge.reset();
    for (const { kind, client_id, deadline } of rows) {
      const since = Number(deadline) - DEADLINE_MS;
      gauge.set({ kind, client: client_id ?? '' }, Math.max(0, clock.now() - since) / 1000);
    }
  });
}

function isAttempted(parts: readonly OutboxMessage[], until: number): boolean {
  const waiting = parts.filter(({ status }) => !isFinal(status));
  if (waiting.length === 0) return parts.length > 0;
  return waiting.some(({ errorCode, nextAttemptAt }) => (errorCode !== null && errorCode !== HELD) || nextAttemptAt > until);
}
