import type { Clock } from '../clock.ts';
import type { Vault } from '../crypto/vault.ts';
import type { Database } from '../database/database.ts';
import type { Signals } from '../database/signals.ts';
import type { GiveWay } from '../event-loop/time-slices.ts';
import { createLeases } from '../leases/leases.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { createClaims } from './claims.ts';
import { ATTEMPTED, createFirstAttempt, type FirstAttempt } from './first-attempt.ts';
import { createLanes } from './lanes.ts';
import type { Delivery, OutboxMessage, Transport } from './message.ts';
import { createQueries, type Queries } from './queries.ts';
import { createQueue, type Queue } from './queue.ts';
import { LEASE_COLUMNS } from './rows.ts';
import { addWaitingMetrics } from './waiting-metrics.ts';
import { startWorker, type Worker } from './worker.ts';

interface OutboxDeps {
  database: Database;
  signals: Signals;
  vault: Vault;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  giveWay: GiveWay;
  /** Called after messages of a kind were accepted, or an attempt to deliver one was recorded. */
  changed?(kind: string): void;
}

/** Durable messages: committed before they are acknowledged, delivered by any node. */
export interface Outbox extends Queue, Queries {
  /** Starts the delivery of due rows of `kind` on all nodes. */
  wake(kind: string): void;
  /**
   * Waits until all parts of a message are final, one has failed an attempt, or one is not due within `limitMs`.
   * Returns the message then, or after `limitMs`.
   */
  firstAttempt: FirstAttempt;
  /** Starts to deliver with these transports. */
  start(transports: readonly Transport[]): void;
  /** Throws when the messages cannot be read. */
  probe(): Promise<void>;
  /** Stops claiming rows, waits `graceMs` for running deliveries, then aborts them and releases their leases. */
  stop(graceMs: number): Promise<void>;
}

const WAKE = 'outbox';

export function createOutbox(deps: OutboxDeps): Outbox {
  const { database, signals, vault, clock, log, metrics, giveWay, changed = () => {} } = deps;
  const node = crypto.randomUUID();
  const lanes = createLanes(database);
  const leases = createLeases(LEASE_COLUMNS, { database, clock });
  const claims = createClaims({ database, vault, lanes, leases, node });
  const workers = new Map<string, Worker>();
  const reportAttempt = createReport({ signals, log, metrics, changed });
  addWaitingMetrics(metrics, database);
  const unlisten = signals.listen(WAKE, (kind) => workers.get(kind)?.wake());

  return {
    ...createQueue({ database, vault, lanes, leases }),
    ...createQueries(database),
    wake(kind) {
      signals.emit(WAKE, kind);
      changed(kind);
    },
    firstAttempt: createFirstAttempt({ database, signals, giveWay }),
    start(transports) {
      for (const transport of transports)
        workers.set(transport.kind, startWorker({ claims, transport, log, attempted: reportAttempt }));
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

/** Returns a function that counts, signals and logs a recorded attempt. */
function createReport({
  signals,
  log,
  metrics,
  changed,
}: Pick<OutboxDeps, 'signals' | 'log' | 'metrics'> & { changed(kind: string): void }) {
  const attempts = metrics.counter('posthouse_outbox_attempts_total', 'Attempts to deliver, by outcome', [
    'kind',
    'outcome',
  ]);
  const durations = metrics.histogram(
    'posthouse_outbox_attempt_duration_seconds',
    'Duration of an attempt',
    ['kind'],
    [0.01, 0.05, 0.25, 1, 5, 30],
  );
  return (row: OutboxMessage, { outcome }: Delivery, seconds: number): void => {
    attempts.inc({ kind: row.kind, outcome });
    durations.observe({ kind: row.kind }, seconds);
    signals.emit(ATTEMPTED, row.messageId);
    changed(row.kind);
    const { messageId, part, kind, attempts: count, error } = row;
    // Successful deliveries are counted by the metrics.
    log[outcome === 'sent' ? 'debug' : 'info'](
      { messageId, part, kind, outcome, attempts: count, error: error ?? undefined },
      'delivery attempted',
    );
  };
}
