import { closeSync } from 'node:fs';
import type { GrowingFile } from '../blobs/port.ts';
import { type Checksums, createInlineChecksums, type Sums } from '../checksums.ts';
import type { Answered, Told } from './job.ts';

/** Computes sums on another core: a thread reads each file behind its writer. */
export interface Hasher {
  behind(file: GrowingFile): Checksums;
  /** Ends the thread. */
  stop(): void;
}

interface Waiting {
  resolve(sums: Sums | null): void;
  reject(error: Error): void;
}

/** The thread is started with the first file, and again after it failed. */
export function createHasher(): Hasher {
  const waiting = new Map<number, Waiting>();
  let thread: Worker | undefined;
  let last = 0;

  function tell(told: Told): void {
    thread ??= start();
    thread.postMessage(told);
  }

  function start(): Worker {
    const worker = new Worker(new URL('./thread.ts', import.meta.url).href);
    worker.onmessage = ({ data }: MessageEvent<Answered>) => {
      const { resolve, reject } = waiting.get(data.id) ?? {};
      waiting.delete(data.id);
      if (data.error === null) resolve?.(data.sums);
      else reject?.(new Error(`the sums of an upload could not be computed: ${data.error}`));
    };
    worker.onerror = ({ message }) => {
      if (thread === worker) thread = undefined;
      for (const { reject } of waiting.values()) reject(new Error(`the thread that computes sums ended: ${message}`));
      waiting.clear();
    };
    // A process that has nothing else to do may end.
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
      const answered = (told: Told) =>
        new Promise<Sums | null>((resolve, reject) => {
          waiting.set(id, { resolve, reject });
          tell(told);
        }).finally(close);
      let written = 0;
      let askedFor: (() => void) | undefined;
      file.onWritten((bytes) => {
        written = bytes;
        if (askedFor && written >= size) askedFor();
        else tell({ id, type: 'written', fd: descriptor(), bytes });
      });
      return {
        update(bytes) {
          size += bytes.byteLength;
        },
        async tell() {
          if (size === 0) return await createInlineChecksums().tell();
          if (written < size)
            await new Promise<void>((resolve) => {
              askedFor = resolve;
            });
          const sums = await answered({ id, type: 'end', fd: descriptor(), bytes: size });
          if (!sums) throw new Error('the sums of an upload were given up');
          return sums;
        },
        drop() {
          askedFor = undefined;
          if (fd !== undefined) void answered({ id, type: 'drop' }).catch(() => {});
        },
      };
    },
    stop() {
      thread?.terminate();
      thread = undefined;
    },
  };
}
