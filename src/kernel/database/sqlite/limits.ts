import { SECOND } from '../../clock.ts';

/** Time for which requests wait for the write lock. Every request must get a response within 10 s. */
export const WRITE_LOCK_MS = 8 * SECOND;

/** Time for which commands wait for the write lock; they do not take turns with a server that writes. */
export const LONG_WRITE_LOCK_MS = 30 * SECOND;
