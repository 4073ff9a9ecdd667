import { closeSync } from 'node:fs';
import { programFile } from '../../../kernel/program-files.ts';
import type { GrowingFile } from '../../blobs/port.ts';
import { type Checksums, createInlineChecksums, type Sums } from '../checksums.ts';
import type { HashReply, Request } from './thread.ts';

/** Computes checksums on another core: a thread reads each file behind its writer. */
export interface Hasher {
  behind(file: GrowingFile): Checksums;
  /** Terminates the thread. */
  stop(): void;
}

interface Waiting {
  resolve(sums: Sums | null): void;
  reject(error: Error): void;
}

/** Starts the thread with the first file, and again after a failure. */
export function createHasher(): Hasher {
  const waiting = new Map<number, Waiting>();
  let thread: Worker | undefined;
  let last = 0;

  function post(request: Request): void {
    thread ??= start();
    thread.postMessage(request);
  }

  function start(): Worker {
    const worker = new Worker(programFile('storage/intake/hashing/thread'));
    worker.onmessage = ({ data }: MessageEvent<HashReply>) => {
      const { resolve, reject } = waiting.get(data.id) ?? {};
      waiting.delete(data.id);
      if (data.error === null) resolve?.(data.sums);
      else reject?.(new Error(`the checksums of an upload could not be computed: ${data.error}`));
    };
    worker.onerror = ({ message }) => {
      if (thread === worker) thread = undefined;
      for (const { reject } of waiting.values())
        reject(new Error(`the thread that computes checksums ended: ${message}`));
      waiting.clear();
    };
    // The thread does not keep the process alive.
    worker.unref();
    return worker;
  }

  return {
    behind(file) {
      const id = ++last;
      let size = 0;
      let fd: number | undefined;
      const descriptor = () => {
        fd ??= file.open();
        return fd;
      };
      const close = () => {
        if (fd !== undefined) closeSync(fd);
        fd = undefined;
      };
      const replied = (request: Request) =>
        new Promise<Sums | null>((resolve, reject) => {
          waiting.set(id, { resolve, reject });
          post(request);
        }).finally(close);
      let written = 0;
      let onAllWritten: (() => void) | undefined;
      let isDropped = false;
      file.onWritten((bytes) => {
        // A buffer may be written after the upload is dropped.
        if (isDropped) return;
        written = bytes;
        if (onAllWritten && written >= size) onAllWritten();
        else post({ id, type: 'written', fd: descriptor(), bytes });
      });
      return {
        update(bytes) {
          size += bytes.byteLength;
        },
        async finish() {
          if (size === 0) return await createInlineChecksums().finish();
          if (written < size)
            await new Promise<void>((resolve) => {
              onAllWritten = resolve;
            });
          const sums = await replied({ id, type: 'end', fd: descriptor(), bytes: size });
          if (!sums) throw new Error('the sums of an upload were dropped');
          return sums;
        },
        drop() {
          isDropped = true;
          if (fd !== undefined) void replied({ id, type: 'drop' }).catch(() => {});
        },
      };
    },
    stop() {
      thread?.terminate();
      thread = undefined;
    },
  };
}
