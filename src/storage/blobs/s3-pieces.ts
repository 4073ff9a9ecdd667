import type { ByteRange } from '../../kernel/byte-range.ts';

/** Requests a range of an object; an iterator that is returned early ends its request. */
export type RequestPiece = (range: ByteRange) => Promise<ReadableStream<Uint8Array>>;

interface PiecesDeps {
  request: RequestPiece;
  large: LargePieces;
  /** Milliseconds, as of `performance.now()`. */
  now?(): number;
}

/** Bytes of the first request, and of each one for a slow reader. */
export const FIRST_PIECE = 262_144;
/** Maximum bytes of a piece that is read completely before it is passed on. */
const WHOLE_PIECE = 1_048_576;
/** Long enough for the latency of a request to matter little. */
const LARGE_PIECE = 8_388_608;
/** Minimum bytes per millisecond of a fast reader. */
const FAST = 1_024;
/** Maximum number of large pieces under way. */
const MAX_LARGE = 16;

/** Counts the large pieces that are being read. */
export interface LargePieces {
  /** Returns false when too many are under way. */
  take(): boolean;
  release(): void;
}

export function createLargePieces(max = MAX_LARGE): LargePieces {
  let count = 0;
  return {
    take() {
      if (count === max) return false;
      count++;
      return true;
    },
    release: () => void count--,
  };
}

/**
 * Returns the bytes of a range that follow its first piece, in successive requests. Bun holds about 2 MB of each
 * response that is read slowly, which no limit counts. Therefore a piece is read completely before it is passed on, so
 * that `SendMemory` counts its bytes; only fast readers get large ones, which are streamed, a limited number at once.
 */
export async function* piecesOf(
  { request, large, now = () => performance.now() }: PiecesDeps,
  first: Uint8Array<ArrayBuffer>,
  { start, end }: ByteRange,
): AsyncGenerator<Uint8Array, void, undefined> {
  let at = start + first.length;
  let length = FIRST_PIECE;
  let since = now();
  yield first;
  let isFast = first.length > (now() - since) * FAST;
  while (at < end) {
    length = isFast ? Math.min(length * 2, LARGE_PIECE) : FIRST_PIECE;
    const isLarge = length > WHOLE_PIECE && large.take();
    if (!isLarge) length = Math.min(length, WHOLE_PIECE);
    const next = Math.min(at + length, end);
    try {
      const body = await request({ start: at, end: next });
      since = now();
      if (isLarge) yield* body;
      else yield await new Response(body).bytes();
    } finally {
      if (isLarge) large.release();
    }
    isFast = next - at > (now() - since) * FAST;
    at = next;
  }
}
