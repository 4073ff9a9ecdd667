import { readFileSync } from 'node:fs';

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
