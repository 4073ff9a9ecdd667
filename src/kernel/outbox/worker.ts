import { type Clock, SECOND } from '../clock.ts';
import { describeError, type Log } from '../log.ts';
import type { Claimed, Delivery, OutboxMessage, Transport } from './message.ts';
import { LEASE_MS, type OutboxStore } from './store.ts';

/** Looks anyway this often, for rows whose signal was lost or whose worker died. */
const LOOK_EVERY_MS = 15 * SECOND;
/** After an error of the database. */
const PAUSE_MS = SECOND;

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

export function startWorker({ store, transport, clock, log, settled }: WorkerParts): Worker {
  const underWay = new Map<string, Promise<void>>();
  const giveUp = new AbortController();
  let stopping = false;
  let looking: Promise<void> | null = null;
  let lookAgain = false;
  let timer: Timer | undefined;

  async function deliver(message: Claimed): Promise<void> {
    const started = performance.now();
    let delivery: Delivery;
    try {
      delivery = await transport.deliver(message, giveUp.signal);
    } catch (error) {
      if (giveUp.signal.aborted) return;
      log.error({ messageId: message.messageId, kind: message.kind, error: describeError(error) }, 'a transport failed unexpectedly');
      delivery = { outcome: 'later', code: 'internal_error', reason: error instanceof Error ? error.message : 'unknown' };
    }
    const row = await store.settle(message, delivery);
    if (row) settled(row, delivery, (performance.now() - started) / 1000);
  }

  function start(message: Claimed): void {
    const work = deliver(message)
      .catch((error) =>
        log.error({ messageId: message.messageId, error: describeError(error) }, 'the end of a delivery could not be noted'),
      )
      .finally(() => {
        underWay.delete(message.id);
        wake();
      });
    underWay.set(message.id, work);
  }

  async function look(): Promise<void> {
    for (;;) {
      lookAgain = false;
      const free = transport.concurrency - underWay.size;
      const due = await store.nextDue(transport.kind);
      if (stopping) return;
      const wait = due === null ? LOOK_EVERY_MS : due - clock.now();
      if (free > 0 && wait <= 0) {
        const claimed = await store.claim(transport.kind, free);
        for (const message of claimed) start(message);
        if (claimed.length === free || lookAgain) continue;
      }
      if (lookAgain) continue;
      schedule(wait > 0 ? Math.min(wait, LOOK_EVERY_MS) : LOOK_EVERY_MS);
      return;
    }
  }

  function schedule(ms: number): void {
    clearTimeout(timer);
    if (!stopping) timer = setTimeout(wake, Math.max(1, ms));
  }

  function wake(): void {
    if (stopping) return;
    if (looking) {
      lookAgain = true;
      return;
    }
    if (underWay.size >= transport.concurrency) return;
    looking = look()
      .catch((error) => {
        log.error({ kind: transport.kind, error: describeError(error) }, 'the outbox could not be read');
        schedule(PAUSE_MS);
      })
      .finally(() => {
        looking = null;
        if (lookAgain) wake();
      });
  }

  const renewal = setInterval(() => {
    store.renew([...underWay.keys()]).catch((error) => log.error({ error: describeError(error) }, 'leases could not be renewed'));
  }, LEASE_MS / 3);

  wake();
  return {
    wake,
    async stop(graceMs) {
      stopping = true;
      clearTimeout(timer);
      await looking;
      const late = setTimeout(() => giveUp.abort(), graceMs);
      await Promise.race([Promise.all(underWay.values()), aborted(giveUp.signal)]);
      clearTimeout(late);
      clearInterval(renewal);
      await store.release([...underWay.keys()]);
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
