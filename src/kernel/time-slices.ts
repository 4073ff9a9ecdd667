/** Delay that long work may cause to other requests. */
const SLICE_MS = 5;

/** Number of items between two checks of the clock. */
const ITEMS = 64;

/** Awaited often, it lets the event loop handle other requests when its time is over. */
export type GiveWay = () => Promise<void> | undefined;

/**
 * Returns a function to await often in work that takes long on the main thread: every few milliseconds it lets the
 * event loop handle other requests. Work that shares the function shares the time: it takes turns.
 */
export function createTimeSlices(ms = SLICE_MS): GiveWay {
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

/**
 * Returns the items in small groups, and lets other work run between them: an `await` for each item costs more than
 * most work.
 */
export async function* groupsInSlices<Item>(
  items: readonly Item[],
  giveWay: GiveWay,
): AsyncGenerator<readonly Item[], void, undefined> {
  for (let start = 0; start < items.length; start += ITEMS) {
    yield items.slice(start, start + ITEMS);
    await giveWay();
  }
}
