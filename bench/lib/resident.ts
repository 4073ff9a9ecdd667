import { readFileSync, writeFileSync } from 'node:fs';

/** Resident memory of a process (proc_pid_status(5)). */
export interface Resident {
  /** Current bytes. */
  now(): number;
  /** Peak in bytes since the last `forgetPeak`. */
  peak(): number;
  forgetPeak(): void;
}

/** Returns null on systems other than Linux. */
export function residentOf(pid: number): Resident | null {
  if (process.platform !== 'linux') return null;
  const field = (name: string) => {
    const [, kilobytes] =
      new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) * 1024;
  };
  return {
    now: () => field('VmRSS'),
    peak: () => field('VmHWM'),
    // 5 resets the peak to the current value (proc_pid_clear_refs(5)).
    forgetPeak: () => writeFileSync(`/proc/${pid}/clear_refs`, '5'),
  };
}
