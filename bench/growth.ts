import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrations } from '../src/foundation/schema.ts';
import type { Database } from '../src/kernel/database/database.ts';
import { migrate } from '../src/kernel/database/migrate.ts';
import { openPostgres } from '../src/kernel/database/postgres/postgres.ts';
import { openSqlite } from '../src/kernel/database/sqlite/sqlite.ts';
import { createShortRequests } from '../src/kernel/event-loop/short-requests.ts';
import { createLog } from '../src/kernel/log.ts';
import { createHistory } from '../src/messages/history.ts';
import { createExports } from '../src/storage/delivery/export.ts';
import { folderUsage } from '../src/storage/tree/folders/folder.ts';
import { createListFiles } from '../src/storage/tree/listing.ts';
import { createTestDatabase } from '../test/harness/databases.ts';
import { fillFiles, fillMessages } from '../test/harness/many-rows.ts';
import { startPeers } from '../test/harness/peers.ts';
import { insertFigures } from './lib/insert.ts';
import { describe } from './lib/machine.ts';
import { readOptions } from './lib/options.ts';
import { conditions, finish, print, record } from './lib/report.ts';
import { median } from './lib/statistics.ts';

/*
 * Compares the cost of operations on few rows among 1,000 and among 1,000,000, on both databases:
 * `npm run bench -- growth --rows=1000000`. Then measures long reads, and how long they block this process. `--write`
 * puts the tables into docs/performance.md.
 */

const options = readOptions('growth');
const FEW = 1_000;
const MANY = options.rows;
/** Files of a large folder. */
const LARGE = Math.floor(MANY * 0.3);
const ROUNDS = 21;
const TARGET = 2;
const FOLDER = { id: 'one', workspaceId: 'bench' };

const OPERATIONS: Record<string, (database: Database) => Promise<unknown>> = {
  'usage of a folder of 1,000 files': (database) => folderUsage(database, FOLDER),
  'layout of its ZIP file': (database) => layOut(database, 'one'),
  'page of 100 files': (database) =>
    createListFiles(database)({ ...FOLDER, id: 'one1' }, { limit: 100, sort: 'name', order: 'asc' }),
  'newest 50 messages': (database) => messages(database, {}),
  'queued messages (none)': (database) => messages(database, { status: 'queued' }),
  'hourly numbers of messages': (database) => createHistory(database).perHour(24),
  'failed messages (20)': (database) => messages(database, { status: 'failed' }),
  'messages of a kind (20)': (database) => messages(database, { kind: 'telegram' }),
  'messages of a client (20)': (database) => messages(database, { clientId: 'rare' }),
  'messages of the sandbox (20)': (database) => messages(database, { sandbox: true }),
  'sent messages': (database) => messages(database, { status: 'sent' }),
  'older sent e-mails of a client': (database) =>
    messages(database, { status: 'sent', kind: 'email', clientId: 'usual', before: '1000000000900' }),
  'text in messages of a client (20)': (database) =>
    messages(database, { clientId: 'rare', search: 'nowhere' }),
};

/** Reads that take long at any number of other rows; run in a child process on SQLite. */
const LONG: Record<string, (database: Database) => Promise<unknown>> = {
  [`text in ${count(Math.min(50_000, MANY))} messages, not found`]: (database) =>
    messages(database, { search: 'nowhere' }),
  [`usage of ${count(MANY - FEW)} files`]: (database) => folderUsage(database, { ...FOLDER, id: 'rest' }),
  [`layout of a ZIP file of ${count(LARGE)} files`]: (database) => layOut(database, 'large'),
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

function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** Moves `LARGE` of the other files into a folder. */
async function makeLargeFolder(database: Database): Promise<void> {
  await database.transaction(async (trx) => {
    const [rest] = await trx.selectFrom('folders').selectAll().where('id', '=', 'rest').execute();
    if (!rest) throw new Error('there is no folder of the other files');
    const large = { ...rest, id: 'large', parent_id: rest.id, name: 'large', name_key: 'large' };
    await trx.insertInto('folders').values(large).execute();
    const moved = Array.from({ length: LARGE / FEW }, (_, index) => `rest${index + 1}`);
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

/** Returns the duration of an operation and the longest time for which it blocked the event loop, ms. */
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

/** The medians of an operation among few and among many rows, ms. */
type Times = readonly [few: number, many: number];
type Delay = Awaited<ReturnType<typeof delayOf>>;

interface Measured {
  times: ReadonlyMap<string, Times>;
  delays: ReadonlyMap<string, Delay>;
}

async function fill(database: Database, rows: number): Promise<Database> {
  await migrate(database, migrations);
  await fillFiles(database, rows);
  await fillMessages(database, { count: rows, rare: 20 });
  return database;
}

async function measure(open: () => Promise<Database>): Promise<Measured> {
  const few = await fill(await open(), FEW);
  const many = await fill(await open(), MANY);
  const times = new Map<string, Times>();
  for (const [name, operation] of Object.entries(OPERATIONS))
    times.set(name, [await medianMs(() => operation(few)), await medianMs(() => operation(many))]);
  await makeLargeFolder(many);
  const delays = new Map<string, Delay>();
  for (const [name, operation] of Object.entries(LONG)) {
    await operation(many);
    delays.set(name, await delayOf(() => operation(many)));
  }
  await Promise.all([few.close(), many.close()]);
  return { times, delays };
}

/** Returns Markdown tables of both databases. */
function tables(sqlite: Measured, postgres: Measured): string {
  const timesOf = ([a, b]: Times = [0, 0]) => `${a.toFixed(2)}, ${b.toFixed(2)} ms | ${(b / a).toFixed(2)}`;
  const delayIn = ({ ms, longest }: Delay = { ms: 0, longest: 0 }) =>
    `${ms.toFixed(0)} ms, ${longest.toFixed(0)} ms`;
  const rows = <Value>(
    of: (measured: Measured) => ReadonlyMap<string, Value>,
    text: (value?: Value) => string,
  ) =>
    [...of(sqlite).keys()].map(
      (name) => `| ${name} | ${text(of(sqlite).get(name))} | ${text(of(postgres).get(name))} |`,
    );
  return [
    `| Among ${count(FEW)} and ${count(MANY)} rows, medians | SQLite | Ratio (target ${TARGET}) | PostgreSQL | Ratio |`,
    '| --- | --- | --- | --- | --- |',
    ...rows(({ times }) => times, timesOf),
    '',
    '| Time of a long read, and the longest time for which it blocked the server process | SQLite | PostgreSQL |',
    '| --- | --- | --- |',
    ...rows(({ delays }) => delays, delayIn),
  ].join('\n');
}

const directory = mkdtempSync(join(tmpdir(), 'posthouse-bench-'));
const peers = await startPeers();
try {
  const openNew = async () =>
    openSqlite(join(directory, `${crypto.randomUUID()}.sqlite`), createLog('silent'));
  const sqlite = await measure(openNew);
  const postgres = await measure(async () => openPostgres(await createTestDatabase(peers)));
  const text = `${describe(conditions)}\n\n${tables(sqlite, postgres)}`;
  print(text);
  for (const [name, { times, delays }] of Object.entries({ sqlite, postgres })) {
    for (const [operation, [few, many]] of times) record(`${name}: ${operation}`, { few, many });
    for (const [operation, delay] of delays) record(`${name}: ${operation}`, delay);
  }
  if (options.write) insertFigures('growth', text);
  finish('growth');
} finally {
  await peers.stop();
  rmSync(directory, { recursive: true, force: true });
}
