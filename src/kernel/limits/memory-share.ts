/** A limit on bytes that a process holds for its callers. */
interface MemoryShare {
  /** Share of the memory that the process may use. */
  share: number;
  /** Bounds of the limit in bytes. */
  least: number;
  most: number;
}

/**
 * Returns a limit in bytes that is smaller where there is little memory: garbage can occupy several
 * times the memory of the bytes in use, and Linux kills the process when memory runs out.
 * @param available bytes; by default, those of the container (cgroups(7)) or of the machine
 */
export function memoryShare(
  { share, least, most }: MemoryShare,
  available = process.constrainedMemory(),
): number {
  return Math.min(most, Math.max(least, Math.floor(available * share)));
}
