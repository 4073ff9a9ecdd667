import { nextRound } from './next-round.ts';

/** Delay that long work may cause to other requests. */
const SLICE_MS = 5;

/**
 * Returns a function to await often in work that takes long on the main thread: every few milliseconds it lets the
 * event loop handle other requests.
 */
export function createTimeSlices(ms = SLICE_MS): () => Promise<void> | undefined {
  let end = performance.now() + ms;
  return () => {
    if (performance.now() < end) return undefined;
    return nextRound().then(() => {
      end = performance.now() + ms;
    });
  };
}
