import { beforeEach, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { sql } from 'kysely';
import { freshLocation, openAt } from '../../../../test/harness/database.ts';
import { until } from '../../../../test/harness/until.ts';
import { createLog } from '../../log.ts';
import type { Database } from '../database.ts';
import { createCheckpoints } from './checkpoints.ts';

const PAGE = 4_096;
/** More pages than the log may have before it is copied. */
const PAGES = 4_500;
/** Commits after which the length of the log is read. */
const COMMITS = 32;

describe('SQLite', () => {
  let database: Database;
  let file: string;
  beforeEach(async () => {
    file = await freshLocation('sqlite');
    database = openAt(file);
    await database.schema.schema.createTable('entries').addColumn('text', 'text').execute();
  });

  const write = (bytes: number) =>
    database.transaction((trx) => sql`insert into entries values (${'x'.repeat(bytes)})`.execute(trx));

  async function pagesOfLog(): Promise<number> {
    const { rows } = await sql<{ log: number }>`pragma wal_checkpoint(noop)`.execute(database.read);
    return rows[0]?.log ?? 0;
  }

  const countEntries = async () =>
    (await sql<{ count: number }>`select count(*) count from entries`.execute(database.read)).rows[0]?.count;

  /** Writes until the log restarts, and returns the number of writes. */
  async function writeUntilShort(): Promise<number> {
    let written = 0;
    await until(async () => {
      await write(1);
      written++;
      return (await pagesOfLog()) < PAGES;
    });
    return written;
  }

  test('a long log is copied to the database file and restarted', async () => {
    await write(PAGES * PAGE);
    expect(await pagesOfLog()).toBeGreaterThan(PAGES);
    expect((await stat(file)).size).toBeLessThan(PAGES * PAGE);
    const written = await writeUntilShort();
    expect((await stat(file)).size).toBeGreaterThan(PAGES * PAGE);
    expect(await countEntries()).toBe(1 + written);
  });

  // The child is found by /proc, which only Linux has.
  test.skipIf(process.platform !== 'linux')('a child that hangs or is killed stops no writes', async () => {
    await write(PAGES * PAGE);
    let written = 1 + (await writeUntilShort());
    const child = checkpointChild(file);
    process.kill(child, 'SIGSTOP');
    await write(PAGES * PAGE);
    for (let each = 0; each < 3 * COMMITS; each++) await write(1);
    expect(await pagesOfLog()).toBeGreaterThan(PAGES);
    process.kill(child, 'SIGKILL');
    written += 1 + 3 * COMMITS;
    expect(await countEntries()).toBe(written);
  });

  test('a log that grew behind a reader shrinks again', async () => {
    const log = `${file}-wal`;
    await database.snapshot(async ({ tables }) => {
      expect(tables).toContain('entries');
      for (let each = 0; each < 5; each++) await write(PAGES * PAGE);
      for (let each = 0; each < 2 * COMMITS; each++) await write(1);
    });
    expect((await stat(log)).size).toBeGreaterThan(5 * PAGES * PAGE);
    await writeUntilShort();
    await until(async () => (await stat(log)).size <= 67_108_864);
  });
});

/** Returns the id of the process that copies the log of the database `file`. */
function checkpointChild(file: string): number {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
    .trim()
    .split(' ');
  const found = children.find((pid) => {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return words.some((word) => word.endsWith('checkpoint-child.ts')) && words.includes(file);
  });
  return Number(found);
}

describe('the copies', () => {
  const fake = () => {
    const state = { now: 0, pages: PAGES, exclusive: 0, copies: [] as PromiseWithResolvers<void>[] };
    const checkpoints = createCheckpoints({
      length: () => state.pages,
      copy() {
        const copy = Promise.withResolvers<void>();
        state.copies.push(copy);
        return copy.promise;
      },
      async exclusively(work) {
        state.exclusive++;
        await work().finally(() => state.exclusive--);
      },
      log: createLog('silent'),
      now: () => state.now,
    });
    const commit = () => {
      for (let each = 0; each < COMMITS; each++) checkpoints.committed();
    };
    const copyOf = async (number: number) => {
      await until(() => state.copies.length > number);
      return state.copies[number];
    };
    return { state, commit, copyOf };
  };

  test('block writers for the rest only, and not while it hangs', async () => {
    const { state, commit, copyOf } = fake();
    commit();
    const most = await copyOf(0);
    expect(state.exclusive).toBe(0);
    most?.resolve();
    const rest = await copyOf(1);
    expect(state.exclusive).toBe(1);
    await until(() => state.exclusive === 0);
    state.now += 60_000;
    commit();
    expect(state.copies).toHaveLength(2);
    rest?.resolve();
    await until(() => {
      state.now += 60_000;
      commit();
      return state.copies.length === 3;
    });
  });

  test('pause after a failure', async () => {
    const { state, commit, copyOf } = fake();
    commit();
    (await copyOf(0))?.reject(new Error('SQLITE_FULL'));
    await new Promise(setImmediate);
    state.now += 4_000;
    commit();
    expect(state.copies).toHaveLength(1);
    state.now += 2_000;
    commit();
    expect(state.copies).toHaveLength(2);
  });
});
