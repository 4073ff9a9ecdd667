import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { ByteRange } from '../../kernel/byte-range.ts';
import { createCache } from '../../kernel/cache.ts';
import { SECOND } from '../../kernel/clock.ts';

/** Reads of short ranges of files. */
export interface SmallRanges {
  /**
   * Returns the bytes of a range of at most `SMALL_RANGE` bytes; null = there is no file of that size.
   * @param size the required size of the whole file
   * @param memory of the length of the range, for its bytes
   */
  read(
    path: string,
    size: number,
    range: ByteRange,
    memory?: Buffer<ArrayBuffer>,
  ): Uint8Array<ArrayBuffer> | null;
  /** Closes a file, before it is deleted. */
  forget(path: string): void;
}

/** Longer ranges would occupy the event loop while they are read. */
export const SMALL_RANGE = 131_072;
const OPEN_FILES = 64;
/** Until then, a file that another process deletes occupies its space. */
const OPEN_MS = 10 * SECOND;

/** Keeps files open between reads, since players and archive tools request many ranges of one file. */
export function createSmallRanges(): SmallRanges {
  const open = createCache<OpenFile>({ max: OPEN_FILES, dropped: ({ descriptor }) => closeSync(descriptor) });

  function opened(path: string): OpenFile | null {
    const known = open.get(path);
    if (known) return known;
    const descriptor = openOrNull(path);
    if (descriptor === null) return null;
    const file = { descriptor, size: fstatSync(descriptor).size };
    if (open.size === 0) setTimeout(() => open.clear(), OPEN_MS).unref();
    open.set(path, file);
    return file;
  }

  return {
    read(path, size, { start, end }, memory = Buffer.allocUnsafeSlow(end - start)) {
      const file = opened(path);
      if (file?.size !== size) return null;
      const length = readSync(file.descriptor, memory, 0, memory.length, start);
      return length === memory.length ? memory : null;
    },
    forget: (path) => void open.delete(path),
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
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
