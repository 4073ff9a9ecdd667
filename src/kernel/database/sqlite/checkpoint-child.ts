import { Database as BunSqlite } from 'bun:sqlite';
import { serveJobs } from '../../compute/child.ts';

/** Copies the write-ahead log of a SQLite database to the database file. */
await serveJobs(
  ([file = '']) => {
    const connection = new BunSqlite(file, { readwrite: true, create: false });
    // Passive: the other modes take the write lock, and a hung disk would keep it.
    const checkpoint = connection.query('pragma wal_checkpoint(passive)');
    return () => ({ value: checkpoint.get() });
  },
  { confined: false },
);
