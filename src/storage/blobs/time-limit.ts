import { SECOND } from '../../kernel/clock.ts';
import { Unavailable } from '../../kernel/errors/unavailable.ts';
import { inTime } from '../../kernel/event-loop/in-time.ts';
import type { FileOperations } from './file-operations.ts';

/** A slow disk under load may take seconds for the last 32 MB of a file. */
const LIMIT_MS = 30 * SECOND;

const notResponding = () => new Unavailable('blobs', 'the disk does not respond');

/**
 * Limits the time for which callers wait for a disk that does not respond. The operation itself cannot be cancelled, so
 * its descriptor is closed only after it ends: its number must not be reused for another file before.
 * @throws Unavailable from operations that take longer than `limitMs`
 */
export function withTimeLimit(files: FileOperations, limitMs = LIMIT_MS): FileOperations {
  /** Operations under way, by descriptor. */
  const underWay = new Map<number, Set<Promise<unknown>>>();

  const limited = <Result>(work: Promise<Result>) => inTime(work, limitMs, notResponding);

  function on<Result>(descriptor: number, work: Promise<Result>): Promise<Result> {
    const all = underWay.get(descriptor) ?? new Set();
    underWay.set(descriptor, all.add(work));
    const end = () => {
      all.delete(work);
      if (all.size === 0) underWay.delete(descriptor);
    };
    work.then(end, end);
    return limited(work);
  }

  return {
    ...files,
    create(path) {
      const created = files.create(path);
      return limited(created).catch((error) => {
        created.then(files.close, () => {});
        throw error;
      });
    },
    createFolder: (path) => limited(files.createFolder(path)),
    rename: (from, to) => limited(files.rename(from, to)),
    write: (descriptor, ...rest) => on(descriptor, files.write(descriptor, ...rest)),
    read: (descriptor, ...rest) => on(descriptor, files.read(descriptor, ...rest)),
    syncData: (descriptor) => on(descriptor, files.syncData(descriptor)),
    sync: (descriptor) => on(descriptor, files.sync(descriptor)),
    remove: (path) => limited(files.remove(path)),
    close(descriptor) {
      const running = underWay.get(descriptor);
      if (running) void Promise.allSettled(running).then(() => files.close(descriptor));
      else files.close(descriptor);
    },
  };
}
