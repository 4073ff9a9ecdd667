import { SECOND } from '../clock.ts';
import type { Database } from '../database/database.ts';
import type { Signals } from '../database/signals.ts';
import { asUnavailable } from '../errors/unavailable.ts';
import type { GiveWay } from '../event-loop/time-slices.ts';
import { type Attempted, HELD, type PartState } from './message.ts';
import { isFinal } from './message-status.ts';
import { readAttempts } from './queries.ts';

/** Channel of the signals of recorded attempts; the payload is the message id. */
export const ATTEMPTED = 'outbox-attempted';
/** Interval at which the rows are read, since a signal of another node may be lost. */
const POLL_MS = SECOND;
/** Minimum time between two reads for each part: signals arrive for each part, and a read takes all of them. */
const PAUSE_EACH_MS = 1;
/** Parts whose reading takes longer than a millisecond. */
const MANY_PARTS = 100;

/**
 * Waits for the first attempt of a message. Returns the message as it was last read; null when the database could not
 * be read.
 */
export type FirstAttempt = (messageId: string, limitMs: number) => Promise<Attempted | null>;

interface FirstAttemptDeps {
  database: Database;
  signals: Signals;
  giveWay: GiveWay;
}

export function createFirstAttempt({ database, signals, giveWay }: FirstAttemptDeps): FirstAttempt {
  return (messageId, limitMs) =>
    new Promise((resolve, reject) => {
      const started = performance.now();
      let attempted: Attempted | null = null;
      const finish = (settle: () => void) => {
        clearTimeout(limit);
        clearInterval(poll);
        reads.stop();
        unlisten();
        settle();
      };
      const reads = oneAtATime(async () => {
        try {
          if ((attempted?.parts.length ?? 0) > MANY_PARTS) await giveWay();
          const found = await readAttempts(database, messageId);
          attempted = found?.attempted ?? null;
          const remainingMs = limitMs - (performance.now() - started);
          if (found && isAttempted(found.attempted.parts, found.dueInMs, remainingMs))
            finish(() => resolve(found.attempted));
        } catch (error) {
          // The message is stored, so the next read is awaited.
          if (asUnavailable(error) === null) finish(() => reject(error));
        }
        return ((attempted?.parts.length ?? 1) - 1) * PAUSE_EACH_MS;
      });
      const unlisten = signals.listen(ATTEMPTED, (id) => {
        if (id === messageId) reads.request();
      });
      const limit = setTimeout(() => finish(() => resolve(attempted)), limitMs);
      const poll = setInterval(reads.request, POLL_MS);
      reads.request();
    });
}

/**
 * Runs `work` when it is requested, one run at a time. Requests during a run, or in the pause after it, cause one more.
 * @param work returns the length of the pause, ms
 */
function oneAtATime(work: () => Promise<number>): { request(): void; stop(): void } {
  let state: 'idle' | 'busy' | 'requested' | 'stopped' = 'idle';
  const request = () => {
    if (state === 'busy') state = 'requested';
    if (state !== 'idle') return;
    state = 'busy';
    void work().then((pauseMs) => setTimeout(end, Math.max(0, pauseMs)));
  };
  const end = () => {
    if (state === 'stopped') return;
    const isRequested = state === 'requested';
    state = 'idle';
    if (isRequested) request();
  };
  return {
    request,
    stop() {
      state = 'stopped';
    },
  };
}

/** Reports whether all parts are final, one has failed an attempt, or one is not due within `remainingMs`. */
function isAttempted(parts: readonly PartState[], dueInMs: readonly number[], remainingMs: number): boolean {
  const isQueued = parts.map(({ status }) => !isFinal(status));
  if (!isQueued.includes(true)) return true;
  return parts.some(
    ({ errorCode }, index) =>
      isQueued[index] && ((errorCode !== null && errorCode !== HELD) || (dueInMs[index] ?? 0) > remainingMs),
  );
}
