import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory } from '../../../../test/harness/backends.ts';
import { createCommitVersion } from './commit-version.ts';

function noQuery(): never {
  throw new Error('the header is readable');
}

test('the version changes with the commits of all connections, and with nothing else', () => {
  const file = join(freshDirectory(), 'database');
  const one = new Database(file);
  one.run('pragma journal_mode = wal');
  one.run('create table numbers (number)');
  const other = new Database(file);
  const version = createCommitVersion(`${file}-shm`, noQuery);
  const seen = [version()];
  const isSame = () => seen.at(-1) === version();
  const isNew = () => !seen.includes(version()) && seen.push(version()) > 0;

  one.query('select * from numbers').all();
  one.run('begin immediate');
  one.run('rollback');
  expect(isSame()).toBe(true);
  one.run('insert into numbers values (1)');
  expect(isNew()).toBe(true);
  other.run('begin');
  other.run('insert into numbers values (2)');
  expect(isSame()).toBe(true);
  other.run('commit');
  expect(isNew()).toBe(true);
  // The log restarts.
  one.run('pragma wal_checkpoint(truncate)');
  version();
  other.run('insert into numbers values (3)');
  expect(isNew()).toBe(true);
  other.close();
  one.close();
});

test('the database is queried when the file has no header', () => {
  const index = join(freshDirectory(), 'database-shm');
  writeFileSync(index, '');
  let queried = 0;
  const version = createCommitVersion(index, () => ++queried);
  expect([version(), version()]).toEqual([1, 2]);
});
