import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../../kernel/errors/code-of.ts';
import { Unavailable } from '../../kernel/errors/unavailable.ts';
import type { FileOperations } from './file-operations.ts';

const UNFINISHED = 'unfinished';

/** The directory of a store of blobs as files. */
interface StoreDirectory {
  /** Operations whose failures are passed to `throwIfGone`. */
  files: FileOperations;
  /** Path of the folder of unfinished blobs. */
  unfinished: string;
  /**
   * Creates the folder of unfinished blobs if only that was removed.
   * @throws Unavailable when the directory was removed or unmounted, with all of its blobs
   */
  throwIfGone(): void;
  /** Creates a folder durably, unless it exists and this process has synced it. */
  createFolder(path: string): void;
  /** Makes the entries of a folder durable. */
  sync(path: string): Promise<void>;
}

/**
 * Creates the directory if it does not exist. It and its subfolders are synced when this process first uses them, even
 * if they exist: the process that created them may have ended before syncing them. Subfolders that are removed are
 * created again; the directory is not, since it may be unmounted.
 */
export function openStoreDirectory(directory: string, operations: FileOperations): StoreDirectory {
  const unfinished = join(directory, UNFINISHED);
  const files = whilePresent(operations, throwIfGone);
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  syncNow(dirname(directory));
  const original = identityOf(directory);
  /** The folders that this process has synced. */
  const folders = new Set<string>();

  function throwIfGone(cause?: unknown): void {
    if (existsSync(unfinished)) return;
    folders.clear();
    if (identityOf(directory) !== original)
      throw new Unavailable('blobs', `the directory ${unfinished} does not exist`, { cause });
    mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  }

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

  return { files, unfinished, throwIfGone, createFolder, sync };
}

/** Identifies a directory; another file system at its path is another one. Null = it does not exist. */
function identityOf(path: string): string | null {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts ? `${facts.dev} ${facts.ino}` : null;
}

/**
 * Returns operations whose failures are passed to `throwIfGone`, which reports those caused by the directory.
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
