import { MB } from '../../kernel/bytes.ts';

/** Bounds the memory of the pieces of all downloads from a store: pieces are small when others hold much. */
export interface PieceMemory {
  /** Takes memory for the next piece and returns its size, at most `wanted` bytes. Never waits. */
  take(wanted: number): number;
  /** Counts a piece that is held already. */
  hold(bytes: number): void;
  release(bytes: number): void;
}

/** Maximum sum of the pieces larger than the minimum. */
const MAX_BYTES = 24 * MB;
/** Part of the free memory that one piece may take, so that a few stopped readers do not hold all of it. */
const SHARE = 1 / 8;
/** Size of the pieces when no memory is free. */
const MIN_PIECE = 65_536;

export function createPieceMemory(): PieceMemory {
  let held = 0;

  function hold(bytes: number): void {
    held += bytes;
  }

  return {
    take(wanted) {
      const bytes = Math.min(wanted, Math.max(MIN_PIECE, Math.floor((MAX_BYTES - held) * SHARE)));
      hold(bytes);
      return bytes;
    },
    hold,
    release: (bytes) => hold(-bytes),
  };
}
