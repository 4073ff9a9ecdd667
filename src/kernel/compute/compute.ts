import { MINUTE, SECOND } from '../clock.ts';
import { createFairQueue } from '../limits/fair-queue.ts';
import type { Log } from '../log.ts';
import type { Payload } from './frames.ts';
import { type Child, type ChildProgram, JobKilled, startChild } from './start-child.ts';

export interface ComputeDeps extends ChildProgram {
  /** Names the work in the log. */
  name: string;
  log: Log;
  /** Maximum number of child processes. With two or more, one owner occupies all but one at most. */
  children: number;
  /** CPU time that a job may take, ms. It may last five times as long. */
  ms: number;
  /** Maximum number of jobs that wait, and of those of one owner. */
  waiting?: number;
  waitingEach?: number;
  /** Maximum time for which a job waits, ms. */
  waitMs?: number;
  /** Time after which an idle child ends, ms. */
  idleMs?: number;
}

/** Runs work on untrusted input in child processes, which have limits and are killed when a job exceeds one. */
export interface Compute {
  /**
   * Runs a job when it is the turn of its owner.
   * @param owner the client, account or address whose work it is
   * @throws JobKilled when it exceeds a limit or crashes its child, which affects no other job; the Problem that it
   *   throws; Problem 429 `rate_limited` or 503 `unavailable` when too many jobs wait
   */
  run(owner: string, job: Payload): Promise<Payload>;
  /** Kills the children and refuses further jobs. */
  stop(): void;
}

/** Creates a pool of children that start when they are needed first. */
export function createCompute(deps: ComputeDeps): Compute {
  const { name, log, children, ms, waiting = 1_000, waitingEach = 500 } = deps;
  const { waitMs = 20 * SECOND, idleMs = MINUTE } = deps;
  const runningEach = Math.max(1, children - 1);
  const inTurn = createFairQueue({ running: children, runningEach, waiting, waitingEach, waitMs });
  const all = new Set<Child>();
  /** The children without a job, with the timers that end them. */
  const idle: { child: Child; timer: Timer }[] = [];
  let stopped = false;

  async function take(): Promise<Child> {
    for (let next = idle.pop(); next; next = idle.pop()) {
      clearTimeout(next.timer);
      if (next.child.isAlive()) return next.child;
      all.delete(next.child);
    }
    const child = await startChild(deps);
    all.add(child);
    if (stopped) child.kill();
    return child;
  }

  function giveBack(child: Child): void {
    if (!child.isAlive()) return void all.delete(child);
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((entry) => entry.child === child),
        1,
      );
      all.delete(child);
      child.end();
    }, idleMs);
    timer.unref();
    idle.push({ child, timer });
  }

  return {
    run: (owner, job) =>
      inTurn(owner, async () => {
        if (stopped) throw new Error('the server stops');
        const child = await take();
        try {
          return await child.run(job, ms);
        } catch (error) {
          if (error instanceof JobKilled)
            log.warn({ work: name, owner, reason: error.reason }, 'a job was ended');
          throw error;
        } finally {
          giveBack(child);
        }
      }),
    stop() {
      stopped = true;
      for (const { timer } of idle) clearTimeout(timer);
      for (const child of all) child.kill();
    },
  };
}
