import type { ShortRequests } from '../../event-loop/short-requests.ts';
import { threadTime } from '../../event-loop/time-slices.ts';

/** Milliseconds left to short requests per millisecond spent on bodies. */
const SHARE = 6;
/** Maximum time that a turn of the event loop counts: a longer one was occupied by something else. */
const MAX_TURN_MS = 4;
/** CPU time of the work after the last byte of an upload: media type, transaction, response. */
const COMMIT_MS = 4;
/** Maximum time between two pieces of bodies, so that no number of short requests stops uploads. */
const MAX_WAIT_MS = 60;
/** Time between two checks of whether the next body may be read. */
const CHECK_MS = 1;
/** Maximum share of processor time between two checks at which the event loop counts as idle. */
const IDLE_SHARE = 0.25;

/**
 * Divides the event loop between the bodies of uploads and short requests. While there are short requests,
 * bodies get about a seventh of the time, plus idle time. With equal shares, a client that sends one request
 * after another would wait for a whole piece of a body each time, which takes several times as long as its
 * own request. Without short requests, bodies are not delayed; those that wait begin one after another, since
 * many at once would delay the next short request by all of their work.
 */
export interface BodyTurns {
  /**
   * Records that bytes of a body have arrived, which are handled in this turn of the event loop. Returns the number of
   * the turn, among those with bytes of bodies.
   */
  arrived(): number;
  /** Records that a body has arrived completely, so that its transaction follows. */
  ended(): void;
  /** Resolves when further bytes of a body may be read; undefined = now. */
  next(): Promise<void> | undefined;
}

interface BodyTurnsDeps {
  shortRequests: Pick<ShortRequests, 'areRecent'>;
  /** Time in ms. */
  clock?(): number;
  /** CPU time of this thread in ms. */
  cpuTime?(): number;
  later?(run: () => void, ms: number): void;
}

export function createBodyTurns({
  shortRequests,
  clock = () => performance.now(),
  cpuTime = threadTime,
  later = setTimeout,
}: BodyTurnsDeps): BodyTurns {
  const waiting: (() => void)[] = [];
  /** Until then, the time belongs to short requests. */
  let freeAt = 0;
  /** Time of the last release, or from which the first body has waited. */
  let waitingSince = 0;
  let checked = { at: 0, cpu: 0 };
  /** CPU time at the beginning of this turn of the event loop, in which bytes have arrived. */
  let began = 0;
  let isTurn = false;
  let turn = 0;

  function leaveTime(usedMs: number): void {
    if (!shortRequests.areRecent()) return;
    const now = clock();
    freeAt = Math.min(Math.max(freeAt, now) + usedMs * SHARE, now + MAX_WAIT_MS);
  }

  function end(): void {
    leaveTime(Math.min(cpuTime() - began, MAX_TURN_MS));
    isTurn = false;
  }

  const dueAt = () => Math.min(freeAt, waitingSince + MAX_WAIT_MS);

  const wasIdle = () => cpuTime() - checked.cpu <= (clock() - checked.at) * IDLE_SHARE;

  function check(): void {
    const now = clock();
    if (now >= dueAt() || wasIdle() || !shortRequests.areRecent()) {
      waitingSince = now;
      waiting.shift()?.();
    }
    if (waiting.length > 0) checkLater();
  }

  function checkLater(): void {
    checked = { at: clock(), cpu: cpuTime() };
    later(check, CHECK_MS);
  }

  return {
    arrived() {
      if (isTurn) return turn;
      isTurn = true;
      began = cpuTime();
      setImmediate(end);
      return ++turn;
    },
    ended: () => leaveTime(COMMIT_MS),
    next() {
      const now = clock();
      if (!shortRequests.areRecent() || (waiting.length === 0 && now >= freeAt)) return undefined;
      const { promise, resolve } = Promise.withResolvers<void>();
      if (waiting.push(resolve) === 1) {
        waitingSince = now;
        checkLater();
      }
      return promise;
    },
  };
}
