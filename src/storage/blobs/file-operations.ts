import { closeSync, fdatasync, fsync, fsyncSync, open, openSync, read, statfsSync, write } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { promisify } from 'node:util';

const openAs = promisify(open);

/**
 * System calls of the local store; descriptors as in `node:fs`. Those that change the file system run off the main
 * thread: each may wait for the disk, as most file systems write them to a journal. A dependency, so that tests can
 * record their order.
 */
export interface FileOperations {
  /** Opens an existing file or directory to read it. */
  open(path: string): number;
  /** Creates a file; fails when it exists. */
  create(path: string): Promise<number>;
  /** Creates a folder, unless it exists. */
  createFolder(path: string): Promise<void>;
  /**
   * Writes off the main thread and returns the number of bytes written, which may be fewer than `length`
   * (write(2)).
   */
  write(fd: number, buffer: Buffer, offset: number, length: number, position: number): Promise<number>;
  /** Reads off the main thread and returns the number of bytes read; 0 = the end of the file (pread(2)). */
  read(fd: number, buffer: Buffer, offset: number, length: number, position: number): Promise<number>;
  /** fdatasync(2): the bytes, without the times of the file. */
  syncData(fd: number): Promise<void>;
  /** fsync(2), of a file or of a directory. */
  sync(fd: number): Promise<void>;
  syncNow(fd: number): void;
  close(fd: number): void;
  rename(from: string, to: string): Promise<void>;
  /** Does nothing when the file does not exist. */
  remove(path: string): Promise<void>;
  /** Returns the bytes that this user may still write to the file system of `path`; infinite where that is unknown. */
  freeBytes(path: string): number;
}

export const systemFiles: FileOperations = {
  open: (path) => openSync(path, 'r'),
  create: (path) => openAs(path, 'wx', 0o600),
  async createFolder(path) {
    await mkdir(path, { recursive: true, mode: 0o700 });
  },
  write: (fd, buffer, offset, length, position) =>
    new Promise((resolve, reject) =>
      write(fd, buffer, offset, length, position, (error, count) => (error ? reject(error) : resolve(count))),
    ),
  read: (fd, buffer, offset, length, position) =>
    new Promise((resolve, reject) =>
      read(fd, buffer, offset, length, position, (error, count) => (error ? reject(error) : resolve(count))),
    ),
  syncData: promisify(fdatasync),
  sync: promisify(fsync),
  syncNow: fsyncSync,
  close: closeSync,
  rename,
  remove: (path) => rm(path, { force: true }),
  freeBytes(path) {
    const { blocks, bavail, bsize } = statfsSync(path);
    // Some network file systems report no sizes.
    return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
  },
};
