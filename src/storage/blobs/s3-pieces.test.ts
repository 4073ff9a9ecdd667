import { expect, test } from 'bun:test';
import { MB } from '../../kernel/bytes.ts';
import { createPieceMemory, type PieceMemory } from './piece-memory.ts';
import { firstPiece, readPieces } from './s3-pieces.ts';

const SIZE = 40 * MB;
const RANGE = { start: 0, end: SIZE };

/** Opens downloads that share a memory, and counts the bytes that they have requested and not yet passed on. */
function openDownloads(memory: PieceMemory) {
  let held = 0;
  let peak = 0;
  async function* download(): AsyncGenerator<number> {
    let requested = 0;
    let passed = 0;
    const deps = {
      memory,
      // Readers who take each piece at once.
      now: () => 0,
      async request({ start, end }: { start: number; end: number }) {
        // Of a longer response, Bun holds 2 MB at most.
        requested = passed + Math.min(end - start, 2 * MB);
        held += requested - passed;
        peak = Math.max(peak, held);
        return new Response(new Uint8Array(end - start)).body as ReadableStream<Uint8Array>;
      },
    };
    const first = await firstPiece(deps, RANGE);
    for await (const chunk of readPieces(deps, first, RANGE)) {
      yield chunk.length;
      held -= Math.min(chunk.length, requested - passed);
      passed += Math.min(chunk.length, requested - passed);
    }
  }
  return { download, peak: () => peak };
}

test('the pieces of many downloads that stop hold a bounded number of bytes', async () => {
  const { download, peak } = openDownloads(createPieceMemory());
  const downloads = Array.from({ length: 400 }, download);
  for (let round = 0; round < 8; round++) await Promise.all(downloads.map((each) => each.next()));
  // 24 MB, and 64 KB for each download.
  expect(peak()).toBeLessThanOrEqual(24 * MB + 400 * 65_536);
});

test('a download that is alone gets large pieces, and each byte once', async () => {
  const ranges: { start: number; end: number }[] = [];
  const deps = {
    memory: createPieceMemory(),
    now: () => 0,
    async request(range: { start: number; end: number }) {
      ranges.push(range);
      return new Response(new Uint8Array(range.end - range.start)).body as ReadableStream<Uint8Array>;
    },
  };
  let received = 0;
  const first = await firstPiece(deps, RANGE);
  for await (const chunk of readPieces(deps, first, RANGE)) received += chunk.length;
  expect(received).toBe(SIZE);
  expect(ranges.map(({ start }) => start)).toEqual([0, ...ranges.slice(0, -1).map(({ end }) => end)]);
  expect(Math.max(...ranges.map(({ start, end }) => end - start))).toBe(8 * MB);
});

test('downloads that end or are left release their memory', async () => {
  const memory = createPieceMemory();
  const { download } = openDownloads(memory);
  for (let count = 0; count < 20; count++) {
    const left = download();
    for (let piece = 0; piece < 5; piece++) await left.next();
    await left.return(0);
  }
  expect(memory.take(2 * MB)).toBe(2 * MB);
});
