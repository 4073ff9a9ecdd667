import { Unavailable } from '../errors/unavailable.ts';
import { nextRound } from '../event-loop/next-round.ts';
import type { GiveWay } from '../event-loop/time-slices.ts';
import { Problem } from '../problem.ts';
import type { ChildReply, Outcome } from './child.ts';
import {
  createFrameReader,
  FrameTooLarge,
  frameOf,
  frameOfStream,
  type Payload,
  type SizedStream,
} from './frames.ts';
import { type ChildPriority, lowerPriority } from './priority.ts';
import { type ChildLimits, type LimitedChild, spawnLimited, writeTo } from './spawn.ts';
import { type Exceeded, type JobLimits, type WatchedJob, watchJob } from './watch-job.ts';

/** Reason why a child was killed with its job. */
export type KillReason = 'time' | 'memory' | 'output' | 'crash';

/** A job that exceeded a limit, or crashed its child. */
export class JobKilled extends Error {
  override readonly name = 'JobKilled';
  readonly reason: KillReason;

  constructor(reason: KillReason) {
    super(`the job was ended: ${reason}`);
    this.reason = reason;
  }
}

/** A job that was ended because another one needs its slot. */
export class JobInterrupted extends Error {
  override readonly name = 'JobInterrupted';

  constructor() {
    super('another job needs the slot of this one');
  }
}

/** The child of a job was stopped or killed from outside, such as by the system when it lacks memory. */
export class ChildLost extends Unavailable {
  readonly reason = 'lost';

  constructor(program: string) {
    super('system', `a child process of the program ${program} was stopped or killed from outside`);
  }
}

/** An error of a job, other than a Problem. */
export class JobFailed extends Error {
  override readonly name = 'JobFailed';
}

/** A value with blobs, or with a stream. */
export interface Job extends Payload, Pick<WatchedJob, 'mayContinue'> {
  /** Replaces `blobs`: passed to the child while it is read. */
  stream?: SizedStream;
}

export interface ChildProgram {
  /** Path of a program that calls `serveJobs`. */
  program: string;
  args?: readonly string[];
  /** Added to its environment, which is otherwise empty. */
  env?: Record<string, string>;
  /** Maximum number of its jobs. */
  jobs?: number;
  /** `memory` is the limit of resident bytes, which the server checks; that of the operating system is higher. */
  limits: ChildLimits;
  /** Maximum size of a result, bytes. */
  output: number;
  /** Called between the pieces of a large job or result. By default, it waits until pending events are handled. */
  giveWay?: GiveWay | undefined;
}

/** A child process that runs one job at a time. */
export interface Child {
  /**
   * Runs a job.
   * @throws JobKilled, JobFailed, JobInterrupted, Problem of the job; ChildLost; Unavailable when its elapsed time
   *   exceeds the limit after little CPU time, since the machine is too busy; errors of its stream
   */
  run(job: Job, limits: JobLimits): Promise<Payload>;
  /** Reports whether it accepts another job. */
  isAlive(): boolean;
  priority(): ChildPriority;
  /** Returns the CPU time of its start and of its jobs since the previous call, ms. */
  takeUsedMs(): number;
  /** Ends it; the job that it runs fails. */
  kill(): void;
}

/** Maximum time to load the program, even on a machine under load. */
const START_MS = 30_000;
/** Maximum time between the end of a child's output and its exit. */
const EXIT_MS = 1_000;
/** Maximum time between a reply and the end of the job's input, which the child has read by then. */
const LATE_MS = 1_000;
/** CPU time of a job, in ms, after which the priority of its child is lowered. */
const PROMPT_MS = 250;
const MAX_REASON_LENGTH = 2_000;

/** Starts the process of a child. @throws Unavailable when the operating system starts none */
function startProcess({ program, args = [], env, limits }: ChildProgram, priority: ChildPriority) {
  const { cpuSeconds, memory } = limits;
  const child = spawn(program, [String(cpuSeconds), String(memory), ...args], {
    limits,
    priority,
    ...(env && { env }),
  });
  let isAlive = true;
  let isKilled = false;
  let current = priority;
  function retire(): void {
    isAlive = false;
  }
  void child.exited.then(retire);
  return {
    child,
    isAlive: () => isAlive,
    /** From now on, it accepts no job. */
    retire,
    kill() {
      retire();
      isKilled = true;
      child.kill('SIGKILL');
    },
    /** Reports whether another process, or the system, has killed it. */
    async wasKilled(): Promise<boolean> {
      if (isKilled) return false;
      await Promise.race([child.exited, Bun.sleep(EXIT_MS)]);
      return child.signalCode === 'SIGKILL';
    },
    priority: () => current,
    lowerPriority() {
      if (current !== 'prompt') return;
      lowerPriority(child.pid);
      current = 'low';
    },
  };
}

/**
 * Starts a child and waits until it is ready.
 * @param priority `prompt` only until one of its jobs takes long
 * @throws Unavailable when it does not start
 */
export async function startChild(wanted: ChildProgram, priority: ChildPriority): Promise<Child> {
  const { program, jobs = Number.POSITIVE_INFINITY, limits, output, giveWay = nextRound } = wanted;
  const started = startProcess(wanted, priority);
  const { child, kill } = started;
  const replies = createReplies(child, { output, giveWay });
  const errors = firstText(child.stderr);
  let usedMs = 0;
  let done = 0;
  let inputFailure: { error: unknown } | undefined;

  /** An error of the stream ends the child. */
  async function send({ value, blobs, stream }: Job): Promise<void> {
    try {
      const frame = stream ? frameOfStream(value, stream) : frameOf({ value, blobs: blobs ?? [] });
      await writeTo(child, frame, giveWay);
    } catch (error) {
      inputFailure = { error };
      kill();
    }
  }

  /** Waits for a reply, and kills the child when it takes more time or memory than it may. */
  async function reply(job: Omit<WatchedJob, 'memory'>): Promise<Payload<ChildReply>> {
    let exceeded: Exceeded | undefined;
    const exceed = (reason: Exceeded) => {
      exceeded = reason;
      kill();
    };
    const watched = { ...job, memory: limits.memory };
    const stopWatching = watchJob(child.pid, watched, { exceed, tookLong: started.lowerPriority });
    try {
      return await replies.next();
    } catch (error) {
      const isTooLarge = error instanceof FrameTooLarge;
      const isLost = !isTooLarge && (await started.wasKilled());
      kill();
      if (isLost || exceeded === 'stopped') throw new ChildLost(program);
      if (exceeded === 'interrupted') throw new JobInterrupted();
      if (exceeded === 'elapsed')
        throw new Unavailable('system', `a job of the program ${program} got too little CPU time`);
      throw new JobKilled(exceeded ?? (isTooLarge ? 'output' : 'crash'));
    } finally {
      usedMs += stopWatching();
    }
  }

  await reply({ ms: START_MS, promptMs: START_MS }).catch(async () => {
    throw notStarted(program, await errors);
  });
  return {
    async run(job, jobLimits) {
      const sent = send(job);
      const watched = { ...jobLimits, promptMs: PROMPT_MS, mayContinue: job.mayContinue };
      const { value, blobs } = await reply(watched).catch((error) => {
        throw inputFailure ? inputFailure.error : error;
      });
      // The child reads all of its input before it replies.
      const late = setTimeout(kill, LATE_MS);
      await sent;
      clearTimeout(late);
      if (value.kind === 'ready') throw new Error('a child replied out of turn');
      if (value.last || ++done >= jobs) started.retire();
      return resultOf(value, blobs);
    },
    isAlive: started.isAlive,
    priority: started.priority,
    takeUsedMs() {
      const taken = usedMs;
      usedMs = 0;
      return taken;
    },
    kill,
  };
}

/** @throws Unavailable when the operating system starts no process */
function spawn(...[program, ...more]: Parameters<typeof spawnLimited>): LimitedChild {
  try {
    return spawnLimited(program, ...more);
  } catch (error) {
    throw notStarted(program, String(error));
  }
}

function notStarted(program: string, reason: string): Unavailable {
  return new Unavailable('system', `the program ${program} does not start: ${reason}`);
}

/** @throws Problem of the job, JobFailed */
function resultOf(outcome: Outcome, blobs: Payload['blobs'] = []): Payload {
  if (outcome.kind === 'done') return { value: outcome.value, blobs };
  if (outcome.kind === 'failed') throw new JobFailed(outcome.message);
  const { code, detail, ...more } = outcome.problem;
  throw new Problem(code, detail, more);
}

/** Reads the replies of a child, one for each call of `next`, which rejects when the child ends first. */
function createReplies(process: LimitedChild, { output, giveWay }: { output: number; giveWay: GiveWay }) {
  const reader = process.stdout.getReader();
  const read = createFrameReader(output);
  return {
    async next(): Promise<Payload<ChildReply>> {
      for (;;) {
        const { done, value: chunk } = await reader.read();
        if (done) throw new Error('the child ended');
        const [frame] = read(chunk);
        if (frame) return frame as Payload<ChildReply>;
        await giveWay();
      }
    },
  };
}

/** Reads a stream to its end and returns its beginning as text. */
async function firstText(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream)
    if (text.length < MAX_REASON_LENGTH) text += decoder.decode(chunk, { stream: true });
  return text.slice(0, MAX_REASON_LENGTH);
}
