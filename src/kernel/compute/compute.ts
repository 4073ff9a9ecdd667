import { MB } from '../bytes.ts';
import { MINUTE, SECOND } from '../clock.ts';
import { createFairQueue } from '../limits/fair-queue.ts';
import type { Log } from '../log.ts';
import { createChildPool } from './child-pool.ts';
import { type CpuSharesDeps, createCpuShares } from './cpu-shares.ts';
import type { Payload } from './frames.ts';
import type { ChildPriority } from './priority.ts';
import type { ChildLimits } from './spawn.ts';
import { ChildLost, type ChildProgram, type Job, JobKilled, startChild } from './start-child.ts';
import type { JobLimits } from './watch-job.ts';

export interface ComputeDeps extends Omit<ChildProgram, 'limits'>, JobLimits {
  /** Names the work in the log. */
  name: string;
  log: Log;
  /** By default 256 MB, and 600 s of CPU time. A child is replaced after half of its time. */
  limits?: Partial<ChildLimits>;
  /** Returns the error for a job that exceeded a limit or crashed its child; by default, the JobKilled itself. */
  killed?(error: JobKilled): Error;
  /** Maximum number of child processes. With two or more, an owner can use all but one. */
  children: number;
  /** Maximum number of waiting jobs, of all owners and of each. */
  waiting?: number;
  waitingEach?: number;
  /** Maximum time for which a job waits, ms. */
  waitMs?: number;
  /** Time after which an idle child ends, ms. */
  idleMs?: number;
  /**
   * CPU time at the priority of the server; jobs beyond it run in children of low priority. Null = all jobs
   * do.
   */
  shares?: CpuSharesDeps | null;
  /** False = a child runs the jobs of one owner only. */
  isShared?: boolean;
}

/** Runs work on untrusted input in child processes, which have limits and are killed when a job exceeds one. */
export interface Compute {
  /**
   * Runs a job when it is the turn of its owner. A job whose child crashes, or is killed from outside, is repeated once
   * unless it has a stream, since it may not be the cause.
   * @param owner the client, account or address whose work it is
   * @param limits of this job, in place of those of the pool
   * @throws the error of `killed` when it exceeds a limit or crashes its child, which affects no other job;
   *   Unavailable when no child starts, it gets too little CPU time, or is killed from outside; JobInterrupted when it
   *   may not continue; the Problem that it throws; JobFailed for any other error of it; errors of its stream; Problem
   *   429 `rate_limited` or 503 `unavailable` when too many jobs wait
   */
  run(owner: string, job: Job, limits?: JobLimits): Promise<Payload>;
  /** Kills the children and refuses further jobs. */
  stop(): void;
}

const LIMITS: ChildLimits = { memory: 256 * MB, cpuSeconds: 600 };

/** Creates a pool of children, each started when it is first needed. */
export function createCompute(deps: ComputeDeps): Compute {
  const { name, log, children, waiting = 1_000, waitingEach = 500 } = deps;
  const { waitMs = 20 * SECOND, idleMs = MINUTE, isShared = true } = deps;
  const program = { ...deps, limits: { ...LIMITS, ...deps.limits } };
  const shares = deps.shares === null ? null : createCpuShares(deps.shares);
  const runningEach = Math.max(1, children - 1);
  const inTurn = createFairQueue({ running: children, runningEach, waiting, waitingEach, waitMs });
  const pool = createChildPool({
    start: (priority) => startChild(program, priority),
    children,
    idleMs,
    isShared,
  });
  let stopped = false;

  function priorityOf(owner: string): ChildPriority {
    if (!shares) return 'background';
    return shares.isOpen(owner) ? 'prompt' : 'low';
  }

  async function attempt(owner: string, job: Job, limits: JobLimits): Promise<Payload> {
    if (stopped) throw new Error('the server is stopping');
    const priority = priorityOf(owner);
    const begun = performance.now();
    const child = await pool.take(owner, priority);
    try {
      return await child.run(job, withoutStart(limits, performance.now() - begun));
    } catch (error) {
      if (error instanceof JobKilled || error instanceof ChildLost)
        log.warn({ work: name, owner, reason: error.reason }, 'a job was ended');
      throw error;
    } finally {
      if (priority === 'prompt') shares?.take(owner, child.takeUsedMs());
      pool.release(child, owner);
    }
  }

  return {
    run: (owner, job, limits = deps) =>
      inTurn(owner, async () => {
        try {
          return await attempt(owner, job, limits).catch((error) => {
            if (!isRepeatable(error) || job.stream || stopped) throw error;
            return attempt(owner, job, limits);
          });
        } catch (error) {
          throw error instanceof JobKilled ? (deps.killed?.(error) ?? error) : error;
        }
      }),
    stop() {
      stopped = true;
      pool.stop();
    },
  };
}

/** Reports whether another child may be able to run the job. */
const isRepeatable = (error: unknown) =>
  error instanceof ChildLost || (error instanceof JobKilled && error.reason === 'crash');

/** The limit of the elapsed time of a job includes the start of its child. */
function withoutStart({ ms, longestMs }: JobLimits, startMs: number): JobLimits {
  return longestMs === undefined ? { ms } : { ms, longestMs: Math.max(1, longestMs - startMs) };
}
