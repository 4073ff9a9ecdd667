/**
 * Resolves after the event loop has handled all pending events: requests, timers, messages of peers. Work that
 * waits for it can be batched with work that arrived at the same time. Without it, one request runs to the end of
 * its transaction before the next is read, because SQLite works synchronously.
 */
export function nextRound(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
