import { statSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SECOND } from '../../kernel/clock.ts';
import { codeOf } from '../../kernel/errors/code-of.ts';
import { newId } from '../../kernel/ids.ts';
import { createBuffers } from './buffers.ts';
import { chunksOfFile } from './file-chunks.ts';
import { type FileOperations, systemFiles } from './file-operations.ts';
import { createFileWriter } from './file-writer.ts';
import { type BlobFacts, BlobMissing, type Blobs } from './port.ts';
import { createSmallRanges, SMALL_RANGE } from './small-ranges.ts';
import { openStoreDirectory } from './store-directory.ts';
import { withTimeLimit } from './time-limit.ts';

/** Bytes of one write, and the number of buffers that are kept: little memory for small files, few calls for others. */
const WRITES = { small: [16_384, 64], large: [262_144, 64] } as const;
/** Bytes of one read, and the number of buffers that are kept. */
const READS = { small: [65_536, 64], large: [524_288, 16] } as const;
/** One block of most file systems, so that writing it fails on a full disk. */
const PROBE = Buffer.alloc(4_096);
const FOLDER = /^[0-9a-f]{2}$/;

/** Blobs as files in `directory`, spread over 256 subfolders by the last (random) characters of their keys. */
export function openLocalBlobs(
  directory: string,
  operations: FileOperations = withTimeLimit(systemFiles),
): Blobs {
  const { files, unfinished, throwIfGone, createFolder, sync } = openStoreDirectory(directory, operations);
  const buffers = { small: createBuffers(...WRITES.small), large: createBuffers(...WRITES.large) };
  const reading = { files, small: createBuffers(...READS.small), large: createBuffers(...READS.large) };
  const folderOf = (key: string) => join(directory, key.slice(-2));
  const pathOf = (key: string) => join(folderOf(key), key);
  const smallRanges = createSmallRanges(pathOf, missing);

  /** @throws Unavailable when all blobs are missing */
  function missing(key: string): BlobMissing {
    throwIfGone();
    return new BlobMissing(key);
  }

  return {
    create(key) {
      const folder = folderOf(key);
      return createFileWriter({
        files,
        // Not the key: a restore writes keys that a killed one, or one into another database, has begun to write.
        temporary: join(unfinished, newId()),
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

/** Reads a small file off the main thread. */
async function wholeFile(path: string, key: string, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await Bun.file(path).bytes();
  if (bytes.length !== size) throw new BlobMissing(key);
  return bytes;
}

/** Writes a block to a new file, syncs it and deletes the file. */
async function writeProbe(files: FileOperations, path: string): Promise<void> {
  const descriptor = await files.create(path);
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
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
