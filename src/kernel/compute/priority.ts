import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { createRateLimit } from '../limits/rates.ts';

/**
 * `prompt` = the priority of the server, and `low` = ten nice values below it, both on half of the cores; `background`
 * = low, on all cores, for jobs without a waiting caller.
 */
export type ChildPriority = 'prompt' | 'low' | 'background';

/** Nice value added to the priority of background work. */
export const LOW_NICE = 10;
const LOWEST = 19;

/** CPU time: `burstMs` at once, then `msPerMinute` a minute. */
export interface CpuShare {
  burstMs: number;
  msPerMinute: number;
}

/**
 * CPU time that children may use at the priority of the server. Short jobs run at that priority, so that they also end
 * soon on a busy machine. All owners together have a fourth of a core.
 */
export interface CpuShares {
  /** Reports whether the owner and all together have time left. */
  isOpen(owner: string): boolean;
  take(owner: string, ms: number): void;
}

export interface CpuSharesDeps {
  own?: CpuShare;
  all?: CpuShare;
}

const OWN: CpuShare = { burstMs: 1_000, msPerMinute: 6_000 };
const ALL: CpuShare = { burstMs: 4_000, msPerMinute: 15_000 };
/** Differs from every owner, since no owner is empty. */
const EVERYBODY = '';

export function createCpuShares({ own = OWN, all = ALL }: CpuSharesDeps = {}): CpuShares {
  const clock = { now: () => performance.now() };
  const limitOf = ({ burstMs, msPerMinute }: CpuShare) =>
    createRateLimit({ burst: burstMs, perMinute: msPerMinute, clock });
  const owners = limitOf(own);
  const everybody = limitOf(all);
  return {
    isOpen: (owner) => owners.waitFor(owner) === 0 && everybody.waitFor(EVERYBODY) === 0,
    take(owner, ms) {
      owners.take(owner, ms);
      everybody.take(EVERYBODY, ms);
    },
  };
}

/** Lowers the priority of a running process for the rest of its life. */
export function lowerPriority(pid: number): void {
  const low = Math.min(LOWEST, getPriority() + LOW_NICE);
  for (const id of threadsOf(pid)) {
    try {
      setPriority(id, low);
    } catch {
      // The thread has ended, or the system does not allow it.
    }
  }
}

/** Ids of the threads of a process: on Linux a priority applies to one thread (setpriority(2)). */
function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
}
