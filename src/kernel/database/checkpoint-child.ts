import { Database as BunSqlite } from 'bun:sqlite';
import { serveJobs } from '../compute/child.ts';

/** https://www.sqlite.org/pragma.html#pragma_wal_checkpoint */
export type CheckpointMode = 'passive' | 'restart';

/** Copies the write-ahead log of a SQLite database to the database file. */
await serveJobs(
  ([file = '']) => {
    const connection = new BunSqlite(file, { readwrite: true, create: false });
    // `restart` keeps the write lock while it waits for readers.
    connection.run('pragma busy_timeout = 50');
    return ({ value }) => ({
      value: connection.query(`pragma wal_checkpoint(${value as CheckpointMode})`).get(),
    });
  },
  { confined: false },
);
