import { SECOND } from '../clock.ts';
import type { Database } from '../database/database.ts';
import type { Signals } from '../database/signals.ts';
import { asUnavailable } from '../errors/unavailable.ts';
import { HELD, type OutboxMessage } from './message.ts';
import { isFinal } from './message-status.ts';
import { partsWithDelay } from './queries.ts';

/** Channel of the signals of recorded attempts; the payload is the message id. */
export const ATTEMPTED = 'outbox-attempted';
/** Interval at which the rows are read, since a signal of another node may be lost. */
const POLL_MS = SECOND;
/** Minimum time between two reads for each part: signals arrive for each part, and a read takes all of them. */
const PAUSE_EACH_MS = 1;

/**
 * Waits for the first attempt of a message. Returns its parts as they were last read; none when the database could not
 * be read.
 */
export type FirstAttempt = (messageId: string, limitMs: number) => Promise<OutboxMessage[]>;

export function createFirstAttempt({
  database,
  signals,
}: {
  database: Database;
  signals: Signals;
}): FirstAttempt {
  return (messageId, limitMs) =>
    new Promise((resolve, reject) => {
      const started = performance.now();
      let parts: OutboxMessage[] = [];
      const finish = (settle: () => void) => {
        clearTimeout(limit);
        clearInterval(poll);
        reads.stop();
        unlisten();
        settle();
      };
      const reads = oneAtATime(async () => {
        try {
          const rows = await partsWithDelay(database, messageId);
          parts = rows.map(({ part }) => part);
          if (isAttempted(rows, limitMs - (performance.now() - started))) finish(() => resolve(parts));
        } catch (error) {
          // The message is stored, so the next read is awaited.
          if (asUnavailable(error) === null) finish(() => reject(error));
        }
        return (parts.length - 1) * PAUSE_EACH_MS;
      });
      const unlisten = signals.listen(ATTEMPTED, (attempted) => {
        if (attempted === messageId) reads.request();
      });
      const limit = setTimeout(() => finish(() => resolve(parts)), limitMs);
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
function isAttempted(
  parts: readonly { part: OutboxMessage; dueInMs: number }[],
  remainingMs: number,
): boolean {
  const queued = parts.filter(({ part }) => !isFinal(part.status));
  if (queued.length === 0) return parts.length > 0;
  return queued.some(
    ({ part, dueInMs }) => (part.errorCode !== null && part.errorCode !== HELD) || dueInMs > remainingMs,
  );
}
