import { openSync, readSync } from 'node:fs';

/** Size of the header of the index, which is followed by a copy. */
const HEADER_BYTES = 48;

/**
 * Returns a function that returns a number that differs after each commit of any process. It compares the header of the
 * index of the log (https://www.sqlite.org/walformat.html#the_wal_index_file_format), which a commit changes before it
 * returns. `PRAGMA data_version` compares it too, within locks, which takes four times as long.
 * @param index the file that ends in `-shm`, which exists as long as the database is open
 * @param query returns `PRAGMA data_version`; used on file systems, such as some network ones, on which reading the
 *   file does not return the memory that processes share. An empty first read indicates such a file system, so make the
 *   first call soon after opening the database
 */
export function createCommitVersion(index: string, query: () => number): () => number {
  const current = Buffer.alloc(HEADER_BYTES);
  const known = Buffer.alloc(HEADER_BYTES);
  let version = 0;
  /** Stays open: closing any descriptor of a file releases the locks of the process on it (fcntl(2)). */
  let descriptor: number | undefined;
  let isReadable = true;

  function open(): number {
    const opened = openSync(index, 'r');
    readSync(opened, current, 0, HEADER_BYTES, 0);
    isReadable = !current.equals(known);
    return opened;
  }

  return () => {
    descriptor ??= open();
    if (!isReadable) return query();
    readSync(descriptor, current, 0, HEADER_BYTES, 0);
    if (!current.equals(known)) {
      current.copy(known);
      version++;
    }
    return version;
  };
}
