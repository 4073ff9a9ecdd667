import { asUnavailable } from '../errors/unavailable.ts';
import { nextRound } from '../event-loop/next-round.ts';
import { inThisContext } from '../limits/callers.ts';

/**
 * Maximum sum of the sizes of the items in a batch of several. Bounds the time of a transaction, which blocks the event
 * loop on SQLite.
 */
const MAX_SIZE = 128;
/**
 * Maximum number of rounds of the event loop in which a batch waits to become as large as the previous one.
 * Callers that got their responses together send their next requests together: without the wait, each large
 * batch is followed by a small one, and 5 % fewer messages are accepted and delivered per second (`npm run
 * bench -- chat`).
 */
const GATHER_ROUNDS = 4;

interface Entry<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

interface BatcherDeps<Item, Result> {
  /**
   * Processes a batch; returns the results in the same order. When it throws, the items are processed one by one,
   * unless an engine is unavailable.
   */
  run(items: readonly Item[]): Promise<Result[]>;
  /** Items with the same key go into different batches; null = no key. */
  keyOf(item: Item): string | null;
  /** Number of rows of an item. */
  sizeOf(item: Item): number;
}

/** Returns a function that processes items in batches: those that arrive while a batch runs form the next one. */
export function createBatcher<Item, Result>({
  run,
  keyOf,
  sizeOf,
}: BatcherDeps<Item, Result>): (item: Item) => Promise<Result> {
  let queue: Entry<Item, Result>[] = [];
  let running = false;
  const start = inThisContext(runAll);

  async function runAll(): Promise<void> {
    running = true;
    let previous = 1;
    for (;;) {
      // Requests that arrived together join the batch.
      await nextRound();
      if (queue.length === 0) break;
      for (let round = 1; round < GATHER_ROUNDS && queue.length < previous; round++) await nextRound();
      const batch = takeBatch();
      previous = batch.length;
      await runBatch(batch);
    }
    running = false;
  }

  function takeBatch(): Entry<Item, Result>[] {
    const keys = new Set<string>();
    const batch: Entry<Item, Result>[] = [];
    const later: Entry<Item, Result>[] = [];
    let size = 0;
    for (const entry of queue) {
      const key = keyOf(entry.item);
      const repeats = key !== null && keys.has(key);
      if (key !== null) keys.add(key);
      const sizeWith = size + sizeOf(entry.item);
      if (repeats || (batch.length > 0 && sizeWith > MAX_SIZE)) {
        later.push(entry);
      } else {
        batch.push(entry);
        size = sizeWith;
      }
    }
    queue = later;
    return batch;
  }

  async function runBatch(batch: readonly Entry<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      // One by one, each item would fail too, after as long a wait as the batch.
      if (batch.length === 1 || asUnavailable(error)) for (const { reject } of batch) reject(error);
      // One item may have caused the failure; the others must not fail with it.
      else for (const entry of batch) await runBatch([entry]);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      if (!running) void start();
    });
}
