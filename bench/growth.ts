import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../src/kernel/database/database.ts';
import { migrate } from '../src/kernel/database/migrate.ts';
import { openPostgres } from '../src/kernel/database/postgres.ts';
import { openSqlite } from '../src/kernel/database/sqlite.ts';
import { createLog } from '../src/kernel/log.ts';
import { createShortRequests } from '../src/kernel/short-requests.ts';
import { createHistory } from '../src/messages/history.ts';
import { migrations } from '../src/schema.ts';
import { createExports } from '../src/storage/delivery/export.ts';
import { usageOf } from '../src/storage/tree/folder.ts';
import { listFiles } from '../src/storage/tree/listing.ts';
import { makeDatabase } from '../test/harness/databases.ts';
import { fillFiles, fillMessages } from '../test/harness/many-rows.ts';
import { startPeers } from '../test/harness/peers.ts';
import { median, print } from './lib/pairs.ts';

/**
 * Compares the cost of operations on few rows among 1,000 and among 1,000,000, on both databases:
 * `npm run bench -- growth`. Then the longest reads of SQLite, and how long they delay this process.
 */
const SIZES = [1_000, 1_000_000] as const;
const ROUNDS = 21;
const REACH = 2;
const FOLDER = { id: 'one', workspaceId: 'bench' };

const OPERATIONS: Record<string, (database: Database) => Promise<unknown>> = {
  'usage of a folder of 1,000 files': (database) => usageOf(database, FOLDER),
  'layout of its ZIP file': (database) => layOut(database, 'one'),
  'page of 100 files': (database) =>
    listFiles(database, { ...FOLDER, id: 'one1' }, { limit: 100, sort: 'name', order: 'asc' }),
  'newest 50 messages': (database) => messages(database, {}),
  'queued messages (none)': (database) => messages(database, { status: 'queued' }),
  'failed messages (20)': (database) => messages(database, { status: 'failed' }),
  'messages of a kind (20)': (database) => messages(database, { kind: 'telegram' }),
  'messages of a client (20)': (database) => messages(database, { clientId: 'rare' }),
  'text in messages of a client (20)': (database) =>
    messages(database, { clientId: 'rare', search: 'nowhere' }),
};

/** Reads that take long at any number of other rows; run in a child process on SQLite. */
const LONG: Record<string, (database: Database) => Promise<unknown>> = {
  'text in 50,000 messages, not found': (database) => messages(database, { search: 'nowhere' }),
  'usage of 999,000 files': (database) => usageOf(database, { ...FOLDER, id: 'rest' }),
  'layout of a ZIP file of 300,000 files': (database) => layOut(database, 'large'),
};

const messages = (database: Database, filter: object) =>
  createHistory(database).list({ limit: 50, ...filter });

async function layOut(database: Database, id: string): Promise<void> {
  const unused = () => Promise.reject(new Error('no bytes are read'));
  await createExports({
    database,
    blobs: { read: unused },
    hold: unused,
    shortRequests: createShortRequests(),
  }).folder({
    ...FOLDER,
    id,
  });
}

/** Makes a folder of 300,000 files of others. */
async function makeLargeFolder(database: Database): Promise<void> {
  await database.transaction(async (trx) => {
    const [rest] = await trx.selectFrom('folders').selectAll().where('id', '=', 'rest').execute();
    if (!rest) throw new Error('there is no folder of the other files');
    const large = { ...rest, id: 'large', parent_id: rest.id, name: 'large', name_key: 'large' };
    await trx.insertInto('folders').values(large).execute();
    const moved = Array.from({ length: 300 }, (_, index) => `rest${index + 1}`);
    await trx.updateTable('folders').set({ parent_id: large.id }).where('id', 'in', moved).execute();
  });
}

async function medianMs(operation: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    await operation();
    times.push(performance.now() - started);
  }
  return median(times);
}

/** Returns the duration of an operation and the longest time for which this process did nothing else, ms. */
async function delayOf(operation: () => Promise<unknown>): Promise<{ ms: number; longest: number }> {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  const started = performance.now();
  await operation();
  clearInterval(timer);
  return { ms: performance.now() - started, longest: Math.max(longest, performance.now() - last) };
}

async function measure(open: () => Promise<Database>): Promise<void> {
  const databases: Database[] = [];
  for (const count of SIZES) {
    const database = await open();
    await migrate(database, migrations);
    await fillFiles(database, count);
    await fillMessages(database, { count, rare: 20 });
    databases.push(database);
  }
  const [few, many] = databases;
  if (!few || !many) return;
  print(`${few.kind}: ${SIZES.map((size) => size.toLocaleString('en-US')).join(' and ')} rows, median ms`);
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    const [a, b] = [await medianMs(() => operation(few)), await medianMs(() => operation(many))];
    const verdict = b / a <= REACH ? 'reached' : 'short';
    print(
      `  ${name.padEnd(36)} ${a.toFixed(2).padStart(8)} ${b.toFixed(2).padStart(8)}, ratio ${(b / a).toFixed(2)}, reach ${REACH}: ${verdict}`,
    );
  }
  await makeLargeFolder(many);
  for (const [name, operation] of Object.entries(LONG)) {
    await operation(many);
    const { ms, longest } = await delayOf(() => operation(many));
    print(
      `  ${name.padEnd(36)} ${ms.toFixed(0).padStart(8)} ms; delayed others by ${longest.toFixed(0)} ms at most`,
    );
  }
  await Promise.all(databases.map((database) => database.close()));
}

const directory = mkdtempSync(join(tmpdir(), 'posthouse-bench-'));
const peers = await startPeers();
try {
  await measure(async () =>
    openSqlite(join(directory, `${crypto.randomUUID()}.sqlite`), createLog('silent')),
  );
  await measure(async () => openPostgres(await makeDatabase(peers)));
} finally {
  await peers.stop();
  rmSync(directory, { recursive: true, force: true });
}
