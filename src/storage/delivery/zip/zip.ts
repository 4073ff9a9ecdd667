import { createTimeSlices, groupsInSlices } from '../../../kernel/event-loop/time-slices.ts';
import {
  centralHeader,
  centralHeaderSize,
  endRecords,
  localHeader,
  localHeaderSize,
  MAX_PATH_BYTES,
  type ZipEntry,
} from './records.ts';

export type { ZipEntry } from './records.ts';

export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Returns the bytes `[start, end)` of a member. @throws when it cannot return all of them */
export type OpenEntry<Entry> = (entry: Entry, start: number, end: number) => Chunks | Promise<Chunks>;

/** A ZIP file that exists as a layout only: its bytes are generated, or read from its members, on demand. */
export interface Zip {
  /** Exact size in bytes. */
  readonly length: number;
  /**
   * Returns the bytes `[start, end)`. Opens only the members that contain some of them, one after another.
   * @throws errors of `open`, and Error when a member has fewer or more bytes than declared
   */
  read(start: number, end: number): AsyncGenerator<Uint8Array, void, undefined>;
}

/** A path exceeds the format's limit of 65,535 bytes in UTF-8. */
export class PathTooLong extends Error {
  override readonly name = 'PathTooLong';
}

const DIRECTORY_CHUNK = 65_536;

/**
 * Lays out a ZIP of `entries`, in their order, without compression: local headers with the members' bytes, the
 * central directory, the end records (APPNOTE 6.3.10 §4.3.6), with ZIP64 where a classic limit is exceeded. Takes
 * 16 bytes of memory per entry in addition to the entries; headers are generated when they are read.
 * @throws PathTooLong
 */
export async function layOutZip<Entry extends ZipEntry>(
  entries: readonly Entry[],
  open: OpenEntry<Entry>,
  giveWay = createTimeSlices(),
): Promise<Zip> {
  const count = entries.length;
  // Positions of the local headers, and of the central ones in their directory; the last of each is the end.
  const locals = new Float64Array(count + 1);
  const centrals = new Float64Array(count + 1);
  let index = 0;
  for await (const group of groupsInSlices(entries, giveWay)) {
    for (const entry of group) {
      const offset = at(locals, index);
      const pathBytes = Buffer.byteLength(entry.path, 'utf8');
      if (pathBytes > MAX_PATH_BYTES)
        throw new PathTooLong('A path exceeds the limit of 65,535 bytes of a ZIP file.');
      locals[index + 1] = offset + localHeaderSize(entry, pathBytes) + entry.size;
      centrals[index + 1] = at(centrals, index) + centralHeaderSize(entry, offset, pathBytes);
      index++;
    }
  }
  const directoryOffset = at(locals, count);
  const directorySize = at(centrals, count);
  const endOffset = directoryOffset + directorySize;
  const end = endRecords(count, directoryOffset, directorySize);
  const length = endOffset + end.length;

  async function* readMembers(from: number, to: number) {
    for (let index = lastAtMost(locals, from); index < count && at(locals, index) < to; index++) {
      const entry = entries[index] as Entry;
      const offset = at(locals, index);
      const next = at(locals, index + 1);
      const dataOffset = next - entry.size;
      if (from < dataOffset)
        yield localHeader(entry, offset).subarray(Math.max(0, from - offset), to - offset);
      const first = Math.max(from, dataOffset) - dataOffset;
      const last = Math.min(to, next) - dataOffset;
      if (first < last) yield* exactly(await open(entry, first, last), last - first);
      // Small files are read without a wait in which other work could run.
      await giveWay();
    }
  }

  /** Returns a range of the central directory. */
  async function* readDirectory(from: number, to: number) {
    let index = lastAtMost(centrals, from);
    while (index < count && at(centrals, index) < to) {
      const chunkOffset = at(centrals, index);
      const headers: Buffer[] = [];
      for (; index < count && at(centrals, index) < Math.min(to, chunkOffset + DIRECTORY_CHUNK); index++) {
        headers.push(centralHeader(entries[index] as Entry, at(locals, index)));
      }
      yield Buffer.concat(headers).subarray(Math.max(0, from - chunkOffset), to - chunkOffset);
      await giveWay();
    }
  }

  return {
    length,
    async *read(from, to) {
      if (from < directoryOffset) yield* readMembers(from, Math.min(to, directoryOffset));
      if (from < endOffset && to > directoryOffset)
        yield* readDirectory(
          Math.max(0, from - directoryOffset),
          Math.min(to - directoryOffset, directorySize),
        );
      if (to > endOffset && from < length) yield end.subarray(Math.max(0, from - endOffset), to - endOffset);
    },
  };
}

/**
 * Passes `bytes` on and throws unless they are `size` in all: any other size would shift every later offset of the
 * archive.
 */
async function* exactly(bytes: Chunks, size: number): AsyncGenerator<Uint8Array, void, undefined> {
  let left = size;
  for await (const chunk of bytes) {
    left -= chunk.byteLength;
    if (left < 0) throw new Error('a ZIP member has more bytes than recorded');
    yield chunk;
  }
  if (left > 0) throw new Error('a ZIP member has fewer bytes than recorded');
}

/** Returns the index of the last of the ascending `offsets` that is at most `position`; the first must be. */
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

/** Version of the layout; increase it when the same entries produce different bytes. */
const LAYOUT = 2;

/**
 * Returns a strong entity tag (RFC 9110 §8.8.3) of the ZIP of `entries`, which changes with every byte of the archive.
 * @param entries with the SHA-256 of each member's bytes, since two contents can share a CRC-32
 */
export async function zipTag(
  entries: readonly (ZipEntry & { sha256: string })[],
  giveWay = createTimeSlices(),
): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256').update(`zip ${LAYOUT}`);
  for await (const group of groupsInSlices(entries, giveWay)) {
    const members = group.map(({ path, size, crc32, modified, sha256 }) =>
      JSON.stringify([path, size, crc32, modified, sha256]),
    );
    hash.update(members.join(''));
  }
  return `"${hash.digest('base64url').slice(0, 32)}"`;
}
