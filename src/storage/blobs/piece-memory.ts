import { MB } from '../../kernel/bytes.ts';
import { SECOND } from '../../kernel/clock.ts';

/** Bounds the memory of the pieces of all downloads from a store: pieces are small when others hold much. */
export interface PieceMemory {
  /** Takes memory for the next piece and returns its size, at most `wanted` bytes. Never waits. */
  take(wanted: number): number;
  /** Counts a piece that is held already. */
  hold(bytes: number): void;
  release(bytes: number): void;
}

interface PieceMemoryDeps {
  /** Maximum sum of the pieces larger than the minimum. */
  maxBytes?: number;
  /** Collects garbage before it returns. */
  collect?(): void;
  /** Milliseconds, as of `performance.now()`. */
  now?(): number;
}

const MAX_BYTES = 24 * MB;
/** Part of the free memory that one piece may take, so that a few stopped readers do not hold all of it. */
const SHARE = 1 / 8;
/** Size of the pieces when no memory is free. */
const MIN_PIECE = 65_536;

/**
 * Each piece is a new buffer, and the collector leaves more dead bytes than live ones: 1,000 slow readers took 1,100 MB
 * without these collections and 555 MB with them. A collection blocks all requests for 40 ms or more.
 */
const COLLECT_EVERY = 32 * MB;
const COLLECT_PAUSE_MS = SECOND;
/** Fewer downloads leave little garbage. */
const MANY_PIECES = 32;

export function createPieceMemory({
  maxBytes = MAX_BYTES,
  collect = () => Bun.gc(true),
  now = () => performance.now(),
}: PieceMemoryDeps = {}): PieceMemory {
  let held = 0;
  let count = 0;
  let dead = 0;
  let collectedAt = Number.NEGATIVE_INFINITY;

  function hold(bytes: number): void {
    held += bytes;
    count++;
  }

  function collectGarbage(): void {
    if (dead < COLLECT_EVERY || count < MANY_PIECES || now() - collectedAt < COLLECT_PAUSE_MS) return;
    collect();
    dead = 0;
    collectedAt = now();
  }

  return {
    take(wanted) {
      const bytes = Math.min(wanted, Math.max(MIN_PIECE, Math.floor((maxBytes - held) * SHARE)));
      hold(bytes);
      return bytes;
    },
    hold,
    release(bytes) {
      held -= bytes;
      count--;
      dead += bytes;
      collectGarbage();
    },
  };
}
