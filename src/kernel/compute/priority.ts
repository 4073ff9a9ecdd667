import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/**
 * `prompt` = the priority of the server, and `low` = ten nice values below it, both on half of the cores; `background`
 * = low, on all cores, for jobs without a waiting caller.
 */
export type ChildPriority = 'prompt' | 'low' | 'background';

/** Nice value added to the priority of background work. */
export const LOW_NICE = 10;
const LOWEST = 19;

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
