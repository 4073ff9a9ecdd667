import type { Log } from '../log.ts';
import { type Claimed, type Delivery, held, later, type Run, refused, type Transport } from './message.ts';
import type { Attempt } from './outcomes.ts';

/** Time after which a run ends: its rows cannot be cancelled while they are leased. */
const RUN_MS = 50;
const MAX_RUN = 16;

export interface FinishedAttempt extends Attempt {
  seconds: number;
}

/** Deliveries that run on this node with one transport. */
export interface Deliveries {
  /** Number of runs that are being delivered. */
  readonly active: number;
  /** Clients of these runs; '' = none. */
  readonly busyClients: readonly string[];
  /** Number of rows that a run should have: as many as can be sent in time at the pace of the last ones. */
  readonly runLength: number;
  /** Delivers the rows one after the other, until one is not sent, one is missing, or the time is up. */
  start(run: Run): void;
  /**
   * Aborts the running deliveries. Whether their peers have received them is unknown, so they do not count as
   * finished.
   */
  abort(): void;
  /** Aborts the running deliveries, which then count as not attempted: their leases have ended. */
  interrupt(): void;
  /** Resolves after `abort`. */
  readonly aborted: Promise<void>;
}

interface DeliveriesDeps {
  transport: Transport;
  log: Log;
  finished(attempt: FinishedAttempt): void;
  /** Called with the rest of a run that ended, before the last attempt is reported. */
  unused(rest: Run): void;
  /** Returns milliseconds since any fixed time; never goes back. */
  now?(): number;
}

export function createDeliveries(deps: DeliveriesDeps): Deliveries {
  const { transport, log, finished, unused, now = () => performance.now() } = deps;
  const controller = new AbortController();
  const aborted = new Promise<void>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve());
  });
  const interruptible = () => {
    const interruption = new AbortController();
    const signal = AbortSignal.any([controller.signal, interruption.signal]);
    return { signal, interrupt: () => interruption.abort() };
  };
  /** Of the runs that start now. */
  let current = interruptible();
  const underWay = new Set<Run>();
  /** Estimated time to deliver a row, ms. */
  let pace = RUN_MS;

  async function attempt(message: Claimed, signal: AbortSignal): Promise<Delivery> {
    if (message.isOverdue) return overdue(message);
    try {
      return await transport.deliver(message, signal);
    } catch (error) {
      if (signal.aborted && !controller.signal.aborted) return held('the process was suspended', 0);
      log.error(
        { messageId: message.messageId, kind: message.kind, error },
        'unexpected error of a transport',
      );
      const reason = error instanceof Error ? error.message : 'unknown';
      return later('internal_error', reason);
    }
  }

  async function deliver(run: Run): Promise<void> {
    const started = now();
    const { signal } = current;
    for (const [index, message] of run.entries()) {
      const begun = now();
      const delivery = await attempt(message, signal);
      if (controller.signal.aborted) break;
      const ended = now();
      // Decreases slowly: in a slower lane, most rows of a long run would be leased for nothing.
      pace = Math.max(ended - begun, delivery.outcome === 'sent' ? pace / 2 : pace);
      const next = run[index + 1];
      const continues =
        next?.position === message.position + 1 && delivery.outcome === 'sent' && ended - started < RUN_MS;
      if (!continues) {
        underWay.delete(run);
        if (next) unused(run.slice(index + 1));
      }
      finished({ message, delivery, seconds: (ended - begun) / 1000 });
      if (!continues) return;
    }
    underWay.delete(run);
  }

  return {
    get active() {
      return underWay.size;
    },
    get busyClients() {
      return [...new Set([...underWay].map(([first]) => first?.clientId ?? ''))];
    },
    get runLength() {
      return transport.inRuns ? Math.max(1, Math.min(MAX_RUN, Math.floor(RUN_MS / pace))) : 1;
    },
    start(run) {
      underWay.add(run);
      void deliver(run);
    },
    abort: () => controller.abort(),
    interrupt() {
      current.interrupt();
      current = interruptible();
    },
    aborted,
  };
}

/**
 * Fails a message that kills the process at each attempt, or whose deadline passed while the server was
 * stopped or in a backup.
 */
function overdue({ error }: Claimed): Delivery {
  const reason = 'the message could not be delivered within 24 hours';
  return refused('deadline', error === null ? reason : `${reason}: ${error}`);
}
