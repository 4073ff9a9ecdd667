import { SECOND } from '../clock.ts';
import type { Database } from '../database/database.ts';
import type { Signals } from '../database/signals.ts';
import { asUnavailable } from '../unavailable.ts';
import { HELD, type OutboxMessage } from './message.ts';
import { isFinal } from './message-status.ts';
import { partsWithDelay } from './queries.ts';

/** Channel of the signals that an attempt was recorded; the payload is the message id. */
export const ATTEMPTED = 'outbox-attempted';
/** Interval at which the rows are read, since a signal of another node may be lost. */
const POLL_MS = SECOND;

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
        unlisten();
        settle();
      };
      const check = async () => {
        try {
          const rows = await partsWithDelay(database, messageId);
          parts = rows.map(({ part }) => part);
          if (isAttempted(rows, limitMs - (performance.now() - started))) finish(() => resolve(parts));
        } catch (error) {
          // The message is stored, so the next check is awaited.
          if (asUnavailable(error) === null) finish(() => reject(error));
        }
      };
      const unlisten = signals.listen(ATTEMPTED, (attempted) => {
        if (attempted === messageId) void check();
      });
      const limit = setTimeout(() => finish(() => resolve(parts)), limitMs);
      const poll = setInterval(() => void check(), POLL_MS);
      void check();
    });
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
