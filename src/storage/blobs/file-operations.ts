import {
  closeSync,
  fdatasync,
  fsync,
  fsyncSync,
  openSync,
  read,
  renameSync,
  statfsSync,
  write,
  writeSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';

/** System calls of the local store; descriptors as in `node:fs`. A dependency, so that tests can record their order. */
export interface FileOperations {
  open(path: string, flags: 'r' | 'wx'): number;
  /**
   * Writes off the main thread and returns the number of bytes written, which may be fewer than `length`
   * (write(2)).
   */
  write(fd: number, buffer: Buffer, offset: number, length: number, position: number): Promise<number>;
  /** Reads off the main thread and returns the number of bytes read; 0 = the end of the file (pread(2)). */
  read(fd: number, buffer: Buffer, offset: number, length: number, position: number): Promise<number>;
  writeNow(fd: number, buffer: Buffer, offset: number, length: number, position: number): number;
  /** fdatasync(2): the bytes, without the times of the file. */
  syncData(fd: number): Promise<void>;
  /** fsync(2), of a file or of a directory. */
  sync(fd: number): Promise<void>;
  syncNow(fd: number): void;
  close(fd: number): void;
  rename(from: string, to: string): void;
  /** Does nothing when the file does not exist. */
  remove(path: string): Promise<void>;
  /** Returns the bytes that this user may still write to the file system of `path`; infinite where that is unknown. */
  freeBytes(path: string): number;
}

export const systemFiles: FileOperations = {
  open: (path, flags) => openSync(path, flags, 0o600),
  write: (fd, buffer, offset, length, position) =>
    new Promise((resolve, reject) =>
      write(fd, buffer, offset, length, position, (error, count) => (error ? reject(error) : resolve(count))),
    ),
  read: (fd, buffer, offset, length, position) =>
    new Promise((resolve, reject) =>
      read(fd, buffer, offset, length, position, (error, count) => (error ? reject(error) : resolve(count))),
    ),
  writeNow: writeSync,
  syncData: promisify(fdatasync),
  sync: promisify(fsync),
  syncNow: fsyncSync,
  close: closeSync,
  rename: renameSync,
  remove: (path) => rm(path, { force: true }),
  freeBytes(path) {
    const { blocks, bavail, bsize } = statfsSync(path);
    // Some network file systems report no sizes.
    return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
  },
};
