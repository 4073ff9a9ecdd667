import { toArrayBuffer } from 'bun:ffi';
import { fstatSync, openSync } from 'node:fs';
import { openCLibrary } from '../../compute/c-library.ts';

/** Size of the header of the index, which is followed by a copy. */
const HEADER_BYTES = 48;

/** Constants of mmap(2), the same on Linux and macOS. */
const PROT_READ = 1;
const MAP_SHARED = 1;
/** The largest address of a process; the result of a failed call is greater. */
const MAX_ADDRESS = 2 ** 57;

/**
 * Returns a function that returns a number that differs after each commit of any process. It compares the
 * header of the index of the log (https://www.sqlite.org/walformat.html#the_wal_index_file_format), which a
 * commit changes before it returns, in the memory that the processes share. `PRAGMA data_version` compares it
 * too, but takes locks, and a hundred times as long.
 * @param index the file that ends in `-shm`; it must exist at the first call, and may not be truncated
 * @param query returns `PRAGMA data_version`, for systems on which the file cannot be mapped
 */
export function createCommitVersion(index: string, query: () => number): () => number {
  const known = new Uint32Array(HEADER_BYTES / Uint32Array.BYTES_PER_ELEMENT);
  let version = 0;
  let current: Uint32Array | null | undefined;
  return () => {
    if (current === undefined) current = map(index);
    if (!current) return query();
    for (let word = 0; word < known.length; word++) {
      if (current[word] === known[word]) continue;
      known.set(current);
      version++;
      break;
    }
    return version;
  };
}

/**
 * Maps the header of a file into the memory of the process; null = impossible, or the file is empty. The descriptor
 * stays open: closing any descriptor of a file releases the locks of the process on it (fcntl(2)).
 */
function map(file: string): Uint32Array | null {
  const descriptor = openSync(file, 'r');
  // Access to memory beyond the end of its file would end the process.
  if (fstatSync(descriptor).size < HEADER_BYTES) return null;
  const library = openCLibrary({
    mmap: { args: ['usize', 'usize', 'i32', 'i32', 'i32', 'i64'], returns: 'ptr' },
  });
  const address = library?.mmap(0, HEADER_BYTES, PROT_READ, MAP_SHARED, descriptor, 0);
  if (!address || address > MAX_ADDRESS) return null;
  return new Uint32Array(toArrayBuffer(address, 0, HEADER_BYTES));
}
