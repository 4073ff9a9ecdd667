import { MINUTE, SECOND } from '../clock.ts';
import { createFairQueue } from '../limits/fair-queue.ts';
import type { Log } from '../log.ts';
import type { Payload } from './frames.ts';
import { type CpuSharesDeps, createCpuShares } from './priority.ts';
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
  /** CPU time at the priority of the server; jobs beyond it run in children of a low priority. */
  shares?: CpuSharesDeps;
}

/** Runs work on untrusted input in child processes, which have limits and are killed when a job exceeds one. */
export interface Compute {
  /**
   * Runs a job when it is the turn of its owner.
   * @param owner the client, account or address whose work it is
   * @param ms CPU time that it may take, in place of that of the others
   * @throws JobKilled when it exceeds a limit or crashes its child, which affects no other job; the Problem that it
   *   throws; Problem 429 `rate_limited` or 503 `unavailable` when too many jobs wait
   */
  run(owner: string, job: Payload, ms?: number): Promise<Payload>;
  /** Kills the children and refuses further jobs. */
  stop(): void;
}

/** A child without a job, with the timer that ends it. */
interface IdleChild {
  child: Child;
  timer: Timer;
}

/** Creates a pool of children that start when they are needed first. */
export function createCompute(deps: ComputeDeps): Compute {
  const { name, log, children, ms, waiting = 1_000, waitingEach = 500 } = deps;
  const { waitMs = 20 * SECOND, idleMs = MINUTE } = deps;
  const shares = createCpuShares(deps.shares);
  const runningEach = Math.max(1, children - 1);
  const inTurn = createFairQueue({ running: children, runningEach, waiting, waitingEach, waitMs });
  const all = new Set<Child>();
  const idle: IdleChild[] = [];
  let stopped = false;

  const idleLike = (isPrompt: boolean) =>
    idle.filter(({ child }) => child.isAlive() && child.isPrompt() === isPrompt);

  function leaveIdle(entry: IdleChild): void {
    clearTimeout(entry.timer);
    idle.splice(idle.indexOf(entry), 1);
  }

  async function take(isPrompt: boolean): Promise<Child> {
    const entry = idleLike(isPrompt).at(-1);
    if (entry) {
      leaveIdle(entry);
      return entry.child;
    }
    const child = await startChild(deps, isPrompt);
    all.add(child);
    if (stopped) child.kill();
    return child;
  }

  function giveBack(child: Child): void {
    if (child.isAlive() && idleLike(child.isPrompt()).length < children) {
      const entry: IdleChild = { child, timer: setTimeout(() => end(entry), idleMs) };
      entry.timer.unref();
      idle.push(entry);
    } else {
      all.delete(child);
      child.end();
    }
  }

  function end(entry: IdleChild): void {
    leaveIdle(entry);
    all.delete(entry.child);
    entry.child.end();
  }

  return {
    run: (owner, job, jobMs = ms) =>
      inTurn(owner, async () => {
        if (stopped) throw new Error('the server stops');
        const isPrompt = shares.isOpen(owner);
        const child = await take(isPrompt);
        try {
          return await child.run(job, jobMs);
        } catch (error) {
          if (error instanceof JobKilled)
            log.warn({ work: name, owner, reason: error.reason }, 'a job was ended');
          throw error;
        } finally {
          if (isPrompt) shares.take(owner, child.takeUsedMs());
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
