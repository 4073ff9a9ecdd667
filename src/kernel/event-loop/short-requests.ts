/** Time within which two short requests count as recent ones. */
const RECENT_MS = 10;

/**
 * Requests without an upload, most of which occupy the event loop for a fraction of a millisecond. Downloads and ZIP
 * files count as well. Long work leaves them most of the time: alternating with work that takes milliseconds at a time
 * would leave them little.
 */
export interface ShortRequests {
  /** Records a request. */
  record(): void;
  /** Reports whether there were two requests within the last 10 ms: one of them can be the long work itself. */
  areRecent(): boolean;
}

/** @param clock time in ms */
export function createShortRequests(clock = () => performance.now()): ShortRequests {
  let last = Number.NEGATIVE_INFINITY;
  let lastButOne = Number.NEGATIVE_INFINITY;
  return {
    record() {
      lastButOne = last;
      last = clock();
    },
    areRecent: () => clock() - lastButOne <= RECENT_MS,
  };
}
