import { existsSync, mkdirSync, statSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SECOND } from '../../kernel/clock.ts';
import { codeOf } from '../../kernel/errors/code-of.ts';
import { Unavailable } from '../../kernel/errors/unavailable.ts';
import { newId } from '../../kernel/ids.ts';
import { createBuffers } from './buffers.ts';
import { chunksOfFile } from './file-chunks.ts';
import { type FileOperations, systemFiles } from './file-operations.ts';
import { createFileWriter } from './file-writer.ts';
import { type BlobFacts, BlobMissing, type Blobs } from './port.ts';
import { createSmallRanges, SMALL_RANGE } from './small-ranges.ts';
import { withTimeLimit } from './time-limit.ts';

const UNFINISHED = 'unfinished';
/** Bytes of one write: large enough for few calls, small enough to bound the memory of many uploads. */
const BUFFER = 262_144;
const BUFFERS_KEPT = 64;
/** Bytes of one read, and the number of buffers that are kept. */
const READS = { small: [65_536, 64], large: [524_288, 16] } as const;
/** One block of most file systems, so that writing it fails on a full disk. */
const PROBE = Buffer.alloc(4_096);
const FOLDER = /^[0-9a-f]{2}$/;

/**
 * Blobs as files in `directory`, spread over 256 subfolders by the last (random) characters of their keys. A directory
 * is synced when this process first uses it, even if it exists: the process that created it may have ended before
 * syncing it. Subfolders that are removed are created again; `directory` is not, since it may be unmounted.
 */
export function openLocalBlobs(
  directory: string,
  operations: FileOperations = withTimeLimit(systemFiles),
): Blobs {
  const unfinished = join(directory, UNFINISHED);
  const files = whilePresent(operations, throwIfGone);
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  syncNow(dirname(directory));
  const original = identityOf(directory);
  /** The folders that this process has synced. */
  const folders = new Set<string>();
  const buffers = createBuffers(BUFFER, BUFFERS_KEPT);
  const reading = { files, small: createBuffers(...READS.small), large: createBuffers(...READS.large) };
  const folderOf = (key: string) => join(directory, key.slice(-2));
  const pathOf = (key: string) => join(folderOf(key), key);
  const smallRanges = createSmallRanges(pathOf, missing);

  /**
   * Creates the folder of unfinished blobs if only that was removed.
   * @throws Unavailable when the directory was removed or unmounted, with all of its blobs
   */
  function throwIfGone(cause?: unknown): void {
    if (existsSync(unfinished)) return;
    folders.clear();
    if (identityOf(directory) !== original)
      throw new Unavailable('blobs', `the directory ${unfinished} does not exist`, { cause });
    mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  }

  /** @throws Unavailable when all blobs are missing */
  function missing(key: string): BlobMissing {
    throwIfGone();
    return new BlobMissing(key);
  }

  /** Creates a folder durably, unless it exists and this process has synced it. */
  function createFolder(path: string): void {
    if (folders.has(path) && existsSync(path)) return;
    throwIfGone();
    mkdirSync(path, { recursive: true, mode: 0o700 });
    syncNow(directory);
    folders.add(path);
  }

  async function sync(path: string): Promise<void> {
    const descriptor = files.open(path, 'r');
    await files.sync(descriptor).finally(() => files.close(descriptor));
  }

  function syncNow(path: string): void {
    const descriptor = files.open(path, 'r');
    files.syncNow(descriptor);
    files.close(descriptor);
  }

  return {
    create(key) {
      const folder = folderOf(key);
      return createFileWriter({
        files,
        temporary: join(unfinished, key),
        target: pathOf(key),
        buffers,
        prepare: () => createFolder(folder),
        syncDirectory: () => sync(folder),
      });
    },
    read(key, size, range) {
      if (range && range.end - range.start <= SMALL_RANGE)
        return range.isTransient ? smallRanges.chunks(key, size, range) : smallRanges.read(key, size, range);
      const path = pathOf(key);
      if (statSync(path, { throwIfNoEntry: false })?.size !== size) throw missing(key);
      if (size <= SMALL_RANGE) return wholeFile(path, key, size);
      return chunksOfFile(reading, path, range ?? { start: 0, end: size });
    },
    async stat(key) {
      const facts = await factsOf(pathOf(key));
      if (!facts) throwIfGone();
      return facts;
    },
    async delete(key) {
      smallRanges.forget(key);
      await rm(pathOf(key), { force: true });
    },
    async *list() {
      for (const folder of await readdir(directory)) {
        if (!FOLDER.test(folder)) continue;
        for (const key of await readdir(join(directory, folder))) {
          const facts = await factsOf(join(directory, folder, key));
          if (facts) yield { key, ...facts };
        }
      }
    },
    async sweepUnfinished(before) {
      throwIfGone();
      let count = 0;
      for (const name of await readdir(unfinished)) {
        const path = join(unfinished, name);
        const facts = await factsOf(path);
        if (!facts || facts.dateModified >= before) continue;
        await rm(path, { force: true });
        count++;
      }
      return count;
    },
    freeBytes: cachedForASecond(() => files.freeBytes(directory)),
    probe: () => writeProbe(files, join(unfinished, newId())),
  };
}

/** Identifies a directory; another file system at its path is another one. Null = it does not exist. */
function identityOf(path: string): string | null {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts ? `${facts.dev} ${facts.ino}` : null;
}

/**
 * Returns operations whose failures are reported by `throwIfGone` where the directory of the store causes them.
 * Operations for which it creates a folder are repeated.
 * @throws Unavailable when the file itself was removed
 */
function whilePresent(files: FileOperations, throwIfGone: (cause: unknown) => void): FileOperations {
  function checked<Result>(work: () => Result, isRepeat = false): Result {
    try {
      return work();
    } catch (cause) {
      throwIfGone(cause);
      if (codeOf(cause) !== 'ENOENT') throw cause;
      if (isRepeat) throw new Unavailable('blobs', 'a file or folder of the store was removed', { cause });
      return checked(work, true);
    }
  }
  return {
    ...files,
    open: (path, flags) => checked(() => files.open(path, flags)),
    rename: (from, to) => checked(() => files.rename(from, to)),
    freeBytes: (path) => checked(() => files.freeBytes(path)),
    remove: (path) =>
      files.remove(path).catch((error) => {
        throwIfGone(error);
        throw error;
      }),
  };
}

/** Reads a small file off the main thread. */
async function wholeFile(path: string, key: string, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await Bun.file(path).bytes();
  if (bytes.length !== size) throw new BlobMissing(key);
  return bytes;
}

/** Writes a block to a new file, syncs it and deletes the file. */
async function writeProbe(files: FileOperations, path: string): Promise<void> {
  const descriptor = files.open(path, 'wx');
  try {
    await files.write(descriptor, PROBE, 0, PROBE.length, 0);
    await files.sync(descriptor);
  } finally {
    files.close(descriptor);
    await files.remove(path);
  }
}

function cachedForASecond(measure: () => number): () => number {
  let value = 0;
  let validUntil = 0;
  return () => {
    const now = performance.now();
    if (now >= validUntil) {
      value = measure();
      validUntil = now + SECOND;
    }
    return value;
  };
}

async function factsOf(path: string): Promise<BlobFacts | null> {
  try {
    const { size, mtimeMs } = await stat(path);
    return { size, dateModified: mtimeMs };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
