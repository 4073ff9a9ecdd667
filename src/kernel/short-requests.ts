/** Time for which a short request counts as a recent one. */
const RECENT_MS = 10;

/**
 * Requests without an upload, most of which occupy the event loop for a fraction of a millisecond. Downloads and ZIP
 * files count as well. Long work leaves them most of the time: alternating with work that takes milliseconds at a time
 * would leave them little.
 */
export interface ShortRequests {
  /** Records a request. */
  record(): void;
  /** Reports whether there was a request within the last 10 ms. */
  areRecent(): boolean;
}

/** @param clock time in ms */
export function createShortRequests(clock = () => performance.now()): ShortRequests {
  let last = Number.NEGATIVE_INFINITY;
  return {
    record() {
      last = clock();
    },
    areRecent: () => clock() - last <= RECENT_MS,
  };
}
