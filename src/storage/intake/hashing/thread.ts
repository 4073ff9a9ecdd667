import { readSync } from 'node:fs';
import { MB } from '../../../kernel/bytes.ts';
import { reasonOf } from '../../../kernel/errors/reason-of.ts';
import { type Checksums, createInlineChecksums, type Sums } from '../checksums.ts';

/** A thread that reads growing files behind their writers, from the page cache, and computes their checksums. */
declare const self: Worker;

/** A message to the thread about the job `id`. Messages keep their order. */
export type Request =
  | { id: number; type: 'written'; fd: number; bytes: number }
  /** All bytes are written; the thread replies with their sums. */
  | { id: number; type: 'end'; fd: number; bytes: number }
  | { id: number; type: 'drop' };

/** The thread's reply to each `end` and `drop`. */
export type HashReply = { id: number; sums: Sums | null; error: string | null };

interface Job {
  position: number;
  sums: Checksums;
  error: string | null;
}

const buffer = Buffer.alloc(MB);
const jobs = new Map<number, Job>();

function readUpTo(job: Job, fd: number, bytes: number): void {
  while (job.position < bytes) {
    const count = readSync(fd, buffer, 0, Math.min(buffer.length, bytes - job.position), job.position);
    if (count === 0) throw new Error(`the file ended after ${job.position} of ${bytes} bytes`);
    const segment = buffer.subarray(0, count);
    job.sums.update(segment);
    job.position += count;
  }
}

function send(reply: HashReply): void {
  jobs.delete(reply.id);
  self.postMessage(reply);
}

self.onmessage = async ({ data: request }: MessageEvent<Request>) => {
  if (request.type === 'drop') {
    send({ id: request.id, sums: null, error: null });
    return;
  }
  const job = jobs.get(request.id) ?? { position: 0, sums: createInlineChecksums(), error: null };
  jobs.set(request.id, job);
  try {
    if (job.error === null) readUpTo(job, request.fd, request.bytes);
  } catch (error) {
    job.error = reasonOf(error);
  }
  if (request.type === 'end') {
    const sums = job.error === null ? await job.sums.finish() : null;
    send({ id: request.id, sums, error: job.error });
  }
};
