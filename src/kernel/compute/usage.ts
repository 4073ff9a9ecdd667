import { openSync, readFileSync, readSync } from 'node:fs';

/** CPU time in ms and resident memory in bytes of a process, and whether a signal has stopped it (SIGSTOP). */
export interface ProcessUsage {
  cpuMs: number;
  memory: number;
  isStopped: boolean;
}

/** USER_HZ, the unit of times in /proc, is 100 for every program on Linux. */
const TICK_MS = 10;
/** Indexes in `stat` after the process id and the name (proc_pid_stat(5)). */
const STATE = 0;
const USER_TIME = 11;
const SYSTEM_TIME = 12;

/** Returns the usage of a running process; zeros where the operating system has no /proc. */
export function usageOf(pid: number): ProcessUsage {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in parentheses, may contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return {
      cpuMs: (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) * TICK_MS,
      memory: bytesIn(status, 'VmRSS'),
      isStopped: fields[STATE] === 'T',
    };
  } catch {
    return { cpuMs: 0, memory: 0, isStopped: false };
  }
}

const STATUS_BYTES = 4_096;

/**
 * Returns a function that returns the resident memory of this process in bytes, even when it can no longer open files.
 */
export function openMemoryUsage(): () => number {
  let file: number;
  try {
    file = openSync('/proc/self/status', 'r');
  } catch {
    return () => process.memoryUsage.rss();
  }
  const status = Buffer.alloc(STATUS_BYTES);
  return () => bytesIn(status.toString('latin1', 0, readSync(file, status, 0, STATUS_BYTES, 0)), 'VmRSS');
}

/** Returns the data and anonymous memory of this process in bytes, most of it only reserved; 0 without /proc. */
export function ownData(): number {
  try {
    return bytesIn(readFileSync('/proc/self/status', 'latin1'), 'VmData');
  } catch {
    return 0;
  }
}

function bytesIn(status: string, field: 'VmRSS' | 'VmData'): number {
  return Number(new RegExp(`^${field}:\\s*(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
}
