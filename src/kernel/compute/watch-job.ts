import { usageOf } from './usage.ts';

/** Limits of a job, ms. */
export interface JobLimits {
  /** CPU time. */
  ms: number;
  /** Elapsed time; default: five times the CPU time. */
  longestMs?: number;
}

const CHECK_MS = 20;
/** Time for which a child may be stopped by a signal. */
const STOPPED_MS = 3_000;
/** The elapsed time of a job may exceed its CPU time, since its child may have a low priority. */
const WAITING_FACTOR = 5;
/**
 * A job that exceeds its elapsed time after this share of its CPU time is too expensive; before, the machine
 * is too busy. Limits are many times what reasonable jobs take.
 */
const EXPENSIVE_SHARE = 0.25;

/** Reason for ending a job: an exceeded limit, a stopped child, or `mayContinue`. */
export type Exceeded = 'time' | 'memory' | 'elapsed' | 'stopped' | 'interrupted';

export interface WatchedJob extends JobLimits {
  /** Maximum resident memory of the child, bytes. */
  memory: number;
  /** CPU time after which `tookLong` is called, ms. */
  promptMs: number;
  /** Called repeatedly with the CPU time of the job so far, in ms. False = ends the job. */
  mayContinue?(cpuMs: number): boolean;
}

interface Watched {
  exceed(reason: Exceeded): void;
  tookLong(): void;
}

/**
 * From now on, calls `tookLong` when a process has taken `promptMs` of CPU time, and `exceed` once when it exceeds a
 * limit or may not continue.
 * @returns a function that ends the watch and returns the CPU time that the process used during it, ms
 */
export function watchJob(
  pid: number,
  { ms, longestMs = ms * WAITING_FACTOR, memory, promptMs, mayContinue = () => true }: WatchedJob,
  { exceed, tookLong }: Watched,
): () => number {
  const started = performance.now();
  const before = usageOf(pid).cpuMs;
  let runningAt = started;
  const measure = () => {
    const used = usageOf(pid);
    const elapsed = performance.now() - started;
    // Without /proc, or after the process has ended, its CPU time is unknown: the elapsed time is its upper bound.
    return { ...used, elapsed, cpuMs: used.cpuMs === 0 ? elapsed : used.cpuMs - before };
  };
  const exceededBy = (used: ReturnType<typeof measure>): Exceeded | null => {
    if (used.memory > memory) return 'memory';
    if (used.cpuMs > ms) return 'time';
    if (!mayContinue(used.cpuMs)) return 'interrupted';
    if (performance.now() - runningAt > STOPPED_MS) return 'stopped';
    if (used.elapsed <= longestMs) return null;
    return used.cpuMs > ms * EXPENSIVE_SHARE ? 'time' : 'elapsed';
  };
  const check = setInterval(() => {
    const used = measure();
    if (used.cpuMs > promptMs) tookLong();
    if (!used.isStopped) runningAt = performance.now();
    const exceeded = exceededBy(used);
    if (!exceeded) return;
    clearInterval(check);
    exceed(exceeded);
  }, CHECK_MS);
  return () => {
    clearInterval(check);
    return measure().cpuMs;
  };
}
