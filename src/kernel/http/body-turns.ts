/** Time for which another request counts as a recent one. */
const RECENT_MS = 10;
/** Time left to other requests for each millisecond in which bytes of a body are handled. */
const SHARE = 2;
/** A longer turn of the event loop was occupied by something else, or the process had to wait. */
const MAX_TURN_MS = 4;

/**
 * Divides the event loop between the bodies of uploads and other requests. The bytes of a body occupy the loop for
 * milliseconds at a time, a short request for a fraction of one, so that alternating would leave it little. While there
 * are other requests, bytes are handled for a third of the time. Without other requests, bodies are not delayed.
 */
export interface BodyTurns {
  /** Records a request without such a body. */
  other(): void;
  /** Records that bytes of a body have arrived, which are handled in this turn of the event loop. */
  arrived(): void;
  /** Resolves when further bytes of a body may be read; undefined = now. */
  next(): Promise<void> | undefined;
}

interface BodyTurnsDeps {
  /** Time in ms. */
  clock?(): number;
  later?(run: () => void, ms: number): void;
}

export function createBodyTurns({
  clock = () => performance.now(),
  later = setTimeout,
}: BodyTurnsDeps = {}): BodyTurns {
  const waiting: (() => void)[] = [];
  let lastOther = Number.NEGATIVE_INFINITY;
  let freeAt = 0;
  /** Beginning of this turn of the event loop, in which bytes have arrived. */
  let began = 0;
  let isTurn = false;

  const isAlone = (now: number) => now - lastOther > RECENT_MS;

  function end(): void {
    const now = clock();
    freeAt = now + Math.min(now - began, MAX_TURN_MS) * SHARE;
    isTurn = false;
  }

  function release(): void {
    const now = clock();
    if (isAlone(now)) for (const start of waiting.splice(0)) start();
    else if (now >= freeAt) waiting.shift()?.();
    if (waiting.length > 0) releaseLater(now);
  }

  function releaseLater(now: number): void {
    later(release, Math.max(1, freeAt - now));
  }

  return {
    other() {
      lastOther = clock();
    },
    arrived() {
      if (isTurn) return;
      isTurn = true;
      began = clock();
      setImmediate(end);
    },
    next() {
      const now = clock();
      if (waiting.length === 0 && (now >= freeAt || isAlone(now))) return undefined;
      const { promise, resolve } = Promise.withResolvers<void>();
      if (waiting.push(resolve) === 1) releaseLater(now);
      return promise;
    },
  };
}
