import { centralHeader, centralHeaderSize, endRecords, LONGEST_PATH, localHeader, localHeaderSize, type ZipEntry } from './records.ts';

export type { ZipEntry } from './records.ts';

/** The bytes `[start, end)` of a member. It must throw when it cannot give all of them. */
export type OpenEntry<Entry> = (entry: Entry, start: number, end: number) => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>;

/** A ZIP file that exists as a layout only: every byte of it is made, or read from its members, when it is asked for. */
export interface Zip {
  /** Bytes of the whole, exactly. */
  readonly length: number;
  /**
   * The bytes `[start, end)`. Opens only the members that have some of them, one after the other.
   * @throws what `open` throws, and Error when a member gives fewer or more bytes than it was said to have
   */
  read(start: number, end: number): AsyncGenerator<Uint8Array, void, undefined>;
}

/** A path has more bytes in UTF-8 than the format can tell (65,535). */
export class PathTooLong extends Error {
  override readonly name = 'PathTooLong';
}

const DIRECTORY_CHUNK = 65_536;

/**
 * Lays out a ZIP of `entries`, in their order, without compression: local headers with the members' bytes, the central
 * directory, the end records (APPNOTE 6.3.10 §4.3.6), with ZIP64 where a classic limit is passed. In memory it takes
 * 16 bytes for each entry beside the entries themselves; headers are made when they are read.
 * @throws PathTooLong
 */
export function layOutZip<Entry extends ZipEntry>(entries: readonly Entry[], open: OpenEntry<Entry>): Zip {
  const count = entries.length;
  // Where each local header and each central header begins; the last number of each is where the part ends.
  const locals = new Float64Array(count + 1);
  const centrals = new Float64Array(count + 1);
  const pathBytes = (entry: Entry) => Buffer.byteLength(entry.path, 'utf8');
  entries.forEach((entry, index) => {
    if (pathBytes(entry) > LONGEST_PATH) throw new PathTooLong('A path has more than 65,535 bytes, which a ZIP cannot hold.');
    locals[index + 1] = at(locals, index) + localHeaderSize(entry, pathBytes(entry)) + entry.size;
  });
  const directoryOffset = at(locals, count);
  centrals[0] = directoryOffset;
  entries.forEach((entry, index) => {
    centrals[index + 1] = at(centrals, index) + centralHeaderSize(entry, at(locals, index), pathBytes(entry));
  });
  const endOffset = at(centrals, count);
  const end = endRecords(count, directoryOffset, endOffset - directoryOffset);
  const length = endOffset + end.length;

  async function* readMembers(from: number, to: number) {
    for (let index = lastAtMost(locals, from); index < count && at(locals, index) < to; index++) {
      const entry = entries[index] as Entry;
      const offset = at(locals, index);
      const next = at(locals, index + 1);
      const dataOffset = next - entry.size;
      if (from < dataOffset) yield localHeader(entry, offset).subarray(Math.max(0, from - offset), to - offset);
      const first = Math.max(from, dataOffset) - dataOffset;
      const last = Math.min(to, next) - dataOffset;
      if (first < last) yield* exactly(await open(entry, first, last), last - first);
    }
  }

  function* readDirectory(from: number, to: number) {
    let index = lastAtMost(centrals, from);
    while (index < count && at(centrals, index) < to) {
      const chunkOffset = at(centrals, index);
      const headers: Buffer[] = [];
      for (; index < count && at(centrals, index) < Math.min(to, chunkOffset + DIRECTORY_CHUNK); index++) {
        headers.push(centralHeader(entries[index] as Entry, at(locals, index)));
      }
      yield Buffer.concat(headers).subarray(Math.max(0, from - chunkOffset), to - chunkOffset);
    }
  }

  return {
    length,
    async *read(from, to) {
      if (from < directoryOffset) yield* readMembers(from, Math.min(to, directoryOffset));
      if (from < endOffset && to > directoryOffset) yield* readDirectory(Math.max(from, directoryOffset), Math.min(to, endOffset));
      if (to > endOffset && from < length) yield end.subarray(Math.max(0, from - endOffset), to - endOffset);
    },
  };
}

/** `bytes`, as long as they are `size` in all: anything else would shift every later offset of the archive. */
async function* exactly(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array, void, undefined> {
  let left = size;
  for await (const chunk of bytes) {
    left -= chunk.byteLength;
    if (left < 0) throw new Error('a member of the ZIP has more bytes than its record says');
    yield chunk;
  }
  if (left > 0) throw new Error('a member of the ZIP has fewer bytes than its record says');
}

/** Index of the last of the ascending `offsets` that is at most `position`; the first must be. */
function lastAtMost(offsets: Float64Array, position: number): number {
  let low = 0;
  let high = offsets.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (at(offsets, middle) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

function at(offsets: Float64Array, index: number): number {
  return offsets[index] ?? 0;
}
