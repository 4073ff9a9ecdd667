import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small file system for a data directory. */
export interface Disk {
  /** An empty directory on it. */
  dataDir: string;
  fill(): Promise<void>;
  makeRoom(): Promise<void>;
  /** Makes the blobs read-only for files that are opened afterwards; open files stay writable. */
  protect(): Promise<void>;
  unprotect(): Promise<void>;
  unmount(): void;
}

/** Space for the files of one outage, deleted files, and the messages of all outages. */
const BYTES = 536_870_912;

/** Mounts a small file system; null = this user may not. */
export function mountDisk(): Disk | null {
  const directory = mkdtempSync(join(tmpdir(), 'posthouse-disk-'));
  const isMounted = runs('mount', '-t', 'tmpfs', '-o', `size=${BYTES}`, 'none', directory);
  const unmount = () => {
    if (isMounted) runs('umount', '--lazy', directory);
    rmSync(directory, { recursive: true, force: true });
  };
  if (!isMounted) {
    unmount();
    return null;
  }
  const dataDir = join(directory, 'data');
  const blobs = join(dataDir, 'blobs');
  const ballast = join(directory, 'ballast');
  const readOnly = join(directory, 'read-only');
  mkdirSync(dataDir);

  /** Mounts the blobs over themselves, by way of a mount without open files: one with open files cannot change. */
  function protectBlobs(): boolean {
    const mounts = [
      ['--bind', blobs, readOnly],
      ['-o', 'remount,bind,ro', readOnly],
      ['--bind', readOnly, blobs],
    ];
    mkdirSync(readOnly, { recursive: true });
    return mounts.every((words) => runs('mount', ...words)) && runs('umount', readOnly);
  }

  return {
    dataDir,
    async fill() {
      const { bavail, bsize } = statfsSync(directory);
      try {
        writeFileSync(ballast, new Uint8Array(bavail * bsize));
      } catch (error) {
        // The server has written in the meantime; the disk is full anyway.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    },
    makeRoom: async () => rmSync(ballast, { force: true }),
    async protect() {
      if (!protectBlobs()) throw new Error(`${blobs} could not be made read-only`);
    },
    unprotect: async () => void runs('umount', '--lazy', blobs),
    unmount,
  };
}

function runs(...words: string[]): boolean {
  return Bun.spawnSync(words, { stderr: 'ignore' }).success;
}
