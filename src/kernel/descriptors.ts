import { ptr } from 'bun:ffi';
import { openCLibrary } from './compute/c-library.ts';

const RLIMIT_NOFILE = 7;

/**
 * Returns a function that returns the number of file descriptors that this process may open, which can change while
 * it runs; infinity where the system does not report it.
 */
export function openDescriptorLimit(): () => number {
  const library = openCLibrary({ getrlimit: { args: ['i32', 'ptr'], returns: 'i32' } });
  /** `struct rlimit`: the limit that holds, and the one up to which it may be raised. */
  const limits = new BigUint64Array(2);
  return () =>
    library?.getrlimit(RLIMIT_NOFILE, ptr(limits)) === 0 ? Number(limits[0]) : Number.POSITIVE_INFINITY;
}
