import { MB } from '../bytes.ts';
import { Problem, type ProblemCode } from '../problem.ts';
import { confine } from './confine.ts';
import { createFrameReader, frameOf, type Payload } from './frames.ts';
import { openMemoryUsage } from './usage.ts';

/** Runs one job in the child. @throws Problem for an error that the caller can correct */
export type JobHandler = (job: Payload) => Payload | Promise<Payload>;

/** The result of a job, as the child writes it with the blobs. */
export type Outcome =
  | { kind: 'done'; value: unknown }
  | { kind: 'problem'; problem: Pick<Problem, 'detail' | 'fields' | 'retryAfterMs'> & { code: ProblemCode } }
  | { kind: 'failed'; message: string };

/** The first frame of a child, and the one after each job. */
export type ChildReply =
  | { kind: 'ready' }
  /** @property last true = the child exits now, and another one runs the next job */
  | (Outcome & { last: boolean });

/** Data memory that the runtime reserves without using it, bytes. */
const RUNTIME_DATA = 512 * MB;
/** Interval at which a child measures its memory where the server cannot. */
const WATCH_MS = 20;
/** The server bounds its jobs; this only stops a stream that is out of sync. */
const LARGEST_JOB = 256 * MB;

/**
 * Serves jobs in a child of `createCompute`, one at a time: reads them from standard input until its end, and writes
 * their results to standard output. Exits after the job that has used up half of a limit.
 * @param prepare loads everything that the jobs need, since the child can open no files afterwards; receives the
 *   arguments of the program
 * @param confined false = the child keeps its files and its user, for jobs without untrusted input
 * @param largest size of a job, bytes
 */
export async function serveJobs(
  prepare: (args: string[]) => JobHandler | Promise<JobHandler>,
  { confined = true, largest = LARGEST_JOB } = {},
): Promise<never> {
  const [cpuSeconds = '0', memory = '0', ...args] = process.argv.slice(2);
  const handle = await prepare(args);
  const usedMemory = openMemoryUsage();
  if (confined) confine(Number(memory) + RUNTIME_DATA);
  if (process.platform !== 'linux') watchMemory(usedMemory, Number(memory));
  const read = createFrameReader(largest);
  await write({ kind: 'ready' });
  for await (const chunk of Bun.stdin.stream()) {
    for (const job of read(chunk)) {
      const { value: outcome, blobs } = await outcomeOf(job, handle);
      const { user, system } = process.cpuUsage();
      const last = user + system > (Number(cpuSeconds) / 2) * 1_000_000 || usedMemory() > Number(memory) / 2;
      await write({ ...outcome, last }, blobs);
      if (last) process.exit(0);
    }
  }
  process.exit(0);
}

/**
 * Ends this process when it exceeds its memory. On Linux, the server reads the memory of its children from /proc
 * instead.
 */
function watchMemory(used: () => number, memory: number): void {
  setInterval(() => {
    if (used() > memory) process.kill(process.pid, 'SIGKILL');
  }, WATCH_MS).unref();
}

async function outcomeOf(job: Payload, handle: JobHandler): Promise<Payload<Outcome>> {
  try {
    const { value, blobs = [] } = await handle(job);
    return { value: { kind: 'done', value }, blobs };
  } catch (error) {
    if (!(error instanceof Problem)) return { value: { kind: 'failed', message: String(error) } };
    const { code, detail, fields, retryAfterMs } = error;
    return { value: { kind: 'problem', problem: { code, detail, fields, retryAfterMs } } };
  }
}

async function write(value: ChildReply, blobs: readonly Uint8Array[] = []): Promise<void> {
  for (const chunk of frameOf({ value, blobs })) await Bun.write(Bun.stdout, chunk);
}
