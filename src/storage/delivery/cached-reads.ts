import { createCache } from '../../kernel/cache.ts';
import type { Database } from '../../kernel/database/database.ts';

/** Version of a value that was read once: less than the version of any database. */
const NONE = -1;

/**
 * Returns `read` with a cache of its results, which are valid until any process commits to the database. Each call
 * compares the version of the database, which takes a fraction of the time of a query that finds one row. PostgreSQL
 * has no version, so there each call reads. The first call for a key does not read the version, so values are reused
 * from the second call on. Missing values (null) are not cached.
 * @param max maximum number of cached results
 */
export function cacheReads<Value extends object>(
  { version }: Pick<Database, 'version'>,
  max: number,
  read: (key: string) => Promise<Value | null>,
): (key: string) => Promise<Value | null> | Value {
  if (version === null) return read;
  // The first call opens the file that holds the version.
  version();
  const kept = createCache<{ value: Value; version: number }>({ max });

  async function readAndKeep(key: string, now: number): Promise<Value | null> {
    const value = await read(key);
    if (value) kept.set(key, { value, version: now });
    return value;
  }

  return (key) => {
    const known = kept.get(key);
    if (!known) return readAndKeep(key, NONE);
    // Before the read, which may see a later version: then the next call reads again.
    const now = version();
    return known.version === now ? known.value : readAndKeep(key, now);
  };
}
