import { batchesOf } from '../batches-of.ts';
import type { ShortRequests } from './short-requests.ts';

/** Maximum delay of other requests by long work. */
const SLICE_MS = 5;
/** Milliseconds left to short requests per millisecond of a slice. */
const SHARE = 6;
/** Maximum time that a slice counts: a longer one was also occupied by something else. */
const MAX_SLICE_MS = 10;

/** Number of items between two checks of the clock. */
const ITEMS = 64;

/**
 * Call it often and await the result: when the time slice is used up, the event loop handles other requests
 * first.
 */
export type GiveWay = () => Promise<void> | undefined;

interface TimeSlicesDeps {
  /** Requests to which the work leaves most of the time. Without them, it only alternates with other work. */
  shortRequests?: Pick<ShortRequests, 'areRecent'>;
  /** Length of a slice. */
  ms?: number;
  /** Time in ms. */
  clock?(): number;
  /** CPU time of this thread in ms. */
  cpuTime?(): number;
  later?(run: () => void, ms: number): void;
}

/**
 * Returns a function to await often in work that takes long on the main thread: every few milliseconds, the event loop
 * handles other requests. Work that shares the function shares the time: it takes turns.
 */
export function createTimeSlices({
  shortRequests,
  ms = SLICE_MS,
  clock = () => performance.now(),
  cpuTime = threadTime,
  later = setTimeout,
}: TimeSlicesDeps = {}): GiveWay {
  const waiting: (() => void)[] = [];
  let began = Number.NEGATIVE_INFINITY;
  let cpuBegan = 0;
  /** Until then, the time belongs to short requests. */
  let freeAt = Number.NEGATIVE_INFINITY;
  /** Whether a slice runs, or is about to. */
  let isActive = false;

  function begin(): void {
    began = clock();
    cpuBegan = cpuTime();
    waiting.shift()?.();
    setImmediate(end);
  }

  /** Counts the CPU time that the slice has used in its turn of the event loop. */
  function end(): void {
    freeAt = clock() + Math.min(cpuTime() - cpuBegan, MAX_SLICE_MS) * SHARE;
    isActive = false;
    if (waiting.length > 0) pause();
  }

  function pause(): void {
    isActive = true;
    const wait = freeAt - clock();
    if (wait > 0 && shortRequests?.areRecent()) later(begin, wait);
    else setImmediate(begin);
  }

  return () => {
    if (clock() - began < ms) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    if (!isActive) pause();
    return promise;
  };
}

/**
 * Returns the items in small groups, between which other work runs: an `await` for each item costs more than most work.
 */
export async function* groupsInSlices<Item>(
  items: readonly Item[],
  giveWay: GiveWay,
): AsyncGenerator<readonly Item[], void, undefined> {
  for (const group of batchesOf(items, ITEMS)) {
    yield group;
    await giveWay();
  }
}

/** Returns the CPU time of this thread in ms: without the time in which it waits for a processor. */
export function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
