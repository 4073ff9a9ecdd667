import { SECOND } from '../../clock.ts';

/** Time for which requests wait for the write lock. Every request must be answered within 10 s. */
export const LOCK_MS = 8 * SECOND;

/** Time for which commands wait for it, which take no turns with a server that writes. */
export const LONG_LOCK_MS = 30 * SECOND;
