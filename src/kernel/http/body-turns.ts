import type { ShortRequests } from '../short-requests.ts';

/** Milliseconds left to short requests for each one in which bodies are handled. */
const SHARE = 6;
/** A longer turn of the event loop was occupied by something else. */
const MAX_TURN_MS = 4;
/** CPU time of what follows a body: its media type, its transaction, the response. */
const COMMIT_MS = 1;

/**
 * Divides the event loop between the bodies of uploads and short requests. While there are short requests, bodies have
 * a seventh of the time: a client that waits for each response would lose a multiple of their time, since it meets
 * bytes that are handled for longer than its request takes. Without short requests, bodies are not delayed.
 */
export interface BodyTurns {
  /** Records that bytes of a body have arrived, which are handled in this turn of the event loop. */
  arrived(): void;
  /** Records that a body has ended, so that its transaction follows. */
  ended(): void;
  /** Resolves when further bytes of a body may be read; undefined = now. */
  next(): Promise<void> | undefined;
}

interface BodyTurnsDeps {
  requests: Pick<ShortRequests, 'areRecent'>;
  /** Time in ms. */
  clock?(): number;
  /** CPU time of this thread in ms: without the time in which it waits for a processor. */
  cpuTime?(): number;
  later?(run: () => void, ms: number): void;
}

export function createBodyTurns({
  requests,
  clock = () => performance.now(),
  cpuTime = threadTime,
  later = setTimeout,
}: BodyTurnsDeps): BodyTurns {
  const waiting: (() => void)[] = [];
  let freeAt = 0;
  /** CPU time at the beginning of this turn of the event loop, in which bytes have arrived. */
  let began = 0;
  let isTurn = false;

  function leaveTime(usedMs: number): void {
    freeAt = Math.max(freeAt, clock()) + usedMs * SHARE;
  }

  function end(): void {
    leaveTime(Math.min(cpuTime() - began, MAX_TURN_MS));
    isTurn = false;
  }

  function release(): void {
    if (!requests.areRecent()) for (const start of waiting.splice(0)) start();
    else if (clock() >= freeAt) waiting.shift()?.();
    if (waiting.length > 0) releaseLater();
  }

  function releaseLater(): void {
    later(release, Math.max(1, freeAt - clock()));
  }

  return {
    arrived() {
      if (isTurn) return;
      isTurn = true;
      began = cpuTime();
      setImmediate(end);
    },
    ended: () => leaveTime(COMMIT_MS),
    next() {
      if (waiting.length === 0 && (clock() >= freeAt || !requests.areRecent())) return undefined;
      const { promise, resolve } = Promise.withResolvers<void>();
      if (waiting.push(resolve) === 1) releaseLater();
      return promise;
    },
  };
}

function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
