import { readFileSync, writeFileSync } from 'node:fs';

/** The memory that a process holds, as Linux tells it (proc_pid_status(5)). */
export interface Resident {
  /** Bytes that it holds now. */
  now(): number;
  /** The most bytes that it held since the last `forgetPeak`. */
  peak(): number;
  forgetPeak(): void;
}

/** Null where the system is not Linux. */
export function residentOf(pid: number): Resident | null {
  if (process.platform !== 'linux') return null;
  const field = (name: string) => {
    const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) * 1024;
  };
  return {
    now: () => field('VmRSS'),
    peak: () => field('VmHWM'),
    // 5 sets the peak to what is held now (proc_pid_clear_refs(5)).
    forgetPeak: () => writeFileSync(`/proc/${pid}/clear_refs`, '5'),
  };
}
