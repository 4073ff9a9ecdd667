import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../../kernel/errors/code-of.ts';
import { Unavailable } from '../../kernel/errors/unavailable.ts';
import type { FileOperations } from './file-operations.ts';

const UNFINISHED = 'unfinished';

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
  createFolder(path: string): Promise<void>;
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
  /** The folders that this process has used, each resolved when its entry is durable. */
  const folders = new Map<string, Promise<void>>();

  function throwIfGone(cause?: unknown): void {
    if (existsSync(unfinished)) return;
    folders.clear();
    if (identityOf(directory) !== original)
      throw new Unavailable('blobs', `the directory ${unfinished} does not exist`, { cause });
    mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  }

  async function createFolder(path: string): Promise<void> {
    const earlier = folders.get(path);
    if (earlier && existsSync(path)) return await earlier;
    throwIfGone();
    const created = files.createFolder(path).then(() => sync(directory));
    folders.set(path, created);
    await created.catch((error) => {
      folders.delete(path);
      throw error;
    });
  }

  async function sync(path: string): Promise<void> {
    const descriptor = files.open(path);
    await files.sync(descriptor).finally(() => files.close(descriptor));
  }

  function syncNow(path: string): void {
    const descriptor = files.open(path);
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
  function throwUnlessMissing(cause: unknown): void {
    throwIfGone(cause);
    if (codeOf(cause) !== 'ENOENT') throw cause;
  }

  function missing(cause: unknown): Unavailable {
    throwUnlessMissing(cause);
    return new Unavailable('blobs', 'a file or folder of the store was removed', { cause });
  }

  function checkedNow<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (cause) {
      throwUnlessMissing(cause);
    }
    try {
      return work();
    } catch (cause) {
      throw missing(cause);
    }
  }

  async function checked<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (cause) {
      throwUnlessMissing(cause);
    }
    try {
      return await work();
    } catch (cause) {
      throw missing(cause);
    }
  }

  return {
    ...files,
    open: (path) => checkedNow(() => files.open(path)),
    create: (path) => checked(() => files.create(path)),
    rename: (from, to) => checked(() => files.rename(from, to)),
    freeBytes: (path) => checkedNow(() => files.freeBytes(path)),
    remove: (path) =>
      files.remove(path).catch((error) => {
        throwIfGone(error);
        throw error;
      }),
  };
}
