import { closeSync, fdatasync, fsync, openSync, renameSync, write, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Buffers } from './buffers.ts';
import type { BlobWriter } from './port.ts';

interface FileWriterParts {
  /** Where the bytes go first, on the same file system as `target`. */
  temporary: string;
  target: string;
  buffers: Buffers;
  /** Makes the directory of `target`, durably, where it is missing. */
  prepare(): void;
  /** Makes the entries of the directory of `target` durable. */
  syncDirectory(): Promise<void>;
}

/** Below this, writing on the spot costs less than handing the work to another thread. */
const SMALL = 65_536;
/** Sent to the disk while more bytes come in, so that the sync at the end has little left to do. */
const SYNC_EVERY = 33_554_432;

const sync = promisify(fsync);
const syncData = promisify(fdatasync);

/**
 * Writes a file under a temporary name, and gives it its own once its bytes are on the disk. One buffer fills while another
 * is written; with more of them full the caller waits.
 */
export function createFileWriter({ temporary, target, buffers, prepare, syncDirectory }: FileWriterParts): BlobWriter {
  let fd: number | undefined;
  let position = 0;
  let unsynced = 0;
  let filling: Buffer<ArrayBuffer> | undefined;
  let filled = 0;
  const full: { buffer: Buffer<ArrayBuffer>; length: number }[] = [];
  let writing: Promise<void> | undefined;
  let syncing: Promise<void> | undefined;
  let failure: unknown;
  let state: 'open' | 'committing' | 'ended' = 'open';
  let tellWritten = (_bytes: number): void => {};

  const file = () => {
    fd ??= openSync(temporary, 'wx', 0o600);
    return fd;
  };
  const requireSound = () => {
    if (failure !== undefined) throw failure;
  };

  /** Copies all of it: the caller's bytes can be forgotten at once, while they are young. */
  function keep(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.byteLength; ) {
      filling ??= buffers.take();
      const part = bytes.subarray(at, at + buffers.size - filled);
      filling.set(part, filled);
      filled += part.byteLength;
      at += part.byteLength;
      if (filled === buffers.size) closeBuffer();
    }
  }

  function closeBuffer(): void {
    if (filling) full.push({ buffer: filling, length: filled });
    filling = undefined;
    filled = 0;
  }

  /** Writes the buffers that are full; never rejects. */
  async function writeFull(): Promise<void> {
    for (let next = full.shift(); next; next = full.shift()) {
      const { buffer, length } = next;
      try {
        if (failure === undefined) await writeFully(file(), buffer, length, position);
        position += length;
        unsynced += length;
        if (failure === undefined) tellWritten(position);
        if (unsynced >= SYNC_EVERY && !syncing) syncInBackground();
      } catch (error) {
        failure ??= error;
      } finally {
        buffers.give(buffer);
      }
    }
    writing = undefined;
  }

  function syncInBackground(): void {
    unsynced = 0;
    syncing = syncData(file())
      .catch((error) => {
        failure ??= error;
      })
      .finally(() => {
        syncing = undefined;
      });
  }

  /** For little left to write: on the spot. */
  function flushNow(): void {
    for (let done = 0; filling && done < filled; ) done += writeSync(file(), filling, done, filled - done, position + done);
    tellWritten(position + filled);
  }

  return {
    file: {
      open: () => openSync(temporary, 'r'),
      onWritten(tell) {
        tellWritten = tell;
      },
    },
    write(bytes) {
      requireSound();
      keep(bytes);
      if (full.length > 0) writing ??= writeFull();
      return full.length > 0 ? writing?.then(requireSound) : undefined;
    },
    async commit() {
      state = 'committing';
      await writing;
      requireSound();
      if (filled > SMALL) {
        closeBuffer();
        await writeFull();
      } else if (filled > 0) flushNow();
      await syncing;
      requireSound();
      await sync(file());
      closeSync(file());
      fd = undefined;
      prepare();
      renameSync(temporary, target);
      await syncDirectory();
      state = 'ended';
      if (filling) buffers.give(filling);
      filling = undefined;
    },
    async abort() {
      if (state === 'ended') return;
      const wasNamed = state === 'committing';
      state = 'ended';
      await writing;
      await syncing;
      if (filling) buffers.give(filling);
      filling = undefined;
      if (fd !== undefined) closeSync(fd);
      await rm(temporary, { force: true });
      if (wasNamed) await rm(target, { force: true });
    },
  };
}

/** The kernel may take fewer bytes than it was given (write(2)); the rest follows. */
async function writeFully(fd: number, buffer: Buffer, length: number, position: number): Promise<void> {
  for (let done = 0; done < length; ) {
    done += await new Promise<number>((resolve, reject) =>
      write(fd, buffer, done, length - done, position + done, (error, count) => (error ? reject(error) : resolve(count))),
    );
  }
}
