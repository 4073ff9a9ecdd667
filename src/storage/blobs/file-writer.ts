import { closeSync, fdatasync, fsync, openSync, renameSync, writev, writevSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { BlobWriter } from './port.ts';

interface FileWriterParts {
  /** Where the bytes go first, on the same file system as `target`. */
  temporary: string;
  target: string;
  /** Makes the directory of `target`, durably, where it is missing. */
  prepare(): void;
  /** Makes the entries of the directory of `target` durable. */
  syncDirectory(): Promise<void>;
}

/** Written at once: fewer calls than chunks, and little enough that many uploads fit in memory. */
const BATCH = 524_288;
/** Below this, writing on the spot costs less than handing the work to another thread. */
const SMALL = 65_536;
/** Sent to the disk while more bytes come in, so that the sync at the end has little left to do. */
const SYNC_EVERY = 33_554_432;

const sync = promisify(fsync);
const syncData = promisify(fdatasync);

/** Writes a file under a temporary name, and gives it its own once its bytes are on the disk. */
export function createFileWriter({ temporary, target, prepare, syncDirectory }: FileWriterParts): BlobWriter {
  let fd: number | undefined;
  let position = 0;
  let batch: Uint8Array[] = [];
  let batchSize = 0;
  let unsynced = 0;
  let writing: Promise<void> | undefined;
  let syncing: Promise<void> | undefined;
  let failure: unknown;
  let state: 'open' | 'committing' | 'ended' = 'open';
  let tellWritten = (_bytes: number): void => {};

  const file = () => {
    fd ??= openSync(temporary, 'wx', 0o600);
    return fd;
  };

  /** Begins to write the batch and gives a promise of its end that never rejects. */
  function flush(): Promise<void> {
    const chunks = batch;
    const at = position;
    const total = batchSize;
    position += batchSize;
    unsynced += batchSize;
    batch = [];
    batchSize = 0;
    return writeFully(file(), chunks, at).then(
      () => {
        tellWritten(at + total);
        if (unsynced < SYNC_EVERY || syncing) return;
        unsynced = 0;
        syncing = syncData(file()).then(noteEnd, noteFailure);
      },
      (error) => noteFailure(error),
    );
  }
  const noteEnd = () => {
    syncing = undefined;
  };
  const noteFailure = (error: unknown) => {
    syncing = undefined;
    failure ??= error;
  };
  const requireSound = () => {
    if (failure !== undefined) throw failure;
  };

  return {
    file: {
      open: () => openSync(temporary, 'r'),
      onWritten(tell) {
        tellWritten = tell;
      },
    },
    write(bytes) {
      requireSound();
      batch.push(bytes);
      batchSize += bytes.byteLength;
      if (batchSize < BATCH) return undefined;
      if (!writing) {
        writing = flush().finally(() => {
          writing = undefined;
        });
        return undefined;
      }
      // One batch under way and one full: wait, so that memory stays bounded.
      return writing.then(requireSound);
    },
    async commit() {
      state = 'committing';
      await writing;
      requireSound();
      if (batchSize > SMALL) await flush();
      else if (batchSize > 0 || fd === undefined) {
        writeSmall(file(), batch, position);
        tellWritten(position + batchSize);
      }
      await syncing;
      requireSound();
      await sync(file());
      closeSync(file());
      fd = undefined;
      prepare();
      renameSync(temporary, target);
      await syncDirectory();
      state = 'ended';
    },
    async abort() {
      if (state === 'ended') return;
      const wasNamed = state === 'committing';
      state = 'ended';
      await writing;
      await syncing;
      if (fd !== undefined) closeSync(fd);
      await rm(temporary, { force: true });
      if (wasNamed) await rm(target, { force: true });
    },
  };
}

/** The kernel may take fewer bytes than it was given (write(2)); the rest follows. */
async function writeFully(fd: number, chunks: readonly Uint8Array[], position: number): Promise<void> {
  let left = chunks;
  let at = position;
  while (left.length > 0) {
    const written = await new Promise<number>((resolve, reject) =>
      writev(fd, left as Uint8Array[], at, (error, count) => (error ? reject(error) : resolve(count))),
    );
    left = without(left, written);
    at += written;
  }
}

function writeSmall(fd: number, chunks: readonly Uint8Array[], position: number): void {
  let left = chunks;
  let at = position;
  while (left.length > 0) {
    const written = writevSync(fd, left as Uint8Array[], at);
    left = without(left, written);
    at += written;
  }
}

/** `chunks` without their first `count` bytes. */
function without(chunks: readonly Uint8Array[], count: number): Uint8Array[] {
  let skip = count;
  return chunks.flatMap((chunk) => {
    const skipped = Math.min(skip, chunk.byteLength);
    skip -= skipped;
    return skipped === chunk.byteLength ? [] : [chunk.subarray(skipped)];
  });
}
