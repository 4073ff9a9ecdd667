import { beforeAll, describe, expect, test } from 'bun:test';
import { sql } from 'kysely';
import { DAY, systemClock } from '../src/kernel/clock.ts';
import { createVault } from '../src/kernel/crypto/vault.ts';
import type { Database } from '../src/kernel/database/database.ts';
import { createHolds } from '../src/kernel/leases/holds.ts';
import { createHistory } from '../src/messages/history.ts';
import type { Blobs } from '../src/storage/blobs/port.ts';
import { createDownloads } from '../src/storage/delivery/downloads.ts';
import { abandonedCopies, beginCopy, endCopy } from '../src/storage/tree/folders/incomplete-copies.ts';
import { listTrash } from '../src/storage/tree/trash/list.ts';
import { createTrashSpace } from '../src/storage/tree/trash/space.ts';
import { createCollector } from '../src/storage/upkeep/collector.ts';
import { createSweepBlobs } from '../src/storage/upkeep/sweeper.ts';
import { DATABASES } from './harness/database.ts';
import { analyze } from './harness/many-rows.ts';
import { type FlawsOf, recordedDatabase } from './harness/query-plans.ts';

const ROWS = 20_000;
/** Number of files in the trash, each of 10 bytes. */
const IN_TRASH = 8_000;
const EXPIRED = 700;
const TRASH_DAYS = 7;
const VERSION_DAYS = 30;

/** Work on a few of many rows, in the background. The tests are in the order of the life of a file in the trash. */
describe.each(DATABASES)('upkeep of few of many rows on %s', (kind) => {
  let database: Database;
  let flawsOf: FlawsOf;
  let workspaceId: string;

  beforeAll(async () => {
    ({ workspaceId, database, flawsOf } = await recordedDatabase(kind, ROWS, fillTrash));
  });

  const spaceOf = (workspaceBytes: number) =>
    createTrashSpace({ database, workspaceBytes, trashDays: TRASH_DAYS, versionDays: VERSION_DAYS });
  const collectorOf = () =>
    createCollector({
      database,
      blobs: STORE,
      holds: createHolds({ database, clock: systemClock }),
      trashSpace: spaceOf(2 ** 40),
      trashDays: TRASH_DAYS,
      versionDays: VERSION_DAYS,
      changed() {},
    });

  test('a page of the trash, and the next one', async () => {
    const trashSpace = spaceOf(2 ** 40);
    let read = 0;
    const flaws = await flawsOf(async () => {
      const first = await listTrash({ database, trashSpace }, workspaceId, { limit: 100 });
      const cursor = first.nextCursor ?? '';
      const second = await listTrash({ database, trashSpace }, workspaceId, { limit: 100, cursor });
      read = first.entries.length + second.entries.length;
    });
    expect([flaws, read]).toEqual([[], 200]);
  });

  test('the search for incomplete copies of folders', async () => {
    const deps = { database, clock: systemClock };
    const { id } = await database.read.selectFrom('folders').select('id').limit(1).executeTakeFirstOrThrow();
    await database.transaction(async (trx) => {
      await beginCopy(trx, deps, id);
      await trx.updateTable('folder_copies').set({ lease_until: 0 }).execute();
    });
    expect(await flawsOf(async () => void (await abandonedCopies(database.read, deps)))).toEqual([]);
    await database.transaction((trx) => endCopy(trx, id));
  });

  test('the expiry of the oldest files in the trash, and of the oldest versions', async () => {
    expect(await flawsOf(() => collectorOf().expire())).toEqual([]);
    expect(await remaining('file_versions')).toBe(ROWS - 2 * EXPIRED);
  });

  test('the erasure of expired entries', async () => {
    expect(await flawsOf(() => collectorOf().collect())).toEqual([]);
    expect(await remaining('files')).toBe(ROWS - EXPIRED);
  });

  test('a deletion that exceeds the space of the trash', async () => {
    // Versions are erased before deleted files.
    await sql`delete from file_versions`.execute(database.schema);
    await sql`update workspaces set version_bytes = 0`.execute(database.schema);
    const bytes = (IN_TRASH - EXPIRED) * 10;
    const space = spaceOf(bytes - 1_000);
    const keep = () =>
      database.transaction(async (trx) => {
        await space.keep(trx, workspaceId, 0, await space.deletionTime(trx, workspaceId));
      });
    expect(await flawsOf(keep)).toEqual([]);
    const { trash_bytes } = await database.schema
      .selectFrom(sql<{ trash_bytes: number }>`workspaces`.as('workspaces'))
      .select('trash_bytes')
      .executeTakeFirstOrThrow();
    expect(Number(trash_bytes)).toBe(bytes - 1_000);
  });

  test('the search for blobs without a row', async () => {
    const sweepBlobs = createSweepBlobs({
      database,
      blobs: STORE,
      clock: systemClock,
      holds: createHolds({ database, clock: systemClock }),
    });
    expect(await flawsOf(sweepBlobs)).toEqual([]);
  });

  test.each(['download_grants', 'link_grants'] as const)('the deletion of expired %s', async (table) => {
    const of = table === 'link_grants' ? 'link' : 'file';
    const key = sql.ref(`${of}_id`);
    await sql`insert into links (id, workspace_id, token, access, date_created)
      values (${table}, ${workspaceId}, ${table}, 'view', 0)`.execute(database.schema);
    await sql`insert into ${sql.table(table)} (${key}, visitor, expires_at)
      select ${of === 'link' ? sql`${table}` : sql`id`}, id, 
        case when date_created > ${sql.lit(ROWS - 1_000 - EXPIRED)} then 0 else ${sql.lit(Date.now() + DAY)} end from files where id like 'rest%'`.execute(
      database.schema,
    );
    await analyze(database);
    const before = await remaining(table);
    const vault = createVault(Buffer.alloc(32, 1));
    const downloads = createDownloads({ database, vault, clock: systemClock, of });
    expect(await flawsOf(() => downloads.sweep())).toEqual([]);
    expect(before - (await remaining(table))).toBe(EXPIRED);
  });

  test('the deletion of old messages, and of the excess of a kind', async () => {
    const history = createHistory(database);
    // The messages are seconds apart, from 1970 on; the clock of the database may differ by milliseconds.
    const days = (Date.now() - 2_000_500) / DAY;
    expect(await flawsOf(() => history.sweep({ days, count: 3_000 }))).toEqual([]);
    expect(await remaining('outbox')).toBe(3_000 + 18);
  });

  async function remaining(table: string): Promise<number> {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
      database.schema,
    );
    return Number(rows[0]?.count);
  }
});

/** A store of 1,000 old blobs, some of which no row references. */
const STORE = {
  async *list() {
    for (let index = 0; index < 1_000; index++)
      yield { key: `one${1_000_000_000_500 + index}`, size: 10, dateModified: 0 };
  },
  sweepUnfinished: async () => 0,
  delete: async () => {},
} as unknown as Blobs;

/** Deletes `IN_TRASH` files one by one, and adds a version of each file. The first `EXPIRED` of both have expired. */
async function fillTrash(database: Database): Promise<void> {
  const now = Date.now();
  const time = (days: number) => sql`case when date_created <= ${sql.lit(EXPIRED)}
    then ${sql.lit(now - 2 * days * DAY)} + date_created else ${sql.lit(now - DAY)} + date_created end`;
  await database.schema.transaction().execute(async (trx) => {
    await sql`update files set deleted_at = ${time(TRASH_DAYS)}, place = '[]'
      where id like 'rest%' and date_created <= ${sql.lit(IN_TRASH)}`.execute(trx);
    await sql`
      insert into file_versions (id, file_id, workspace_id, blob_key, size_bytes, mime_type, sha256, crc32,
        date_created, date_replaced)
      select 'old ' || id, id, workspace_id, 'old ' || id, 10, mime_type, sha256, crc32, date_created,
        ${time(VERSION_DAYS)} from files where id like 'rest%' or date_created > ${sql.lit(EXPIRED)}`.execute(
      trx,
    );
    await sql`update workspaces set used_bytes = ${sql.lit((ROWS - IN_TRASH) * 10)},
      trash_bytes = ${sql.lit(IN_TRASH * 10)}, version_bytes = ${sql.lit(ROWS * 10)}`.execute(trx);
  });
}
