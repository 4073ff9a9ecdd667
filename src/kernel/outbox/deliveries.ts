import { describeError, type Log } from '../log.ts';
import type { Claimed, Delivery, Transport } from './message.ts';
import type { Attempt } from './outcomes.ts';

export interface FinishedAttempt extends Attempt {
  seconds: number;
  /** Number of times that its outcome could not be recorded. */
  failures: number;
}

/** Deliveries that run on this node with one transport. */
export interface Deliveries {
  /** Number of running deliveries. */
  readonly active: number;
  start(message: Claimed): void;
  /**
   * Aborts the running deliveries. Whether their peers have received them is unknown, so they do not count as
   * finished.
   */
  abort(): void;
  /** Resolves after `abort`. */
  readonly aborted: Promise<void>;
}

interface DeliveriesDeps {
  transport: Transport;
  log: Log;
  finished(attempt: FinishedAttempt): void;
}

export function createDeliveries({ transport, log, finished }: DeliveriesDeps): Deliveries {
  const controller = new AbortController();
  const aborted = new Promise<void>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve());
  });
  let active = 0;

  async function attempt(message: Claimed): Promise<Delivery> {
    try {
      return await transport.deliver(message, controller.signal);
    } catch (error) {
      log.error(
        { messageId: message.messageId, kind: message.kind, error: describeError(error) },
        'unexpected error of a transport',
      );
      const reason = error instanceof Error ? error.message : 'unknown';
      return { outcome: 'later', code: 'internal_error', reason };
    }
  }

  return {
    get active() {
      return active;
    },
    start(message) {
      active++;
      const started = performance.now();
      void attempt(message).then((delivery) => {
        active--;
        if (controller.signal.aborted) return;
        finished({ message, delivery, seconds: (performance.now() - started) / 1000, failures: 0 });
      });
    },
    abort: () => controller.abort(),
    aborted,
  };
}
