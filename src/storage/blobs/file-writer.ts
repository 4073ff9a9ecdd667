import { MB } from '../../kernel/bytes.ts';
import type { Buffers } from './buffers.ts';
import type { FileOperations } from './file-operations.ts';
import type { BlobWriter } from './port.ts';

/** Memory of the bytes until they are written. */
export interface WriterBuffers {
  /** For files of up to this size, since many small ones may wait for the disk at the same time. */
  small: Buffers;
  large: Buffers;
}

interface FileWriterDeps {
  files: FileOperations;
  /** Path of the bytes until the commit, on the same file system as `target`. */
  temporary: string;
  target: string;
  buffers: WriterBuffers;
  /** Creates the directory of `target`, durably, when it is missing. */
  prepare(): Promise<void>;
  /** Makes the entries of the directory of `target` durable. */
  syncDirectory(): Promise<void>;
}

/** Bytes between two background syncs, which leave little for the final sync. */
const SYNC_EVERY = 32 * MB;

/**
 * Writes a file under a temporary name and renames it to `target` once its bytes are durable: write, fsync, rename,
 * fsync of the directory. One buffer fills while another is written; `write` returns a promise while a full buffer is
 * unwritten.
 */
export function createFileWriter(deps: FileWriterDeps): BlobWriter {
  const { files, temporary, target } = deps;
  const output = createOutput(deps);
  const chunks = createChunks(deps.buffers);
  let writing: Promise<void> | undefined;
  let state: 'open' | 'committing' | 'ended' = 'open';

  /** Writes the full buffers; never rejects. */
  async function writeFull(): Promise<void> {
    for (let next = chunks.shift(); next; next = chunks.shift()) {
      await output.write(next.buffer, next.length);
      chunks.release(next);
    }
    writing = undefined;
  }

  async function writeRest(): Promise<void> {
    const rest = chunks.takeRest();
    if (!rest) return;
    await output.write(rest.buffer, rest.length);
    chunks.release(rest);
  }

  return {
    file: { open: () => files.open(temporary), onWritten: output.onWritten },
    write(bytes) {
      output.throwIfFailed();
      chunks.append(bytes);
      if (!chunks.anyFull()) return undefined;
      writing ??= writeFull();
      return writing.then(output.throwIfFailed);
    },
    async commit() {
      state = 'committing';
      await writing;
      await writeRest();
      await output.finish();
      await deps.prepare();
      await files.rename(temporary, target);
      await deps.syncDirectory();
      state = 'ended';
    },
    async abort() {
      if (state === 'ended') return;
      const mayBeRenamed = state === 'committing';
      state = 'ended';
      await writing;
      const rest = chunks.takeRest();
      if (rest) chunks.release(rest);
      await output.close();
      await files.remove(temporary);
      if (mayBeRenamed) await files.remove(target);
    },
  };
}

interface Chunk {
  buffer: Buffer<ArrayBuffer>;
  length: number;
}

/** Buffers that fill with the caller's bytes, in order. */
function createChunks({ small, large }: WriterBuffers) {
  let filling: Chunk | undefined;
  let isFirst = true;
  const full: Chunk[] = [];

  function release({ buffer }: Chunk): void {
    (buffer.length === small.size ? small : large).release(buffer);
  }

  /** Returns a chunk with room for some of `length` bytes. */
  function chunkFor(length: number): Chunk {
    if (filling && filling.length < filling.buffer.length) return filling;
    const started = filling;
    filling = { buffer: (isFirst && length <= small.size ? small : large).take(), length: 0 };
    isFirst = false;
    if (!started) return filling;
    filling.buffer.set(started.buffer);
    filling.length = started.length;
    release(started);
    return filling;
  }

  return {
    /** Copies all bytes, so that the caller's buffer can be collected early. */
    append(bytes: Uint8Array): void {
      for (let at = 0; at < bytes.byteLength; ) {
        const chunk = chunkFor(bytes.byteLength - at);
        const segment = bytes.subarray(at, at + chunk.buffer.length - chunk.length);
        chunk.buffer.set(segment, chunk.length);
        chunk.length += segment.byteLength;
        at += segment.byteLength;
        if (chunk.length < large.size) continue;
        full.push(chunk);
        filling = undefined;
      }
    },
    anyFull: () => full.length > 0,
    shift: () => full.shift(),
    /** Removes and returns the partly filled buffer. */
    takeRest(): Chunk | undefined {
      const rest = filling;
      filling = undefined;
      return rest;
    },
    release,
  };
}

/** The temporary file. Keeps the first failure of a write or sync, since both run in the background. */
function createOutput({ files, temporary }: Pick<FileWriterDeps, 'files' | 'temporary'>) {
  let fd: number | undefined;
  let position = 0;
  let unsynced = 0;
  let syncing: Promise<void> | undefined;
  let failure: unknown;
  let onWritten = (_bytes: number): void => {};

  const file = async () => {
    fd ??= await files.create(temporary);
    return fd;
  };
  const closeFile = () => {
    if (fd !== undefined) files.close(fd);
    fd = undefined;
  };
  const throwIfFailed = () => {
    if (failure !== undefined) throw failure;
  };
  function advance(bytes: number): void {
    position += bytes;
    unsynced += bytes;
    onWritten(position);
    if (unsynced >= SYNC_EVERY && !syncing) syncInBackground();
  }
  function syncInBackground(): void {
    unsynced = 0;
    syncing = file()
      .then(files.syncData)
      .catch((error) => {
        failure ??= error;
      })
      .finally(() => {
        syncing = undefined;
      });
  }

  return {
    throwIfFailed,
    onWritten(listener: (bytes: number) => void): void {
      onWritten = listener;
    },
    /** Never rejects. */
    async write(buffer: Buffer, length: number): Promise<void> {
      if (failure !== undefined) return;
      try {
        const to = await file();
        for (let done = 0; done < length; )
          done += await files.write(to, buffer, done, length - done, position + done);
        advance(length);
      } catch (error) {
        failure = error;
      }
    },
    /** Makes the bytes durable and closes the file. */
    async finish(): Promise<void> {
      await syncing;
      throwIfFailed();
      await files.sync(await file());
      closeFile();
    },
    async close(): Promise<void> {
      await syncing;
      closeFile();
    },
  };
}
