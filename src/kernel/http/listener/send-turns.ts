import { MB } from '../../bytes.ts';

/** Maximum bytes of long responses that are sent in a turn of the event loop: about a millisecond. */
const BYTES_AT_ONCE = MB;

/**
 * Divides the event loop between all long responses, so that they leave time for other requests: with chunks that are
 * available immediately and a fast client, a response could be sent without a turn of the event loop. Waiting responses
 * continue in order.
 */
export interface SendTurns {
  /** Resolves when a response that has sent `bytes` may send as many again; undefined = now. */
  next(bytes: number): Promise<void> | undefined;
}

interface Waiting {
  bytes: number;
  resume(): void;
}

export function createSendTurns(): SendTurns {
  const waiting: Waiting[] = [];
  let left = BYTES_AT_ONCE;
  let isTurn = false;

  function take(bytes: number): void {
    left -= bytes;
    if (isTurn) return;
    isTurn = true;
    setImmediate(beginTurn);
  }

  function beginTurn(): void {
    isTurn = false;
    left = BYTES_AT_ONCE;
    while (left > 0) {
      const next = waiting.shift();
      if (!next) return;
      take(next.bytes);
      next.resume();
    }
  }

  return {
    next(bytes) {
      if (left > 0 && waiting.length === 0) {
        take(bytes);
        return undefined;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ bytes, resume: resolve });
      return promise;
    },
  };
}
