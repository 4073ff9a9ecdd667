import { SECOND } from '../clock.ts';
import { LEASE_MS } from '../leases.ts';
import { describeError, type Log } from '../log.ts';
import { nextRound } from '../next-round.ts';
import type { Claims } from './claims.ts';
import { createDeliveries, type FinishedAttempt } from './deliveries.ts';
import type { Delivery, OutboxMessage, Transport } from './message.ts';
import { createRecorder } from './recorder.ts';

/** Longest time between two queries for due rows: finds rows whose signal was lost or whose worker died. */
const POLL_MS = 15 * SECOND;
/** Delay before the next attempt to claim due rows that could not be claimed. */
const RETRY_MS = 50;
/** How long a cycle waits for running deliveries to finish, so that they share its commit. */
const GATHER_MS = 4;
/** Pause after an error of the database. */
const PAUSE_MS = SECOND;
/** Number of times that recording an outcome is tried again: as long as the lease lasts. */
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
  /** Ids of the rows that are claimed and whose attempts are not recorded. */
  const leased = new Set<string>();
  let finished: FinishedAttempt[] = [];
  /** Ids of the leased rows of runs that ended before them. */
  const unused: string[] = [];
  const deliveries = createDeliveries({
    transport,
    log,
    finished: addFinished,
    unused: (rest) => unused.push(...rest.map(({ id }) => id)),
  });
  const keeper = claims.keep(
    () => [...leased],
    (error) => log.error({ kind, error: describeError(error) }, 'the leases could not be renewed'),
  );
  const recordAndClaim = createRecorder({
    claims,
    kind,
    log,
    recorded({ message, delivery, seconds }, row) {
      leased.delete(message.id);
      if (row) attempted(row, delivery, seconds);
    },
    failed: retryLater,
  });
  const freePlaces = () => (stopping ? 0 : transport.concurrency - deliveries.active);
  const idle = Promise.withResolvers<void>();
  let stopping = false;
  let running: Promise<void> | null = null;
  let runAgain = false;
  let timer: Timer | undefined;

  function addFinished(attempt: FinishedAttempt): void {
    finished.push(attempt);
    run();
  }

  function retryLater(attempt: FinishedAttempt): void {
    if (attempt.failures >= RECORD_RETRIES || stopping) leased.delete(attempt.message.id);
    else setTimeout(() => addFinished({ ...attempt, failures: attempt.failures + 1 }), PAUSE_MS);
  }

  /** Records finished attempts and claims due rows, each time in one transaction, until there is nothing to do. */
  async function cycle(): Promise<void> {
    do {
      // Deliveries that finish together are recorded together.
      await nextRound();
      if (deliveries.active > 0 && !stopping) await Bun.sleep(GATHER_MS);
      runAgain = false;
      await releaseUnused();
      const attempts = finished;
      finished = [];
      for (const run of await recordAndClaim(attempts, {
        runs: freePlaces(),
        length: deliveries.runLength,
      })) {
        for (const { id } of run) leased.add(id);
        deliveries.start(run);
      }
      if (!runAgain && !stopping) await scheduleNext();
    } while (runAgain);
  }

  async function releaseUnused(): Promise<void> {
    const ids = [...unused];
    await claims.release(ids);
    for (const id of unused.splice(0, ids.length)) leased.delete(id);
  }

  async function scheduleNext(): Promise<void> {
    const dueInMs = await claims.nextDueInMs(kind);
    if (dueInMs === null || dueInMs > POLL_MS) schedule(POLL_MS, look);
    else if (dueInMs > 0) schedule(dueInMs);
    // A row that is due already waits for a free place, was added just now, or is being claimed by another node.
    else schedule(freePlaces() > 0 ? RETRY_MS : POLL_MS);
  }

  function schedule(ms: number, then = run): void {
    clearTimeout(timer);
    if (!stopping) timer = setTimeout(then, Math.max(1, ms));
  }

  function run(): void {
    runAgain = true;
    begin(cycle);
  }

  /** Schedules the next cycle: one read, where a cycle would begin a transaction to find nothing due. */
  function look(): void {
    begin(scheduleNext);
  }

  function begin(work: () => Promise<void>): void {
    if (running) return;
    running = work()
      .catch((error) => {
        runAgain = false;
        log.error({ kind, error: describeError(error) }, 'the outbox could not be read');
        schedule(PAUSE_MS);
      })
      .finally(() => {
        running = null;
        if (runAgain) run();
        else if (stopping && deliveries.active === 0) idle.resolve();
      });
  }

  run();
  return {
    wake() {
      if (!stopping) run();
    },
    async stop(graceMs) {
      stopping = true;
      clearTimeout(timer);
      run();
      const late = setTimeout(deliveries.abort, graceMs);
      await Promise.race([idle.promise, deliveries.aborted]);
      await running;
      clearTimeout(late);
      keeper.stop();
      await claims.release([...leased]);
    },
  };
}
