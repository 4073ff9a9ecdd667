import type { Database, Transaction } from './database.ts';

/** Runs `write` in a transaction, unless one with the same key or too many others are under way. */
export type OptionalWrite = (key: string, write: (trx: Transaction) => Promise<unknown>) => void;

/** Maximum number of writes under way. */
const MAX_RUNNING = 100;

/**
 * Returns a function for writes that may be skipped, since the next request repeats them, such as the time of a last
 * use. The request does not wait for them, so that reads work while the disk is full or the database takes no writes.
 */
export function createOptionalWrites(database: Pick<Database, 'transaction'>): OptionalWrite {
  const running = new Set<string>();
  return (key, write) => {
    if (running.has(key) || running.size >= MAX_RUNNING) return;
    running.add(key);
    const done = () => running.delete(key);
    // Failures need no report: `/readyz` and the writes that are not optional report the cause.
    database.transaction(write).then(done, done);
  };
}
