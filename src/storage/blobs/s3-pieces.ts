import type { ByteRange } from '../../kernel/content.ts';
import type { PieceMemory } from './piece-memory.ts';

/** Requests a range of an object; an iterator that is returned early ends its request. */
type RequestPiece = (range: ByteRange) => Promise<ReadableStream<Uint8Array>>;

interface PiecesDeps {
  request: RequestPiece;
  memory: PieceMemory;
  /** Milliseconds, as of `performance.now()`. */
  now?(): number;
}

/** Maximum bytes of the first piece, and of each one for a slow reader. */
const SLOW_PIECE = 262_144;
/** Long enough for the latency of a request to matter little. */
const LARGE_PIECE = 8_388_608;
/** Minimum bytes of a piece that is streamed, and the bytes of it that Bun holds while it is read slowly. */
const STREAMED = 2_097_152;
/** Minimum bytes per millisecond of a fast reader. */
const FAST = 1_024;

/** Returns the first bytes of a range, all of them if it is short. Takes memory only while they arrive. */
export async function firstPiece(
  { request, memory }: PiecesDeps,
  { start, end }: ByteRange,
): Promise<Uint8Array<ArrayBuffer>> {
  const length = memory.take(Math.min(SLOW_PIECE, end - start));
  try {
    const body = await request({ start, end: start + length });
    return new Uint8Array(await new Response(body).arrayBuffer());
  } finally {
    memory.release(length);
  }
}

/**
 * Returns the bytes of a range, whose first piece was read before, in successive requests: Bun holds up to 2 MB of a
 * response that is read slowly, which no limit counts. A piece is read completely before it is passed on, and held
 * until the reader requests the next one. Fast readers get larger pieces while there is memory, and finally streamed
 * ones.
 */
export async function* readPieces(
  { request, memory, now = () => performance.now() }: PiecesDeps,
  first: Uint8Array<ArrayBuffer>,
  { start, end }: ByteRange,
): AsyncGenerator<Uint8Array, void, undefined> {
  let since = now();
  memory.hold(first.length);
  try {
    yield first;
  } finally {
    memory.release(first.length);
  }
  let { length } = first;
  for (let at = start + length; at < end; at += length) {
    const isFast = length > (now() - since) * FAST;
    const wanted = Math.min(isFast ? Math.min(length * 2, LARGE_PIECE) : SLOW_PIECE, end - at);
    const held = memory.take(Math.min(wanted, STREAMED));
    const isStreamed = held === STREAMED;
    length = isStreamed ? wanted : held;
    try {
      const body = await request({ start: at, end: at + length });
      since = now();
      if (isStreamed) yield* body;
      else yield await new Response(body).bytes();
    } finally {
      memory.release(held);
    }
  }
}
