/**
 * Resolves when the event loop has heard of all that had happened by now: other requests that arrived, timers, messages of
 * peers. Work that waits for it meets what came at the same time, with which it can be done together; without it, one
 * request runs to the end of its transaction before the next is even read, since SQLite works synchronously.
 */
export function nextRound(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
