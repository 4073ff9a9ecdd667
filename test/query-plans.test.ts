import { beforeAll, describe, expect, mock, test } from 'bun:test';
import { sql } from 'kysely';
import { createFolding } from '../src/chat/sending/folding.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { createVault } from '../src/kernel/crypto/vault.ts';
import type { Database, Transaction } from '../src/kernel/database/database.ts';
import { createShortRequests } from '../src/kernel/event-loop/short-requests.ts';
import { createLeases, LEASE_MS } from '../src/kernel/leases/leases.ts';
import { createAttempts } from '../src/kernel/limits/attempts.ts';
import { createMetrics } from '../src/kernel/metrics/metrics.ts';
import { createClaimRuns } from '../src/kernel/outbox/claim-runs.ts';
import { createClaims } from '../src/kernel/outbox/claims.ts';
import { createLanes } from '../src/kernel/outbox/lanes.ts';
import type { Outbox } from '../src/kernel/outbox/outbox.ts';
import { LEASE_COLUMNS } from '../src/kernel/outbox/rows.ts';
import { addWaitingMetrics } from '../src/kernel/outbox/waiting-metrics.ts';
import { createHistory } from '../src/messages/history.ts';
import { createExports, type Exports } from '../src/storage/delivery/export.ts';
import { createRenditionStore } from '../src/storage/delivery/renditions/store.ts';
import type { LiveLink } from '../src/storage/links/access.ts';
import { createLinkContent } from '../src/storage/links/content.ts';
import { searchFiles } from '../src/storage/search/search.ts';
import { newestFiles } from '../src/storage/tree/files/newest.ts';
import { monthBelow, monthOf, timelineBelow, timelineOf } from '../src/storage/tree/files/timeline.ts';
import { folderUsage } from '../src/storage/tree/folders/folder.ts';
import { createListFiles, type ListingOptions } from '../src/storage/tree/listing.ts';
import { memberOf } from '../src/storage/tree/member.ts';
import { createRows } from '../src/storage/tree/rows.ts';
import { createFindDeleted } from '../src/storage/tree/trash/tree.ts';
import { createWorkspaces } from '../src/storage/tree/workspaces.ts';
import { DATABASES, withClock } from './harness/database.ts';
import { analyze } from './harness/many-rows.ts';
import { type FlawsOf, recordedDatabase, type StepsOf } from './harness/query-plans.ts';

/** Enough rows that PostgreSQL scans a table only where it cannot use an index. */
const ROWS = 20_000;

const GONE = { code: 'not_found' };
const ALL = { withPreviews: true };
const BY_NAME = { limit: 100, sort: 'name', order: 'asc' } as const;

describe.each(DATABASES)('queries over few of many rows on %s', (kind) => {
  let database: Database;
  let flawsOf: FlawsOf;
  let stepsOf: StepsOf;
  let workspaceId: string;

  beforeAll(async () => {
    ({ workspaceId, database, flawsOf, stepsOf } = await recordedDatabase(kind, ROWS));
  });

  test.each<[string, (database: Database) => Promise<unknown>]>([
    ['the usage of a folder', (of) => folderUsage(of, { id: 'one', workspaceId: '' })],
    ['the ZIP file of a folder', (of) => exportOf(of)],
    ['a page of a folder', (of) => listOne(of, { limit: 100, sort: 'date', order: 'desc' })],
    [
      'a page of a folder by the time taken',
      (of) => listOne(of, { limit: 100, sort: 'taken', order: 'asc' }),
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
    ['a page of a folder with a text in the names', (of) => listOne(of, { ...BY_NAME, search: 'file 1' })],
    ['a search', (of) => searchFiles(of, [workspaceId], { query: 'file 7', limit: 100 })],
    ['a search that finds nothing', (of) => searchFiles(of, [workspaceId], { query: 'none', limit: 100 })],
    ['the newest messages', (of) => createHistory(of).list({ limit: 50 })],
    [
      'queued messages, of which there are none',
      (of) => createHistory(of).list({ limit: 50, status: 'queued' }),
    ],
    ['failed messages', (of) => createHistory(of).list({ limit: 50, status: 'failed' })],
    ['messages of a client', (of) => createHistory(of).list({ limit: 50, clientId: 'rare' })],
    ['messages of the sandbox', (of) => createHistory(of).list({ limit: 50, sandbox: true })],
    ['messages of a kind', (of) => createHistory(of).list({ limit: 50, kind: 'telegram' })],
    ['messages of an unknown kind', (of) => createHistory(of).list({ limit: 50, kind: 'chat' })],
    [
      'a text in messages of a client',
      (of) => createHistory(of).list({ limit: 50, clientId: 'rare', search: 'nowhere' }),
    ],
    ['the numbers of messages in each hour', (of) => createHistory(of).perHour(24)],
    ['the oldest queued messages', (of) => createHistory(of).oldestWaiting()],
    ['the metrics of queued messages, of which there are none', waitingMetrics],
  ])('%s', async (_, operation) => {
    expect(await flawsOf(() => operation(database))).toEqual([]);
  });

  test('the place of a message in a lane, the next one of it, and a run, where many wait', async () => {
    // The statistics are older than these rows, as in a burst.
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
    expect(await flawsOf(() => lanes.assignPositions(trx, [{ lane: 'lane 3' }, { lane: 'lane 4' }]))).toEqual(
      [],
    );
    expect(await flawsOf(() => lanes.unblockNext(trx, ['lane 3', 'lane 4']))).toEqual([]);
    const wanted = { kind: 'email', runs: 16, extra: 0, busy: [], length: 16 };
    let claimed = 0;
    const claim = async () => {
      claimed = (await claimRuns(trx, wanted)).flat().length;
    };
    expect(await flawsOf(claim)).toEqual([]);
    expect(claimed).toBe(wanted.runs * wanted.length);
  });

  test('the oldest due messages of clients that have none under way, where one has many', async () => {
    await sql`
      update outbox
      set kind = 'email', status = 'queued', lane = null, blocked = 0, next_attempt_at = date_created`.execute(
      database.schema,
    );
    const deps = { database: withClock(database, systemClock), clock: systemClock };
    const leases = createLeases(LEASE_COLUMNS, deps);
    const claimRuns = createClaimRuns({ ...deps, lanes: createLanes(deps.database), leases, node: 'one' });
    const claim = { kind: 'email', runs: 0, extra: 16, busy: ['usual'], length: 1 };
    let claimed: (string | null)[] = [];
    const claimOthers = async () => {
      claimed = (await claimRuns(database.read as Transaction, claim))
        .flat()
        .map(({ client_id }) => client_id);
    };
    expect(await flawsOf(claimOthers)).toEqual([]);
    expect(claimed).toEqual(['rare']);
  });

  test('the next due message, where many wait and another node has leased the first ones', async () => {
    await database.schema.transaction().execute(async (trx) => {
      await sql`update outbox set status = 'queued', lane = null, blocked = 0, next_attempt_at = date_created,
        lease_owner = case when date_created <= 100000 then 'other' end,
        lease_until = case when date_created <= 100000 then ${sql.lit(Date.now() + LEASE_MS)} end`.execute(
        trx,
      );
    });
    const deps = { database: withClock(database, systemClock), clock: systemClock };
    const leases = createLeases(LEASE_COLUMNS, deps);
    const vault = createVault(Buffer.alloc(32, 7));
    const claims = createClaims({ ...deps, lanes: createLanes(deps.database), leases, vault, node: 'one' });
    let dueInMs: number | null = null;
    const read = async () => {
      dueInMs = await claims.nextDueInMs('email');
    };
    expect(await flawsOf(read)).toEqual([]);
    expect(dueInMs).toBeLessThan(0);
  });

  test('the shared files of a folder, where another one has many', async () => {
    await sql`update files set visibility = 1 where id like 'rest%'`.execute(database.schema);
    await analyze(database);
    const read = () => newestFiles(database, workspaceId, { limit: 100, only: 'shared', folderId: 'one1' });
    expect(await flawsOf(read)).toEqual([]);
    if (kind === 'sqlite') expect((await stepsOf(read)).join()).toContain('INDEX files_shared_in_folder');
  });

  // On PostgreSQL, the reader does not depend on the number of rows.
  test.if(kind === 'sqlite')('the files that visitors see, where many or few are hidden', async () => {
    await sql`update files set folder_id = 'rest1', password_hash = 'x' where id like 'rest%'`.execute(
      database.schema,
    );
    await sql`update files set password_hash = 'x' where id = 'one1000000000001'`.execute(database.schema);
    const slow = mock((_caller: string) => database.read);
    const content = createLinkContent({ database: { ...database, slow }, exports: {} as Exports });
    const visit = async (id: string) => {
      const place = { folder: { id, name: id }, path: [], deletedFolders: [] };
      const link = { workspaceId } as LiveLink;
      const { files } = await content.files(link, place, { limit: 10 });
      return [files.length, await content.hidden(link, place)];
    };
    const steps = await stepsOf(async () => expect(await visit('one1')).toEqual([10, 1]));
    expect(slow).not.toHaveBeenCalled();
    expect(new Set(steps)).toEqual(
      new Set([
        'SEARCH files USING INDEX files_by_name_key (folder_id=?)',
        'SEARCH files USING COVERING INDEX files_protected (folder_id=? AND deleted_at=?)',
      ]),
    );
    expect(await visit('rest1')).toEqual([0, ROWS - 1_000]);
    expect(slow.mock.calls).toEqual([[workspaceId], [workspaceId]]);
  });

  test('the rows of files, folders and workspaces for their members', async () => {
    await database.schema.transaction().execute(async (trx) => {
      await sql`insert into memberships (account_id, workspace_id, role)
        select id, ${workspaceId}, 'viewer' from files`.execute(trx);
      await sql`insert into trash_trees (id, workspace_id, name, place, size_bytes, file_count, deleted_at, state)
        select id, ${workspaceId}, id, '[]', 0, 0, 0, 'kept' from files`.execute(trx);
    });
    await analyze(database);
    const of = withClock(database, systemClock);
    const { findFile, findFolder, requireFile } = createRows(of);
    const workspaces = createWorkspaces({
      database: of,
      clock: systemClock,
      limits: { workspaceBytes: 0, trashDays: 7 },
    });
    const findDeleted = createFindDeleted(of);
    const owner = memberOf('owner', 'manager');
    const file = { id: 'one1000000000001', workspaceId };
    const found = async () => {
      for (const member of [owner, memberOf('one1000000000002', 'viewer')]) {
        expect(await findFile(database.read, member, file.id)).toMatchObject(file);
        expect((await findFolder(database.read, member, 'one1')).id).toBe('one1');
        expect((await findFolder(database.read, member, 'root', workspaceId)).workspaceId).toBe(workspaceId);
        expect((await workspaces.find(database.read, member, workspaceId)).id).toBe(workspaceId);
        expect((await findDeleted.entry(database.read, member, file.id)).workspaceId).toBe(workspaceId);
        await expect(findDeleted.file(database.read, member, file.id)).rejects.toMatchObject(GONE);
        await expect(workspaces.findDeleted(database.read, member, workspaceId)).rejects.toMatchObject(GONE);
      }
      expect((await findFolder(database.read, owner, 'root')).workspaceId).toBe(workspaceId);
      expect((await workspaces.find(database.read, owner, null)).id).toBe(workspaceId);
      expect(await requireFile(database.read as Transaction, file)).toMatchObject(file);
    };
    expect(await flawsOf(found)).toEqual([]);
  });

  test('the deletion of the wrong attempts at one file, and of those of a sign-in', async () => {
    await database.transaction((trx) =>
      sql`insert into attempts (scope, count, window_ends_at)
        select 'file ' || id || ' all', 1, 0 from files`.execute(trx),
    );
    await analyze(database);
    const attempts = createAttempts({ database });
    const clear = () =>
      database.transaction(async (trx) => {
        await attempts.clear(trx, 'login:account:1');
        await attempts.clearAll(trx, 'file 1');
      });
    expect(await flawsOf(clear)).toEqual([]);
  });

  test('the open fold of a repeated chat message', async () => {
    await database.transaction((trx) =>
      sql`insert into chat_folds (message_id, fold_key, channel_id, count, window_ends_at, edit_waits)
        select id, id, 'one', 1, ${sql.lit(Number.MAX_SAFE_INTEGER)}, 0 from files`.execute(trx),
    );
    const outbox = { add: async () => {} } as unknown as Outbox;
    const folding = createFolding({ database: withClock(database, systemClock), outbox, clock: systemClock });
    const repeat = { messageId: 'repeat', channelId: 'one', foldKey: 'one1000000000001', sandbox: true };
    const fold = () =>
      database.transaction(async (trx) => {
        expect((await folding.fold(trx, [repeat], () => true)).get('repeat')?.into).toBe(repeat.foldKey);
      });
    expect(await flawsOf(fold)).toEqual([]);
  });

  test('a query that reads all rows is found', async () => {
    const all = () =>
      database.read.selectFrom('files').select('id').where('original_name', '=', '').execute();
    expect(await flawsOf(all)).not.toEqual([]);
  });
});

async function waitingMetrics(database: Database): Promise<void> {
  const metrics = createMetrics();
  addWaitingMetrics(metrics, database);
  await metrics.render();
}

const listOne = (database: Database, options: ListingOptions) =>
  createListFiles(withClock(database, systemClock))({ id: 'one1', workspaceId: '' }, options);

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
