import { closeSync, fsync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { access, constants, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createBuffers } from './buffers.ts';
import { createFileWriter } from './file-writer.ts';
import { type BlobFacts, BlobMissing, type Blobs } from './port.ts';

const UNFINISHED = 'unfinished';
/** Written at once: few calls, and little enough that many uploads fit in memory. */
const BUFFER = 262_144;
const BUFFERS_KEPT = 64;
const FOLDER = /^[0-9a-f]{2}$/;

/** Blobs as files in `directory`, spread over 256 subfolders by the last (random) letters of their keys. */
export function openLocalBlobs(directory: string): Blobs {
  const unfinished = join(directory, UNFINISHED);
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  const folders = new Map<string, number>();
  const buffers = createBuffers(BUFFER, BUFFERS_KEPT);
  const folderOf = (key: string) => join(directory, key.slice(-2));
  const pathOf = (key: string) => join(folderOf(key), key);

  /** A descriptor of the folder, open for good: directories are synced by descriptor, 256 of them at most. */
  function folderDescriptor(path: string): number {
    let descriptor = folders.get(path);
    if (descriptor === undefined) {
      if (mkdirSync(path, { recursive: true, mode: 0o700 }) !== undefined) syncNow(directory);
      descriptor = openSync(path, 'r');
      folders.set(path, descriptor);
    }
    return descriptor;
  }

  return {
    create(key) {
      const folder = folderOf(key);
      return createFileWriter({
        temporary: join(unfinished, key),
        target: pathOf(key),
        buffers,
        prepare: () => void folderDescriptor(folder),
        syncDirectory: () =>
          new Promise((resolve, reject) => fsync(folderDescriptor(folder), (error) => (error ? reject(error) : resolve()))),
      });
    },
    read(key, size, range) {
      const path = pathOf(key);
      if (statSync(path, { throwIfNoEntry: false })?.size !== size) throw new BlobMissing(key);
      return range ? Bun.file(path).slice(range.start, range.end) : Bun.file(path);
    },
    stat: (key) => factsOf(pathOf(key)),
    delete: (key) => rm(pathOf(key), { force: true }),
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
    probe: () => access(unfinished, constants.R_OK | constants.W_OK | constants.X_OK),
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

function syncNow(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
