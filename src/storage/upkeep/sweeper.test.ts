import { beforeEach, describe, expect, test } from 'bun:test';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory } from '../../../test/harness/backends.ts';
import { DATABASES, emptyDatabase, withClock } from '../../../test/harness/database.ts';
import { addBlob, addFileRow, addFolderRow, addWorkspace } from '../../../test/harness/storage-rows.ts';
import { DAY, HOUR, MINUTE } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import { newId } from '../../kernel/ids.ts';
import { createHolds, type Holds } from '../../kernel/leases/holds.ts';
import { openLocalBlobs } from '../blobs/local.ts';
import type { Blobs } from '../blobs/port.ts';
import { checkStorage } from './check.ts';
import { checkRenditions } from './renditions.ts';
import { createSweepBlobs, type SweepBlobs } from './sweeper.ts';

const SUMS = { sha256: 'O6Tkhmk7d6m2xWhuxJpwZH95yWexYh9u9DyaZhVQB4o=', crc32: 0 };

/** The findings in a store with one file that is intact. */
const INTACT = {
  files: 1,
  missing: [],
  corrupt: [],
  damagedInTrash: [],
  orphaned: [],
  renditionsLost: [],
  miscounted: [],
  deadLinks: [],
  misplacedLinks: [],
  strays: [],
  circles: [],
};

describe.each(DATABASES)('cleaning up on %s', (kind) => {
  const clock = { at: Date.now(), now: () => clock.at };
  let database: Database;
  let directory: string;
  let blobs: Blobs;
  let holds: Holds;
  let sweepBlobs: SweepBlobs;

  beforeEach(async () => {
    clock.at = Date.now();
    database = withClock(await emptyDatabase(kind), clock);
    directory = freshDirectory();
    blobs = openLocalBlobs(directory);
    holds = createHolds({ database, clock });
    sweepBlobs = createSweepBlobs({ database, blobs, clock, holds });
    for (const id of ['w1', 'w2']) await addWorkspace(database, { id });
  });

  async function putBlob(text: string, ageMs = 0): Promise<string> {
    const key = await addBlob(blobs, Buffer.from(text));
    const written = new Date(clock.at - ageMs);
    utimesSync(join(directory, key.slice(-2), key), written, written);
    return key;
  }

  const addFile = (row: Partial<Parameters<typeof addFileRow>[1]> = {}) =>
    addFileRow(database, { workspace_id: 'w1', ...SUMS, ...row });

  const exists = async (key: string) => (await blobs.stat(key)) !== null;

  test('a blob is deleted after an hour without a reference', async () => {
    const kept = await putBlob('kept', DAY);
    await addFile({ blob_key: kept });
    const lost = await putBlob('lost', DAY);
    expect(await sweepBlobs()).toBe(0);
    clock.at += HOUR - 1;
    expect(await sweepBlobs()).toBe(0);
    clock.at += 1;
    expect(await sweepBlobs()).toBe(1);
    expect([await exists(kept), await exists(lost)]).toEqual([true, false]);
  });

  test('a new blob is ignored', async () => {
    await putBlob('new');
    await sweepBlobs();
    clock.at += HOUR - MINUTE;
    expect(await sweepBlobs()).toBe(0);
    clock.at += HOUR - MINUTE;
    expect(await sweepBlobs()).toBe(0);
    clock.at += HOUR;
    expect(await sweepBlobs()).toBe(1);
  });

  test('a thumbnail’s blob is referenced by its file', async () => {
    const thumbnail = await putBlob('picture', DAY);
    const id = await addFile();
    await database.transaction((trx) =>
      trx.updateTable('files').set({ thumbnail_key: thumbnail }).where('id', '=', id).execute(),
    );
    await sweepBlobs();
    clock.at += 2 * HOUR;
    expect(await sweepBlobs()).toBe(0);
  });

  test('nothing is deleted while a backup reads', async () => {
    const lost = await putBlob('lost', DAY);
    await sweepBlobs();
    clock.at += HOUR;
    const hold = await holds.take('blobs');
    expect(await sweepBlobs()).toBe(0);
    expect(await exists(lost)).toBe(true);
    await hold.release();
    expect(await sweepBlobs()).toBe(1);
  });

  describe('the check', () => {
    const check = (repair: boolean) => checkStorage({ database, blobs, clock, holds }, repair);
    const sound = {
      sha256: new Bun.CryptoHasher('sha256').update('good').digest('base64'),
      crc32: Bun.hash.crc32('good'),
    };

    const addLink = (id: string, folder_id: string | null) =>
      database.transaction((trx) =>
        trx
          .insertInto('links')
          .values({ id, workspace_id: 'w1', token: id, folder_id, access: 'view', date_created: 0 })
          .execute(),
      );

    test('finds nothing in an intact store', async () => {
      await addFile({ blob_key: await putBlob('good'), ...sound });
      await database.transaction((trx) =>
        trx.updateTable('workspaces').set({ used_bytes: 4 }).where('id', '=', 'w1').execute(),
      );
      const fractions: number[] = [];
      expect(
        await checkStorage(
          { database, blobs, clock, holds, progress: (done, all) => fractions.push(done / all) },
          false,
        ),
      ).toEqual(INTACT);
      expect(fractions).toEqual([1]);
    });

    test('finds missing, corrupt and unreferenced blobs, wrong sizes and sums', async () => {
      const gone = await addFile(sound);
      const short = await addFile({ blob_key: await putBlob('goo'), ...sound });
      const wrong = await addFile({ blob_key: await putBlob('evil'), ...sound });
      const wrongCrc = await addFile({ blob_key: await putBlob('good'), ...sound, crc32: 1 });
      const deleted = await addFile({ deleted_at: clock.at });
      const lost = await putBlob('lost', 2 * HOUR);
      await addLink('dead', 'gone');
      await addLink('chosen', null);
      const found = await check(false);
      expect(found.files).toBe(4);
      expect(found.missing.map(({ id }) => id)).toEqual([gone, short]);
      expect(found.corrupt.map(({ id }) => id)).toEqual([wrong, wrongCrc]);
      expect(found.damagedInTrash.map(({ id }) => id)).toEqual([deleted]);
      expect([found.orphaned, found.miscounted, found.deadLinks]).toEqual([[lost], ['w1'], ['dead']]);
      expect(await check(false)).toEqual(found);
    });

    test('finds and corrects links in another workspace than their folders', async () => {
      await addFolderRow(database, { id: 'here', workspace_id: 'w1' });
      await addFolderRow(database, { id: 'elsewhere', workspace_id: 'w2' });
      await addFolderRow(database, { id: 'moving', workspace_id: 'w2', move_id: 'move' });
      for (const folder of ['here', 'elsewhere', 'moving']) await addLink(folder, folder);
      expect((await check(true)).misplacedLinks).toEqual(['elsewhere']);
      expect((await check(false)).misplacedLinks).toEqual([]);
      const rows = await database.read
        .selectFrom('links')
        .select(['id', 'workspace_id'])
        .orderBy('id')
        .execute();
      expect(rows.map(({ id, workspace_id }) => [id, workspace_id])).toEqual([
        ['elsewhere', 'w2'],
        ['here', 'w1'],
        ['moving', 'w1'],
      ]);
    });

    test('repairs: moves damaged files to the trash, corrects sums, deletes old orphans', async () => {
      const damaged = await addFile(sound);
      await addFile({ blob_key: await putBlob('good'), ...sound });
      const [old, young] = [await putBlob('lost', 2 * HOUR), await putBlob('new')];
      await addLink('dead', 'gone');
      await check(true);
      expect([await exists(old), await exists(young)]).toEqual([false, true]);
      expect(await check(false)).toEqual({
        ...INTACT,
        damagedInTrash: [{ id: damaged, originalName: 'name', workspaceId: 'w1' }],
        orphaned: [young],
      });
      const row = await database.read
        .selectFrom('files')
        .select('deleted_at')
        .where('id', '=', damaged)
        .executeTakeFirstOrThrow();
      expect(row.deleted_at).toBe(clock.at);
      const { used_bytes } = await database.read
        .selectFrom('workspaces')
        .select('used_bytes')
        .where('id', '=', 'w1')
        .executeTakeFirstOrThrow();
      expect(used_bytes).toBe(4);
    });

    test('finds missing renditions, and schedules their rendering', async () => {
      const key = await putBlob('rendition');
      const made = { thumbnail_state: 'made', thumbnail_key: key, mime_type: 'image/png' } as const;
      const add = async (changes: object) => {
        const blob_key = await putBlob('good');
        return await addFile({
          blob_key,
          preview_of: blob_key,
          preview_key: key,
          ...made,
          ...sound,
          ...changes,
        });
      };
      const kept = await add({});
      const lost = await add({ thumbnail_key: newId() });
      const halfLost = await add({ preview_key: newId() });
      const failed = await add({ thumbnail_state: 'failed', thumbnail_key: null });
      await add({ preview_key: null, preview_of: null });
      const stateOf = async (id: string) =>
        await database.read
          .selectFrom('files')
          .select(['thumbnail_state', 'thumbnail_key', 'mime_type', 'preview_key'])
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
      expect((await check(false)).renditionsLost).toEqual([lost, halfLost]);
      expect((await check(true)).renditionsLost).toEqual([lost, halfLost]);
      expect(await stateOf(lost)).toEqual({
        ...made,
        thumbnail_state: 'pending',
        thumbnail_key: null,
        preview_key: null,
      });
      expect(await stateOf(halfLost)).toEqual({ ...made, preview_key: null });
      expect(await stateOf(kept)).toEqual({ ...made, preview_key: key });
      expect((await check(false)).renditionsLost).toEqual([]);

      expect(await checkRenditions({ database, blobs }, new Set())).toEqual({
        pictures: 5,
        pending: 3,
        missing: [],
        failed: [failed],
      });
      await checkRenditions({ database, blobs }, new Set(['failed']));
      expect((await stateOf(failed)).thumbnail_state).toBe('pending');
    });
  });
});
