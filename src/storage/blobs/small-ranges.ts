import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { createCache } from '../../kernel/cache.ts';
import { SECOND } from '../../kernel/clock.ts';
import type { ByteRange } from '../../kernel/content.ts';
import { codeOf } from '../../kernel/errors/code-of.ts';
import { createBuffers } from './buffers.ts';
import type { BlobMissing } from './port.ts';

/** Reads of short ranges of the files of blobs. */
export interface SmallRanges {
  /**
   * Returns the bytes of a range of at most `SMALL_RANGE` bytes.
   * @param size the required size of the whole file
   * @throws BlobMissing when there is no file of that size
   */
  read(key: string, size: number, range: ByteRange): Uint8Array<ArrayBuffer>;
  /**
   * Like `read`, but as one chunk in reused memory, valid until the next is requested: allocating memory for each of
   * many small files would take longer than reading them.
   */
  chunks(key: string, size: number, range: ByteRange): AsyncGenerator<Uint8Array, void, undefined>;
  /** Closes a file, before it is deleted. */
  forget(key: string): void;
}

/** Longer ranges would occupy the event loop while they are read. */
export const SMALL_RANGE = 131_072;
/** Number of unused buffers that are kept. */
const BUFFERS_KEPT = 16;
const OPEN_FILES = 64;
/** Maximum time for which a file stays open; until then, it takes space even if another process deletes it. */
const OPEN_MS = 10 * SECOND;

/**
 * Keeps files open between reads, since players and archive tools request many ranges of one file.
 * @param missing returns the error of a blob that does not exist
 */
export function createSmallRanges(
  pathOf: (key: string) => string,
  missing: (key: string) => BlobMissing,
): SmallRanges {
  const open = createCache<OpenFile>({ max: OPEN_FILES, dropped: ({ descriptor }) => closeSync(descriptor) });
  const buffers = createBuffers(SMALL_RANGE, BUFFERS_KEPT);

  function opened(key: string): OpenFile | null {
    const known = open.get(key);
    if (known) return known;
    const descriptor = openOrNull(pathOf(key));
    if (descriptor === null) return null;
    const file = { descriptor, size: fstatSync(descriptor).size };
    if (open.size === 0) setTimeout(() => open.clear(), OPEN_MS).unref();
    open.set(key, file);
    return file;
  }

  /** Fills `memory` with the bytes from `start` on. */
  function fill(memory: Buffer<ArrayBuffer>, key: string, size: number, start: number): Buffer<ArrayBuffer> {
    const file = opened(key);
    const isWhole =
      file?.size === size && readSync(file.descriptor, memory, 0, memory.length, start) === memory.length;
    if (!isWhole) throw missing(key);
    return memory;
  }

  return {
    read: (key, size, { start, end }) => fill(Buffer.allocUnsafeSlow(end - start), key, size, start),
    async *chunks(key, size, { start, end }) {
      const buffer = buffers.take();
      try {
        yield fill(buffer.subarray(0, end - start), key, size, start);
      } finally {
        buffers.release(buffer);
      }
    },
    forget: (key) => void open.delete(key),
  };
}

interface OpenFile {
  descriptor: number;
  size: number;
}

function openOrNull(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
