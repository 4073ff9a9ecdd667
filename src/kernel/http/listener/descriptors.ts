import { openCLibrary } from '../../compute/c-library.ts';

/**
 * Returns a function that returns the number of file descriptors that this process may open, which can change while
 * it runs; infinity where the system does not report it.
 */
export function openDescriptorLimit(): () => number {
  // On macOS, getrlimit(2) can return infinity, and this function the limit of the kernel.
  const library = openCLibrary({ getdtablesize: { args: [], returns: 'i32' } });
  return () => {
    const limit = library?.getdtablesize() ?? -1;
    // Negative = above the range of the type, in effect no limit.
    return limit < 0 ? Number.POSITIVE_INFINITY : limit;
  };
}
