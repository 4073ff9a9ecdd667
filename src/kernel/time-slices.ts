/** Delay that long work may cause to other requests. */
const SLICE_MS = 5;

/**
 * Returns a function to await often in work that takes long on the main thread: every few milliseconds it lets the
 * event loop handle other requests. Work that shares the function shares the time: it takes turns.
 */
export function createTimeSlices(ms = SLICE_MS): () => Promise<void> | undefined {
  const waiting: (() => void)[] = [];
  let end = performance.now() + ms;

  function begin(): void {
    end = performance.now() + ms;
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(begin);
  }

  return () => {
    if (performance.now() < end) return undefined;
    return new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(begin);
    });
  };
}
