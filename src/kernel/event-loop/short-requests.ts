/** Time within which short requests count as recent ones. */
const RECENT_MS = 10;
/** Minimum number of recent requests that count as many: 1,600 per second. */
const MANY = 16;

/**
 * Requests without an upload, most of which occupy the event loop for a fraction of a millisecond. Downloads and ZIP
 * files count as well. Long work leaves them most of the time: alternating with work that takes milliseconds at a time
 * would leave them little.
 */
export interface ShortRequests {
  record(): void;
  /** Reports whether there were two requests within the last 10 ms: one of them can be the long work itself. */
  areRecent(): boolean;
  /** Reports whether there were many requests within the last 10 ms. */
  areMany(): boolean;
}

/** @param clock time in ms */
export function createShortRequests(clock = () => performance.now()): ShortRequests {
  /** Times of the last requests, the n-th at index n modulo `MANY`. */
  const times = new Float64Array(MANY).fill(Number.NEGATIVE_INFINITY);
  let count = 0;
  const areWithin = (number: number) => clock() - (times[(count - number + MANY) % MANY] ?? 0) <= RECENT_MS;
  return {
    record() {
      times[count++ % MANY] = clock();
    },
    areRecent: () => areWithin(2),
    areMany: () => areWithin(MANY),
  };
}
