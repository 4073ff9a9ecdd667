import { LEASE_MS } from '../leases/leases.ts';
import type { Log } from '../log.ts';
import type { Claims } from './claims.ts';
import { createCycles, PAUSE_MS } from './cycles.ts';
import { createDeliveries } from './deliveries.ts';
import { createLeasedRows } from './leased-rows.ts';
import type { Delivery, OutboxMessage, Run, Transport } from './message.ts';
import { createRecorder } from './recorder.ts';
import { watchSuspensions } from './suspensions.ts';
import { createUnrecorded } from './unrecorded.ts';

interface WorkerDeps {
  claims: Claims;
  transport: Transport;
  log: Log;
  /** Called when an attempt is recorded. */
  attempted(row: OutboxMessage, delivery: Delivery, seconds: number): void;
  /** Time before an outcome that could not be recorded is recorded again, ms. */
  pauseMs?: number;
}

/** Claims and delivers the rows of one kind, so that failures of one kind delay no other. */
export interface Worker {
  /** Queries for due rows now. */
  wake(): void;
  /**
   * Claims nothing more, waits `graceMs` until the running deliveries are recorded, then aborts them and releases their
   * leases. The lease of a row whose outcome could not be recorded expires.
   */
  stop(graceMs: number): Promise<void>;
}

export function startWorker(deps: WorkerDeps): Worker {
  const { claims, transport, log, attempted, pauseMs = PAUSE_MS } = deps;
  const { kind } = transport;
  const unrecorded = createUnrecorded({ pauseMs, ready: () => cycles.run() });
  const leased = createLeasedRows({ claims, kind, log });
  const deliveries = createDeliveries({ transport, log, finished: unrecorded.add, unused: leased.addUnused });
  const recordAndClaim = createRecorder({
    claims,
    kind,
    log,
    recorded({ message, delivery, seconds }, row) {
      leased.remove(message.id);
      if (row) attempted(row, delivery, seconds);
    },
    failed: unrecorded.retry,
  });
  const cycles = createCycles({
    deliveries,
    unrecorded,
    concurrency: transport.concurrency,
    recordAndStart,
    nextDueInMs: () => claims.nextDueInMs(kind),
    failed: (error) => log.error({ kind, error }, 'the outbox could not be read'),
  });

  /**
   * Delivers a run, up to a row that is still being delivered or recorded. Such a row is claimed when its lease could
   * not be renewed in time; the claim renews it.
   */
  function start(run: Run): void {
    const known = run.findIndex(({ id }) => leased.has(id));
    const fresh = known === -1 ? run : run.slice(0, known);
    const rest = run.slice(fresh.length).filter(({ id }) => !leased.has(id));
    leased.add([...fresh, ...rest]);
    leased.addUnused(rest);
    if (fresh.length > 0) deliveries.start(fresh);
  }

  /** Records finished attempts, claims due rows in the same transaction, and starts their delivery. */
  async function recordAndStart(): Promise<void> {
    await leased.releaseUnused();
    const attempts = unrecorded.take();
    const { busyClients: busy, runLength: length } = deliveries;
    const runs = await recordAndClaim(attempts, { ...cycles.freeCapacity(), busy, length });
    for (const run of runs) start(run);
  }

  // Another node has claimed the rows, so those that still wait for a connection must not be sent too.
  const stopWatching = watchSuspensions({ ms: LEASE_MS, resumed: deliveries.interrupt });

  cycles.run();
  return {
    wake() {
      if (!cycles.isStopping) cycles.run();
    },
    async stop(graceMs) {
      const stopped = cycles.stop();
      const late = setTimeout(() => {
        unrecorded.end();
        deliveries.abort();
      }, graceMs);
      await stopped;
      clearTimeout(late);
      stopWatching();
      for (const { message } of unrecorded.take()) leased.remove(message.id);
      await leased.stop();
    },
  };
}
