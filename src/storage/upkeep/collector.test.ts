import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { freshDirectory } from '../../../test/harness/backends.ts';
import { DATABASES, emptyDatabase, withClock } from '../../../test/harness/database.ts';
import { addBlob, addFileRow, addWorkspace } from '../../../test/harness/storage-rows.ts';
import { DAY, SECOND } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import { newId } from '../../kernel/ids.ts';
import { createHolds, type Holds } from '../../kernel/leases/holds.ts';
import { openLocalBlobs } from '../blobs/local.ts';
import type { Blobs } from '../blobs/port.ts';
import type { Changed } from '../tree/changes.ts';
import { fromRow } from '../tree/files/file.ts';
import { lockWorkspace } from '../tree/lock.ts';
import { createTrashSpace, type TrashSpace } from '../tree/trash/space.ts';
import { blobsOfWorkspace, type Collector, createCollector } from './collector.ts';
import { deleteErased } from './erased-rows.ts';

const QUOTA = 100;

describe.each(DATABASES)('the trash and the collector on %s', (kind) => {
  const clock = { at: Date.now(), now: () => clock.at };
  let database: Database;
  let blobs: Blobs;
  let holds: Holds;
  let trashSpace: TrashSpace;
  let collector: Collector;
  /** The sums of the workspace after each event. */
  let reads: ReturnType<typeof sums>[] = [];
  const changed: Changed = (trx, workspaceId) =>
    database.afterCommit(trx, () => {
      if (workspaceId === 'w') reads.push(sums());
    });

  const published = async () => (await Promise.all(reads)).at(-1);
  // No read continues in the tables of the next test.
  afterEach(async () => void (await Promise.all(reads)));

  beforeEach(async () => {
    clock.at = Date.now();
    database = withClock(await emptyDatabase(kind), clock);
    blobs = openLocalBlobs(freshDirectory());
    holds = createHolds({ database, clock });
    const erasing = () => collector.expect();
    trashSpace = createTrashSpace({
      database,
      workspaceBytes: QUOTA,
      trashDays: 7,
      versionDays: 30,
      erasing,
    });
    reads = [];
    collector = createCollector({
      database,
      blobs,
      holds,
      trashSpace,
      trashDays: 7,
      versionDays: 30,
      changed,
    });
    await addWorkspace(database, { id: 'w', used_bytes: 1000 });
  });

  async function addFile(size: number): Promise<string> {
    const id = await addBlob(blobs, Buffer.alloc(size));
    return await addFileRow(database, { id, workspace_id: 'w', size_bytes: size, blob_key: id });
  }

  /** Deletes files at one moment, as a folder with its files is. */
  async function remove(ids: string[]): Promise<void> {
    await database.transaction(async (trx) => {
      await lockWorkspace(database, trx, 'w');
      const rows = await trx
        .updateTable('files')
        .set({ deleted_at: await trashSpace.deletionTime(trx, 'w') })
        .where('id', 'in', ids)
        .returning(['size_bytes', 'deleted_at'])
        .execute();
      await trashSpace.keep(
        trx,
        'w',
        rows.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
        rows[0]?.deleted_at ?? 0,
      );
    });
    clock.at += SECOND;
  }

  async function deletedFiles(...sizes: number[]): Promise<string[]> {
    const ids = await Promise.all(sizes.map(addFile));
    await remove(ids);
    return ids;
  }

  const sums = async () =>
    await database.read
      .selectFrom('workspaces')
      .select(['used_bytes', 'trash_bytes', 'erased_bytes', 'is_erasing'])
      .where('id', '=', 'w')
      .executeTakeFirstOrThrow();
  const rowsLeft = async () =>
    (await database.read.selectFrom('files').select('id').orderBy('id').execute()).map(({ id }) => id);
  const blobsLeft = async () => (await Array.fromAsync(blobs.list())).map(({ key }) => key).sort();
  /** Runs the collector until the blobs of the rows that it deletes at first are due. */
  async function collect(): Promise<void> {
    await collector.collect();
    clock.at += SECOND;
    await collector.collect();
  }

  test('a deletion above the quota erases whole entries, the oldest first', async () => {
    const folder = await deletedFiles(30, 30);
    const [second = ''] = await deletedFiles(30);
    expect(await sums()).toEqual({ used_bytes: 910, trash_bytes: 90, erased_bytes: 0, is_erasing: 0 });
    const [third = ''] = await deletedFiles(20);
    expect(await sums()).toEqual({ used_bytes: 890, trash_bytes: 50, erased_bytes: 60, is_erasing: 1 });
    expect(await blobsLeft()).toEqual([...folder, second, third].sort());
    await collect();
    expect(await sums()).toEqual({ used_bytes: 890, trash_bytes: 50, erased_bytes: 0, is_erasing: 0 });
    expect(await rowsLeft()).toEqual([second, third].sort());
    expect(await blobsLeft()).toEqual([second, third].sort());
  });

  test('the newest entry stays, however large', async () => {
    await deletedFiles(40);
    const newest = await deletedFiles(90, 90);
    await collect();
    expect(await rowsLeft()).toEqual(newest.sort());
    expect(await sums()).toMatchObject({ trash_bytes: 180, erased_bytes: 0 });
  });

  /** Adds deleted files of one byte, each deleted at another time, before all others. */
  async function addDeleted(count: number): Promise<void> {
    const id = await addFileRow(database, { workspace_id: 'w', size_bytes: 1, deleted_at: 1 });
    await database.transaction(async (trx) => {
      const row = await trx.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      const rows = Array.from({ length: count - 1 }, (_, index) => ({
        ...row,
        ...{
          id: newId(),
          blob_key: newId(),
          direct_token: newId(),
          ui_token: newId(),
          deleted_at: index + 2,
        },
      }));
      for (let at = 0; at < count; at += 200)
        await trx
          .insertInto('files')
          .values(rows.slice(at, at + 200))
          .execute();
      await trx.updateTable('workspaces').set({ trash_bytes: count }).execute();
    });
  }

  /** Adds versions of one byte. */
  async function addVersions(count: number): Promise<void> {
    const rows = Array.from({ length: count }, () => ({
      ...{ id: newId(), file_id: newId(), workspace_id: 'w', blob_key: newId(), size_bytes: 1 },
      ...{ mime_type: 'text/plain', sha256: '', crc32: 0, date_created: 0, date_replaced: 0 },
    }));
    await database.transaction(async (trx) => {
      if (count > 0) await trx.insertInto('file_versions').values(rows).execute();
      await trx.updateTable('workspaces').set({ version_bytes: count }).execute();
    });
  }

  test.each([
    ['entries', 0, 1_500],
    ['versions and entries', 1_200, 2_500],
  ])('very many %s above the quota are erased in batches', async (_, versions, afterFirst) => {
    await addDeleted(2_500);
    await addVersions(versions);
    const [newest = ''] = await deletedFiles(QUOTA);
    expect(await sums()).toMatchObject({ trash_bytes: afterFirst + QUOTA, is_erasing: 1 });
    await collect();
    expect(await rowsLeft()).toEqual([newest]);
    expect(await sums()).toMatchObject({ trash_bytes: QUOTA, erased_bytes: 0, is_erasing: 0 });
    expect(await published()).toMatchObject({ trash_bytes: QUOTA });
  });

  /** Adds links to a file, with grants of downloads, versions of the file, and a link to the folder `gone`. */
  async function addDependents(fileId: string, count: number): Promise<void> {
    const links = Array.from({ length: count }, () => ({
      ...{ id: newId(), workspace_id: 'w', token: newId(), access: 'view' as const, date_created: 0 },
    }));
    const versions = links.map(({ id }) => ({
      ...{
        id,
        file_id: fileId,
        workspace_id: 'w',
        blob_key: newId(),
        size_bytes: 0,
        mime_type: 'text/plain',
      },
      ...{ sha256: '', crc32: 0, date_created: 0, date_replaced: 0 },
    }));
    await database.transaction(async (trx) => {
      await trx.insertInto('links').values(links).execute();
      for (const at of [0, count / 2]) {
        const some = links.slice(at, at + count / 2);
        await trx
          .insertInto('link_files')
          .values(some.map(({ id }) => ({ link_id: id, file_id: fileId })))
          .execute();
        await trx
          .insertInto('download_grants')
          .values(some.map(({ id }) => ({ file_id: fileId, visitor: id, expires_at: clock.at })))
          .execute();
        await trx
          .insertInto('file_versions')
          .values(versions.slice(at, at + count / 2))
          .execute();
      }
    });
  }

  test('rows that depend on an erased file are deleted in batches', async () => {
    const [file = ''] = await deletedFiles(60);
    await addDependents(file, 2_500);
    await deletedFiles(90);
    const tables = ['link_files', 'download_grants', 'file_versions', 'files'] as const;
    const counts = () =>
      Promise.all(
        tables.map(async (table) => {
          const of = database.read.selectFrom(table).select((rows) => rows.fn.countAll<number>().as('count'));
          return Number((await of.executeTakeFirstOrThrow()).count);
        }),
      );
    let before = await counts();
    while (await deleteErased({ database, trashSpace, changed }, 'w')) {
      const after = await counts();
      for (const [index, count] of after.entries())
        expect((before[index] ?? 0) - count).toBeLessThanOrEqual(1_000);
      before = after;
    }
    expect(before).toEqual([0, 0, 0, 1]);
  });

  test('links to erased folders are deleted in batches, with their grants', async () => {
    const links = ['one', 'two'].map((id) => ({
      ...{ id, workspace_id: 'w', token: id, folder_id: 'f', access: 'view' as const, date_created: 0 },
    }));
    const grants = Array.from({ length: 2_500 }, (_, index) => ({
      ...{ link_id: 'one', visitor: `${index}`, expires_at: 0 },
    }));
    const tree = {
      id: 't',
      workspace_id: 'w',
      name: 't',
      deleted_at: 1,
      size_bytes: 0,
      file_count: 0,
      place: '[]',
    };
    await database.transaction(async (trx) => {
      await trx.insertInto('links').values(links).execute();
      await trx.insertInto('link_grants').values(grants).execute();
      await trx
        .insertInto('trash_trees')
        .values({ ...tree, state: 'erasing' })
        .execute();
      await trx
        .insertInto('trash_folders')
        .values({
          id: 'f',
          tree_id: 't',
          workspace_id: 'w',
          name: 'f',
          name_key: 'f',
          date_created: 0,
          is_open: 0,
        })
        .execute();
      await trx.updateTable('workspaces').set({ is_erasing: 1 }).execute();
    });
    let transactions = 0;
    while (await deleteErased({ database, trashSpace, changed }, 'w')) transactions++;
    expect(transactions).toBe(3);
    for (const table of ['links', 'link_grants', 'trash_folders', 'trash_trees'] as const)
      expect(await database.read.selectFrom(table).selectAll().execute()).toEqual([]);
  });

  test('a workspace whose files cannot be erased delays neither others nor the deletion of blobs', async () => {
    await addWorkspace(database, { id: 'bad', is_erasing: 1 });
    const trim: TrashSpace['trim'] = async (trx, id) => {
      if (id === 'bad') throw new Error('too slow');
      return await trashSpace.trim(trx, id);
    };
    const limited = { ...trashSpace, trim };
    collector = createCollector({
      database,
      blobs,
      holds,
      trashSpace: limited,
      trashDays: 7,
      versionDays: 30,
      changed,
    });
    await deletedFiles(90);
    await deletedFiles(90);
    await expect(collector.collect()).rejects.toThrow('too slow');
    clock.at += SECOND;
    await expect(collector.collect()).rejects.toThrow('too slow');
    expect(await blobsLeft()).toHaveLength(1);
    expect(await sums()).toMatchObject({ erased_bytes: 0, is_erasing: 0 });
  });

  test('the erasure of a workspace that is gone does nothing', async () => {
    expect(await deleteErased({ database, trashSpace, changed }, 'gone')).toBe(false);
  });

  test('files are erased when they have been in the trash too long', async () => {
    await deletedFiles(10);
    const [younger = ''] = await deletedFiles(20);
    clock.at += 7 * DAY - 2 * SECOND;
    await collector.expire();
    expect(await rowsLeft()).toHaveLength(2);
    clock.at += 1;
    await collector.expire();
    await collect();
    expect(await rowsLeft()).toEqual([younger]);
    expect(await sums()).toMatchObject({ trash_bytes: 20, erased_bytes: 0 });
    expect(await published()).toMatchObject({ trash_bytes: 20 });
  });

  test('versions are deleted when they are too old, in batches', async () => {
    await addVersions(600);
    await collector.expire();
    expect(await database.read.selectFrom('file_versions').selectAll().execute()).toEqual([]);
    expect(await published()).toEqual(await sums());
  });

  test('the blob of copies is deleted after the last of them, and counted once', async () => {
    const original = await addFile(30);
    const copy = () => addFileRow(database, { workspace_id: 'w', size_bytes: 30, blob_key: original });
    const copies = [await copy(), await copy()];
    await remove([original]);
    clock.at += 8 * DAY;
    await collector.expire();
    await collect();
    expect([await blobsLeft(), await rowsLeft()]).toEqual([[original], copies.sort()]);
    expect(await sums()).toMatchObject({ trash_bytes: 0, erased_bytes: 0 });
    await remove(copies);
    clock.at += 8 * DAY;
    await collector.expire();
    await collect();
    expect([await blobsLeft(), await rowsLeft()]).toEqual([[], []]);
    expect(await sums()).toMatchObject({ trash_bytes: 0, erased_bytes: 0 });
  });

  test('a discarded blob is deleted, unless a row references it again', async () => {
    const [replaced, named] = [await addFile(5), await addFile(6)];
    await database.transaction(async (trx) => {
      await trashSpace.discard(trx, 'w', [
        { key: replaced, bytes: 5 },
        { key: named, bytes: 6 },
      ]);
      await trx.deleteFrom('files').where('id', '=', replaced).execute();
    });
    await collector.collect();
    expect(await blobsLeft()).toHaveLength(2);
    clock.at += SECOND;
    await collector.collect();
    expect(await blobsLeft()).toEqual([named]);
    expect(await sums()).toMatchObject({ erased_bytes: 0 });
  });

  test('versions above the quota are deleted in batches, before deleted files', async () => {
    const [entry = ''] = await deletedFiles(60);
    const version = (index: number) => ({
      id: newId(),
      file_id: newId(),
      workspace_id: 'w',
      blob_key: newId(),
      size_bytes: index < 2_500 ? 0 : 30,
      mime_type: 'text/plain',
      sha256: '',
      crc32: 0,
      date_created: index,
      date_replaced: index,
    });
    await database.transaction(async (trx) => {
      await trx
        .insertInto('file_versions')
        .values(Array.from({ length: 2_502 }, (_, index) => version(index)))
        .execute();
      await trx.updateTable('workspaces').set({ version_bytes: 60 }).execute();
    });
    const file = fromRow(
      await database.read
        .selectFrom('files')
        .selectAll()
        .where('id', '=', await addFile(0))
        .executeTakeFirstOrThrow(),
    );
    await database.transaction(async (trx) => {
      await lockWorkspace(database, trx, 'w');
      await trashSpace.keepVersion(trx, file, { by: null, now: clock.at });
    });
    await collect();
    const kept = await database.read.selectFrom('file_versions').select('size_bytes').execute();
    expect(kept.map(({ size_bytes }) => size_bytes).sort()).toEqual([0, 30]);
    expect(await rowsLeft()).toContain(entry);
    expect(await sums()).toMatchObject({ trash_bytes: 60, erased_bytes: 0, is_erasing: 0 });
  });

  test.each([
    ['a backup', 'blobs'],
    ['a download of the workspace', blobsOfWorkspace('w')],
  ])('nothing is deleted while it is held by %s', async (_, resource) => {
    await deletedFiles(90);
    await deletedFiles(90);
    const hold = await holds.take(resource);
    await collect();
    expect(await blobsLeft()).toHaveLength(2);
    expect(await sums()).toMatchObject({ erased_bytes: 90 });
    await hold.release();
    await collect();
    expect(await blobsLeft()).toHaveLength(1);
  });

  test('a download of another workspace holds nothing here', async () => {
    await deletedFiles(90);
    await deletedFiles(90);
    await holds.take(blobsOfWorkspace('other'));
    await collect();
    expect(await blobsLeft()).toHaveLength(1);
  });

  test('an idle node looks for work of others at intervals, and for its own at once', async () => {
    const others = createTrashSpace({ database, workspaceBytes: QUOTA, trashDays: 7, versionDays: 30 });
    const discard = async (space: TrashSpace) => {
      const id = await addFile(5);
      await database.transaction(async (trx) => {
        await space.discard(trx, 'w', [{ key: id, bytes: 5 }]);
        await trx.deleteFrom('files').where('id', '=', id).execute();
      });
      clock.at += SECOND;
      await collector.poll();
    };
    await collector.poll();
    await discard(others);
    expect(await blobsLeft()).toHaveLength(1);
    await discard(trashSpace);
    expect(await blobsLeft()).toHaveLength(0);
  });
});
