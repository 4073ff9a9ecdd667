import { type Clock, SECOND } from '../clock.ts';
import { describeError, type Log } from '../log.ts';
import { nextRound } from '../next-round.ts';
import type { Claimed, Delivery, OutboxMessage, Transport } from './message.ts';
import type { Attempt } from './settling.ts';
import { LEASE_MS, type OutboxStore, type Turn } from './store.ts';

/** Looks anyway this often, for rows whose signal was lost or whose worker died. */
const LOOK_EVERY_MS = 15 * SECOND;
const SOON_MS = 50;
/**
 * With this many under way a turn waits a little for others to end, so that they share its commit: taken at once, nearly every
 * message had a commit of its own (mails from a backlog went out 2 to 6 times slower).
 */
const MANY = 8;
const GATHER_MS = 4;
/** After an error of the database. */
const PAUSE_MS = SECOND;
/** How often the end of a delivery is noted anew: for as long as its lease holds. */
const NOTED_WITHIN = LEASE_MS / PAUSE_MS;

interface WorkerParts {
  store: OutboxStore;
  transport: Transport;
  clock: Clock;
  log: Log;
  settled(row: OutboxMessage, delivery: Delivery, seconds: number): void;
}

/** Claims and delivers the rows of one kind, so that one kind's trouble delays no other. */
export interface Worker {
  wake(): void;
  /** Claims nothing more, waits `graceMs` for what is under way, then aborts it and gives the leases back. */
  stop(graceMs: number): Promise<void>;
}

interface Ended extends Attempt {
  seconds: number;
  /** How often it could not be noted. */
  failures: number;
}

export function startWorker({ store, transport, clock, log, settled }: WorkerParts): Worker {
  /** Claimed and not settled. */
  const leased = new Set<string>();
  const giveUp = new AbortController();
  let delivering = 0;
  let ended: Ended[] = [];
  let stopping = false;
  let turning: Promise<void> | null = null;
  let turnAgain = false;
  let timer: Timer | undefined;
  const idle = Promise.withResolvers<void>();

  async function deliver(message: Claimed): Promise<void> {
    const started = performance.now();
    let delivery: Delivery | null;
    try {
      delivery = await transport.deliver(message, giveUp.signal);
    } catch (error) {
      log.error({ messageId: message.messageId, kind: message.kind, error: describeError(error) }, 'a transport failed unexpectedly');
      delivery = { outcome: 'later', code: 'internal_error', reason: error instanceof Error ? error.message : 'unknown' };
    }
    delivering--;
    // What was given up may have been done or not; its lease is given back.
    if (giveUp.signal.aborted) return;
    ended.push({ message, delivery, seconds: (performance.now() - started) / 1000, failures: 0 });
    wake();
  }

  /** Settles what ended and claims what is due, both in one transaction, as long as there is something to do. */
  async function takeTurns(): Promise<void> {
    for (;;) {
      if (delivering >= MANY && !stopping) await Bun.sleep(GATHER_MS);
      // Deliveries that end together are noted together.
      await nextRound();
      turnAgain = false;
      const attempts = ended;
      ended = [];
      const { claimed } = await settleAndClaim(attempts);
      for (const message of claimed) {
        leased.add(message.id);
        delivering++;
        void deliver(message);
      }
      if (turnAgain) continue;
      if (stopping) return;
      const due = await store.nextDue(transport.kind);
      if (turnAgain) continue;
      const wait = due === null ? LOOK_EVERY_MS : due - clock.now();
      // What is due already either waits for a free place, which will wake, or came just now, or another node is at it.
      if (wait > 0) schedule(Math.min(wait, LOOK_EVERY_MS));
      else schedule(delivering < transport.concurrency ? SOON_MS : LOOK_EVERY_MS);
      return;
    }
  }

  async function settleAndClaim(attempts: readonly Ended[]): Promise<Pick<Turn, 'claimed'>> {
    const free = stopping ? 0 : transport.concurrency - delivering;
    try {
      const turn = await store.turn(transport.kind, attempts, free);
      for (const [index, attempt] of attempts.entries()) noted(attempt, turn.settled[index] ?? null);
      return turn;
    } catch (error) {
      if (attempts.length === 0) throw error;
      log.error({ kind: transport.kind, error: describeError(error) }, 'the ends of deliveries could not be noted together');
    }
    // One of them may be at fault, and the others are noted; or the database is away for a while.
    for (const attempt of attempts) {
      try {
        noted(attempt, (await store.turn(transport.kind, [attempt], 0)).settled[0] ?? null);
      } catch (error) {
        log.error({ messageId: attempt.message.messageId, error: describeError(error) }, 'the end of a delivery could not be noted');
        if (attempt.failures < NOTED_WITHIN && !stopping) again({ ...attempt, failures: attempt.failures + 1 });
        else leased.delete(attempt.message.id);
      }
    }
    return { claimed: [] };
  }

  function noted({ message, delivery, seconds }: Ended, row: OutboxMessage | null): void {
    leased.delete(message.id);
    if (row) settled(row, delivery, seconds);
  }

  function again(attempt: Ended): void {
    setTimeout(() => {
      ended.push(attempt);
      wake();
    }, PAUSE_MS);
  }

  function schedule(ms: number): void {
    clearTimeout(timer);
    if (!stopping) timer = setTimeout(wake, Math.max(1, ms));
  }

  function wake(): void {
    turnAgain = true;
    if (turning) return;
    turning = takeTurns()
      .catch((error) => {
        turnAgain = false;
        log.error({ kind: transport.kind, error: describeError(error) }, 'the outbox could not be read');
        schedule(PAUSE_MS);
      })
      .finally(() => {
        turning = null;
        if (turnAgain) wake();
        else if (stopping && delivering === 0) idle.resolve();
      });
  }

  const renewal = setInterval(() => {
    store.renew([...leased]).catch((error) => log.error({ error: describeError(error) }, 'leases could not be renewed'));
  }, LEASE_MS / 3);

  wake();
  return {
    wake() {
      if (!stopping) wake();
    },
    async stop(graceMs) {
      stopping = true;
      clearTimeout(timer);
      wake();
      const late = setTimeout(() => giveUp.abort(), graceMs);
      await Promise.race([idle.promise, aborted(giveUp.signal)]);
      await turning;
      clearTimeout(late);
      clearInterval(renewal);
      await store.release([...leased]);
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
