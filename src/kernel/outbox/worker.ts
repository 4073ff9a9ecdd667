import { LEASE_MS } from '../leases.ts';
import { describeError, type Log } from '../log.ts';
import type { Claims } from './claims.ts';
import { createCycles, PAUSE_MS } from './cycles.ts';
import { createDeliveries, type FinishedAttempt } from './deliveries.ts';
import { createLeasedRows } from './leased-rows.ts';
import type { Delivery, OutboxMessage, Transport } from './message.ts';
import { createRecorder } from './recorder.ts';

/** Number of times that recording an outcome is retried: for as long as a lease lasts. */
const RECORD_RETRIES = LEASE_MS / PAUSE_MS;

interface WorkerDeps {
  claims: Claims;
  transport: Transport;
  log: Log;
  /** Called when an attempt is recorded. */
  attempted(row: OutboxMessage, delivery: Delivery, seconds: number): void;
}

/** Claims and delivers the rows of one kind, so that trouble with one kind delays no other. */
export interface Worker {
  /** Queries for due rows now. */
  wake(): void;
  /** Claims nothing more, waits `graceMs` for running deliveries, then aborts them and releases their leases. */
  stop(graceMs: number): Promise<void>;
}

export function startWorker({ claims, transport, log, attempted }: WorkerDeps): Worker {
  const { kind } = transport;
  let finished: FinishedAttempt[] = [];
  const leased = createLeasedRows({ claims, kind, log });
  const deliveries = createDeliveries({ transport, log, finished: addFinished, unused: leased.addUnused });
  const recordAndClaim = createRecorder({
    claims,
    kind,
    log,
    recorded({ message, delivery, seconds }, row) {
      leased.remove(message.id);
      if (row) attempted(row, delivery, seconds);
    },
    failed: retryLater,
  });
  const cycles = createCycles({
    deliveries,
    concurrency: transport.concurrency,
    recordAndStart,
    nextDueInMs: () => claims.nextDueInMs(kind),
    failed: (error) => log.error({ kind, error: describeError(error) }, 'the outbox could not be read'),
  });

  function addFinished(attempt: FinishedAttempt): void {
    finished.push(attempt);
    cycles.run();
  }

  function retryLater(attempt: FinishedAttempt): void {
    if (attempt.failures >= RECORD_RETRIES || cycles.isStopping) leased.remove(attempt.message.id);
    else setTimeout(() => addFinished({ ...attempt, failures: attempt.failures + 1 }), PAUSE_MS);
  }

  /** Records finished attempts, claims due rows in the same transaction, and starts their delivery. */
  async function recordAndStart(): Promise<void> {
    await leased.releaseUnused();
    const attempts = finished;
    finished = [];
    for (const run of await recordAndClaim(attempts, {
      runs: cycles.freePlaces(),
      length: deliveries.runLength,
    })) {
      leased.add(run);
      deliveries.start(run);
    }
  }

  cycles.run();
  return {
    wake() {
      if (!cycles.isStopping) cycles.run();
    },
    async stop(graceMs) {
      const stopped = cycles.stop();
      const late = setTimeout(deliveries.abort, graceMs);
      await stopped;
      clearTimeout(late);
      await leased.stop();
    },
  };
}
