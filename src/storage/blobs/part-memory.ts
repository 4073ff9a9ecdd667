import { MB } from '../../kernel/bytes.ts';
import { SECOND } from '../../kernel/clock.ts';
import { unavailableFor } from '../../kernel/errors/unavailable.ts';
import { memoryShare } from '../../kernel/limits/memory-share.ts';
import type { Problem } from '../../kernel/problem.ts';

/** The bytes of a part of an object, held in memory until they are sent. */
export interface HeldPart {
  /**
   * Counts further bytes. Wait for the returned promise, if any, before holding them.
   * @throws Problem 503 `unavailable` when the part is given up
   */
  add(bytes: number): Promise<void> | undefined;
  /** Call before the part is sent: from now on it does not grow, and is not given up. */
  seal(): void;
  /** Call when the bytes are sent or dropped. */
  release(): void;
}

/**
 * Bounds the memory of the parts of all uploads to a store. A part that would exceed the bound waits, in the order of
 * arrival, until others are sent. When none that is being sent leaves room for it, because clients send slowly, the
 * part that holds the most bytes for the longest time is given up, so that slow clients do not stop all uploads.
 */
export interface PartMemory {
  /** @param giveUp called when the part is given up; must drop its bytes */
  open(giveUp: (reason: Problem) => void): HeldPart;
  /**
   * Reports whether at least half of the bound would remain for other uploads after `bytes` more. Only then may an
   * upload hold more than it needs.
   */
  hasSpare(bytes: number): boolean;
}

export interface MemoryLimits {
  /** Maximum sum of the bytes of all parts but those `beyond`. */
  sharedBytes: number;
  /**
   * Number of parts that may grow to their full size beyond `sharedBytes`: otherwise, parts that are half full would
   * wait for each other forever.
   */
  beyond: number;
  /** Time that the first waiting part waits before another is given up, in ms. */
  waitMs: number;
}

/** With parts of 8 MB, 256 MB in all where there are 2 GB of memory or more. */
const LIMITS = {
  sharedBytes: { share: 1 / 8, least: 32 * MB, most: 224 * MB },
  beyond: 4,
  waitMs: 10 * SECOND,
};

interface Part {
  bytes: number;
  /** Time of the first bytes, in ms. */
  since: number;
  isSealed: boolean;
  isBeyond: boolean;
  waiting: { bytes: number; resolve(): void; reject(reason: Problem): void } | null;
  giveUp(reason: Problem): void;
}

export function createPartMemory(limits?: MemoryLimits): PartMemory {
  const room = createRoom(limits ?? { ...LIMITS, sharedBytes: memoryShare(LIMITS.sharedBytes) });
  return {
    open(giveUp) {
      const part: Part = { bytes: 0, since: 0, isSealed: false, isBeyond: false, waiting: null, giveUp };
      return {
        add: (bytes) => room.add(part, bytes),
        seal() {
          part.isSealed = true;
        },
        release: () => room.release(part),
      };
    },
    hasSpare: room.hasSpare,
  };
}

function createRoom({ sharedBytes, beyond, waitMs }: MemoryLimits) {
  const parts = new Set<Part>();
  let total = 0;
  let countBeyond = 0;
  const queue = createQueue({ admit, overdue: makeRoom, waitMs });

  /** Counts bytes of a part if there is room for them. */
  function admit(part: Part, bytes: number): boolean {
    if (!part.isBeyond && total + bytes > sharedBytes) {
      if (countBeyond >= beyond) return false;
      part.isBeyond = true;
      countBeyond++;
    }
    if (part.bytes === 0) part.since = performance.now();
    part.bytes += bytes;
    total += bytes;
    parts.add(part);
    return true;
  }

  function release(part: Part): void {
    parts.delete(part);
    total -= part.bytes;
    part.bytes = 0;
    if (part.isBeyond) countBeyond--;
    part.isBeyond = false;
    queue.remove(part);
  }

  /** Gives up a part, unless those that are being sent will leave room for `bytes`. */
  function makeRoom(bytes: number): void {
    const now = performance.now();
    const cost = (part: Part) => part.bytes * (now - part.since);
    let sent = 0;
    let worst: Part | null = null;
    for (const part of parts) {
      if (part.isSealed) sent += part.bytes;
      else if (!part.waiting && (!worst || cost(part) > cost(worst))) worst = part;
    }
    if (!worst || total - sent + bytes <= sharedBytes) return;
    worst.giveUp(unavailableFor('The server holds too many bytes of slow uploads. Try again.'));
    release(worst);
  }

  return {
    release,
    hasSpare: (bytes: number) => total + bytes <= sharedBytes / 2,
    add: (part: Part, bytes: number) =>
      (part.isBeyond || queue.isEmpty()) && admit(part, bytes) ? undefined : queue.wait(part, bytes),
  };
}

interface QueueDeps {
  admit(part: Part, bytes: number): boolean;
  /** Called each time that the first part has waited for `waitMs`. */
  overdue(bytes: number): void;
  waitMs: number;
}

/** The parts that wait for room, in the order of arrival. */
function createQueue({ admit, overdue, waitMs }: QueueDeps) {
  const queue = new Set<Part>();
  let timer: Timer | undefined;
  let timed: Part | undefined;

  function admitWaiting(): void {
    for (const part of queue) {
      const { waiting } = part;
      if (waiting && !admit(part, waiting.bytes)) break;
      queue.delete(part);
      part.waiting = null;
      waiting?.resolve();
    }
    const [first] = queue;
    if (first === timed) return;
    clearInterval(timer);
    timed = first;
    if (first) timer = setInterval(() => overdue(first.waiting?.bytes ?? 0), waitMs).unref();
  }

  return {
    isEmpty: () => queue.size === 0,
    wait(part: Part, bytes: number): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      part.waiting = { bytes, resolve, reject };
      queue.add(part);
      admitWaiting();
      return promise;
    },
    /** Ends the wait of a part that is released, and admits others. */
    remove(part: Part): void {
      queue.delete(part);
      part.waiting?.reject(unavailableFor('The upload has ended.'));
      part.waiting = null;
      admitWaiting();
    },
  };
}
