import { readSync } from 'node:fs';
import type { Answered, Told } from './job.ts';

/** A thread that reads growing files and computes their sums behind the writer, out of the page cache. */
declare const self: Worker;

interface Job {
  position: number;
  sha256: Bun.CryptoHasher;
  crc32: number;
  error: string | null;
}

const buffer = Buffer.alloc(1_048_576);
const jobs = new Map<number, Job>();

function readUpTo(job: Job, fd: number, bytes: number): void {
  while (job.position < bytes) {
    const count = readSync(fd, buffer, 0, Math.min(buffer.length, bytes - job.position), job.position);
    if (count === 0) throw new Error(`the file ended after ${job.position} of ${bytes} bytes`);
    const part = buffer.subarray(0, count);
    job.sha256.update(part);
    job.crc32 = Bun.hash.crc32(part, job.crc32);
    job.position += count;
  }
}

function answer(answered: Answered): void {
  jobs.delete(answered.id);
  self.postMessage(answered);
}

self.onmessage = ({ data: told }: MessageEvent<Told>) => {
  if (told.type === 'drop') {
    answer({ id: told.id, sums: null, error: null });
    return;
  }
  const job = jobs.get(told.id) ?? { position: 0, sha256: new Bun.CryptoHasher('sha256'), crc32: 0, error: null };
  jobs.set(told.id, job);
  try {
    if (job.error === null) readUpTo(job, told.fd, told.bytes);
  } catch (error) {
    job.error = error instanceof Error ? error.message : String(error);
  }
  if (told.type === 'end') {
    const sums = job.error === null ? { sha256: job.sha256.digest('base64'), crc32: job.crc32 } : null;
    answer({ id: told.id, sums, error: job.error });
  }
};
