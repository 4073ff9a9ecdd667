import { beforeAll, describe, expect, test } from 'bun:test';
import { CompiledQuery, type KyselyPlugin, sql } from 'kysely';
import { systemClock } from '../src/kernel/clock.ts';
import type { Database, Reader, Transaction } from '../src/kernel/database/database.ts';
import { createLeases } from '../src/kernel/leases.ts';
import { createClaimRuns } from '../src/kernel/outbox/claim-runs.ts';
import { createLanes } from '../src/kernel/outbox/lanes.ts';
import { LEASE_COLUMNS } from '../src/kernel/outbox/rows.ts';
import { createShortRequests } from '../src/kernel/short-requests.ts';
import { createHistory } from '../src/messages/history.ts';
import { createExports } from '../src/storage/delivery/export.ts';
import { createRenditionStore } from '../src/storage/delivery/renditions/store.ts';
import { searchFiles } from '../src/storage/search/search.ts';
import { usageOf } from '../src/storage/tree/folder.ts';
import { listFiles } from '../src/storage/tree/listing.ts';
import { newestFiles } from '../src/storage/tree/newest.ts';
import { monthBelow, monthOf, timelineBelow, timelineOf } from '../src/storage/tree/timeline.ts';
import { DATABASES, freshDatabase, withClock } from './harness/database.ts';
import { fillFiles, fillMessages } from './harness/many-rows.ts';

/** Enough that PostgreSQL reads a table only where it cannot use an index. */
const ROWS = 20_000;
/** Rows of one table that an operation on a thousand of them may touch. */
const FEW = 4_000;

const ALL = { withPreviews: true };

describe.each(DATABASES)('queries over few of many rows on %s', (kind) => {
  let database: Database;
  let queries: CompiledQuery[];
  let workspaceId: string;

  beforeAll(async () => {
    const plain = await freshDatabase(kind);
    ({ workspaceId } = await fillFiles(plain, ROWS));
    await fillMessages(plain, { count: ROWS, rare: 20 });
    const recorder: KyselyPlugin = {
      transformQuery({ node, queryId }) {
        queries.push(plain.schema.getExecutor().compileQuery(node, queryId));
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const recorded: Reader = plain.schema.withPlugin(recorder) as unknown as Reader;
    database = { ...plain, read: recorded, slow: () => recorded };
  });

  /** Runs `operation` and returns what is wrong with the plans of its queries. */
  async function flawsOf(operation: () => Promise<unknown>): Promise<string[]> {
    queries = [];
    await operation();
    expect(queries).not.toEqual([]);
    const flaws = await Promise.all(queries.map((query) => flawsIn(database, query)));
    return flaws.flat();
  }

  test.each<[string, (database: Database) => Promise<unknown>]>([
    ['the usage of a folder', (of) => usageOf(of, { id: 'one', workspaceId: '' })],
    ['the ZIP file of a folder', (of) => exportOf(of)],
    [
      'a page of a folder',
      (of) => listFiles(of, { id: 'one1', workspaceId: '' }, { limit: 100, sort: 'date', order: 'desc' }),
    ],
    [
      'a page of a folder by the time taken',
      (of) => listFiles(of, { id: 'one1', workspaceId: '' }, { limit: 100, sort: 'taken', order: 'asc' }),
    ],
    [
      'the next picture to render',
      (of) => createRenditionStore({ database: of, clock: systemClock }).claim(ALL),
    ],
    ['the timeline of a workspace', (of) => timelineOf(of, workspaceId)],
    ['the timeline of a folder', (of) => timelineBelow(of, { id: 'one', workspaceId: '' })],
    ['a month of a workspace', (of) => monthOf(of, workspaceId, { month: '1970-01', limit: 100 })],
    [
      'a month of a folder',
      (of) => monthBelow(of, { id: 'one', workspaceId: '' }, { month: '1970-01', limit: 100 }),
    ],
    ['the newest files of a workspace', (of) => newestFiles(of, workspaceId, { limit: 100 })],
    ['the shared files of a workspace', (of) => newestFiles(of, workspaceId, { limit: 100, only: 'shared' })],
    ['a search', (of) => searchFiles(of, [workspaceId], { query: 'file 7', limit: 100 })],
    ['a search that finds nothing', (of) => searchFiles(of, [workspaceId], { query: 'none', limit: 100 })],
    ['the newest messages', (of) => createHistory(of).list({ limit: 50 })],
    [
      'queued messages, of which there are none',
      (of) => createHistory(of).list({ limit: 50, status: 'queued' }),
    ],
    ['failed messages', (of) => createHistory(of).list({ limit: 50, status: 'failed' })],
    ['messages of a client', (of) => createHistory(of).list({ limit: 50, clientId: 'rare' })],
    ['messages of a kind', (of) => createHistory(of).list({ limit: 50, kind: 'telegram' })],
    ['messages of an unknown kind', (of) => createHistory(of).list({ limit: 50, kind: 'chat' })],
    [
      'a text in messages of a client',
      (of) => createHistory(of).list({ limit: 50, clientId: 'rare', search: 'nowhere' }),
    ],
    ['the oldest queued messages', (of) => createHistory(of).oldestWaiting()],
  ])('%s', async (_, operation) => {
    expect(await flawsOf(() => operation(database))).toEqual([]);
  });

  test('the place of a message in a lane, the next one of it, and a run, where many wait', async () => {
    // The statistics are of before, as in a burst.
    await database.schema.transaction().execute(async (trx) => {
      await sql`update outbox set status = 'queued', lane = 'lane ' || ((date_created / 1000) % 16),
        position = date_created / 16000, blocked = case when date_created between 1000 and 16000 then 0 else 1 end`.execute(
        trx,
      );
    });
    const deps = { database: withClock(database, systemClock), clock: systemClock };
    const lanes = createLanes(deps.database);
    const leases = createLeases(LEASE_COLUMNS, deps);
    const claimRuns = createClaimRuns({ ...deps, lanes, leases, node: 'one' });
    const trx = database.read as Transaction;
    expect(await flawsOf(() => lanes.place(trx, ['lane 3', 'lane 4']))).toEqual([]);
    expect(await flawsOf(() => lanes.unblockNext(trx, ['lane 3', 'lane 4']))).toEqual([]);
    const wanted = { kind: 'email', runs: 16, length: 16 };
    let claimed = 0;
    const claim = async () => {
      claimed = (await claimRuns(trx, wanted)).flat().length;
    };
    expect(await flawsOf(claim)).toEqual([]);
    expect(claimed).toBe(wanted.runs * wanted.length);
  });

  test('a query that reads all rows is found', async () => {
    const all = () =>
      database.read.selectFrom('files').select('id').where('original_name', '=', '').execute();
    expect(await flawsOf(all)).not.toEqual([]);
  });
});

async function exportOf(database: Database): Promise<void> {
  const nothing = () => Promise.reject(new Error('no bytes are read'));
  const exported = await createExports({
    database,
    blobs: { read: nothing },
    hold: nothing,
    shortRequests: createShortRequests(),
  }).folder({
    id: 'one',
    workspaceId: '',
  });
  expect(exported?.length).toBeGreaterThan(100_000);
}

async function flawsIn(database: Database, { sql, parameters }: CompiledQuery): Promise<string[]> {
  const explain = database.kind === 'sqlite' ? 'explain query plan' : 'explain (analyze, format json)';
  const { rows } = await database.schema.executeQuery(
    CompiledQuery.raw(`${explain} ${sql}`, [...parameters]),
  );
  if (database.kind === 'sqlite') {
    // A walk along an index in the order of a page ends with the page; some indexes have the queued rows only.
    const isPage = /order by .* limit|^select [^?]* limit \? offset \?$/.test(sql);
    const isFew = (detail: string) =>
      (isPage && / USING /.test(detail)) || / outbox_(lane|due)\b/.test(detail);
    return (rows as { detail: string }[])
      .map(({ detail }) => detail)
      .filter((detail) => /^SCAN (files|outbox)\b/.test(detail) && !isFew(detail));
  }
  const [first] = rows as { 'QUERY PLAN': { Plan: PlanNode }[] }[];
  return nodesOf(first?.['QUERY PLAN'][0]?.Plan).flatMap((node) =>
    touched(node) > FEW ? [`${node['Node Type']} of ${touched(node)} rows`] : [],
  );
}

/** https://www.postgresql.org/docs/current/using-explain.html: rows are averages of the loops. */
interface PlanNode {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

function nodesOf(node: PlanNode | undefined): PlanNode[] {
  return node ? [node, ...(node.Plans ?? []).flatMap(nodesOf)] : [];
}

function touched(node: PlanNode): number {
  return (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
}
