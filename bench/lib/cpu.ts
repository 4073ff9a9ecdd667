import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second in /proc (https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html). */
const TICKS = 100;

/** Returns the CPU time that a process has used, in seconds. Linux only. */
export function cpuSeconds(pid: number): number {
  // The name of the process, in parentheses, may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** Returns the sum of the CPU times of processes. */
export function totalCpuSeconds(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
}

/** Returns the running children of a process. Linux only. */
export function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
  );
}
