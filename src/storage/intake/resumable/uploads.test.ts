import { beforeEach, describe, expect, type Mock, mock, spyOn, test } from 'bun:test';
import { freshDirectory } from '../../../../test/harness/backends.ts';
import { DATABASES, emptyDatabase, withClock } from '../../../../test/harness/database.ts';
import { addWorkspace } from '../../../../test/harness/storage-rows.ts';
import { HOUR, MINUTE } from '../../../kernel/clock.ts';
import { createVault } from '../../../kernel/crypto/vault.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { ROWS_AT_ONCE } from '../../../kernel/database/delete-old.ts';
import { newId } from '../../../kernel/ids.ts';
import { createHolds, type Holds } from '../../../kernel/leases/holds.ts';
import { createLog } from '../../../kernel/log.ts';
import { Problem } from '../../../kernel/problem.ts';
import { openLocalBlobs } from '../../blobs/local.ts';
import type { Blobs } from '../../blobs/port.ts';
import { linkWith } from '../../links/all-links.ts';
import { createLinks } from '../../links/links.ts';
import { createLinkUploads, type LinkUploads } from '../../links/uploads.ts';
import { memberOf } from '../../tree/member.ts';
import type { RequireRoom } from '../../tree/room.ts';
import { createTree } from '../../tree/tree.ts';
import { BLOBS_HELD } from '../../upkeep/sweeper.ts';
import { createGarbage } from '../garbage.ts';
import { createIntake } from '../intake.ts';
import { UPLOAD_LOCK_MS } from './lock-rows.ts';
import { addPart, hasParts, PARTS_AT_ONCE, partsFrom, takeLastParts } from './part-rows.ts';
import { receiveParts } from './parts.ts';
import { addressed, becameFile, UNFINISHED_EACH, UPLOAD_MS } from './upload-rows.ts';
import { UNADDRESSED_MS, type Uploads } from './uploads.ts';

const member = memberOf('a', 'editor');

const WANTED = {
  folderId: 'root',
  replaceFileId: null,
  fileName: 'a.txt',
  mediaType: null,
  visibility: 0,
  onConflict: 'keep' as const,
  passwordHash: null,
  withAccessKey: false,
  metadata: '',
};

describe.each(DATABASES)('the upkeep of resumable uploads on %s', (kind) => {
  const clock = { at: Date.now(), now: () => clock.at };
  let database: Database;
  let blobs: Blobs;
  let uploads: Uploads;
  let links: LinkUploads;
  let holds: Holds;
  let requireRoom: Mock<RequireRoom>;
  const stored = mock(() => {});

  beforeEach(async () => {
    database = withClock(await emptyDatabase(kind), clock);
    blobs = openLocalBlobs(freshDirectory());
    const tree = createTree({
      database,
      clock,
      vault: createVault(Buffer.alloc(32, 1)),
      owner: 'test',
      limits: { workspaceBytes: 100, trashDays: 7, versionDays: 30 },
      hasRenditions: () => false,
      erasing: () => {},
      secretsChanged: async () => {},
      changed() {},
    });
    holds = createHolds({ database, clock });
    links = createLinkUploads({ database, files: tree.files, workspaceBytes: 100 });
    requireRoom = mock(async () => {});
    uploads = createIntake({
      database,
      clock,
      log: createLog('silent'),
      blobs,
      holds,
      tree,
      fileBytes: 100,
      requireRoom,
      links,
      stored,
    }).uploads;
    await addWorkspace(database, { id: 'w' });
    await database.transaction(async (trx) => {
      await trx
        .insertInto('memberships')
        .values({ workspace_id: 'w', account_id: 'a', role: 'owner' })
        .execute();
      await trx
        .insertInto('folders')
        .values({ id: 'root', workspace_id: 'w', name: '', name_key: '', date_created: 0 })
        .execute();
    });
  });

  /**
   * Creates an upload with its first bytes. Without a writer, its client has its address.
   * @param link through which a visitor sends it; otherwise a member does
   * @param writer owner of the lock, if they come with the request that creates it
   */
  async function begin(
    sizeBytes: number,
    text: string,
    { link, writer = null }: { link?: string; writer?: string | null } = {},
  ): Promise<string> {
    const id = newId();
    const { fileName, mediaType, metadata } = WANTED;
    if (link === undefined) await uploads.begin(member, { ...WANTED, id, sizeBytes, writer });
    else
      await uploads.beginSent(await links.placeOf(link), {
        ...{ id, sizeBytes, fileName, mediaType, metadata, writer },
        sender: null,
      });
    if (writer === null) await database.transaction((trx) => addressed(trx, id));
    async function* bytes() {
      yield Buffer.from(text);
    }
    await receiveParts(bytes(), {
      blobs,
      garbage: createGarbage(),
      offset: 0,
      total: sizeBytes,
      hasManyParts: () => hasParts(database.read, id, 2),
      checksum: null,
      beforeLast: async () => {},
      record: (part) => database.transaction((trx) => addPart(trx, id, writer ?? 'o', part)),
    });
    return id;
  }
  /** Creates an upload whose client has not received its address. */
  const beginUnsent = (sizeBytes: number) =>
    uploads.begin(member, { ...WANTED, id: newId(), sizeBytes, writer: null });
  const count = async (table: 'uploads' | 'upload_parts' | 'reservations' | 'files' | 'blob_deletions') =>
    (
      await database.read
        .selectFrom(table)
        .select((of) => of.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
    ).n;
  /** Adds a link, which takes a quarter of the 100 bytes. */
  const addLink = (id: string) =>
    database.transaction((trx) =>
      trx
        .insertInto('links')
        .values({ id, workspace_id: 'w', token: id, folder_id: 'root', access: 'upload', date_created: 0 })
        .execute(),
    );
  const blobCount = async () => (await Array.fromAsync(blobs.list())).length;

  test('deletes expired uploads with their bytes and reservations', async () => {
    await begin(60, 'some');
    await expect(begin(60, 'more')).rejects.toMatchObject({ code: 'quota_exceeded' });
    clock.at += UPLOAD_MS - HOUR;
    await uploads.sweep();
    expect([await count('uploads'), await count('upload_parts'), await blobCount()]).toEqual([1, 1, 1]);
    clock.at += HOUR;
    const young = await begin(60, 'more');
    await uploads.sweep();
    expect([
      await count('uploads'),
      await count('upload_parts'),
      await count('reservations'),
      await blobCount(),
    ]).toEqual([1, 1, 1, 1]);
    expect((await uploads.find(member, young)).offset).toBe(4);
  });

  test('deletes an upload soon whose first request died, unless a client has its address', async () => {
    const writer = 'its request';
    const dead = await begin(8, 'half', { writer });
    const running = await begin(8, 'half', { writer });
    const repeated = await begin(8, 'half', { writer });
    await beginUnsent(8);
    const received = await database.transaction((trx) => addressed(trx, repeated));
    expect(received?.expiresAt).toBe(clock.at + UPLOAD_MS);
    clock.at += UNADDRESSED_MS;
    // As the request does for as long as it runs.
    await uploads.locks.lock(running, writer);
    await uploads.sweep();
    await expect(uploads.find(member, dead)).rejects.toMatchObject({ code: 'not_found' });
    for (const id of [running, repeated]) expect((await uploads.find(member, id)).offset).toBe(4);
    expect([await count('uploads'), await count('reservations'), await blobCount()]).toEqual([2, 2, 2]);
    clock.at += UPLOAD_MS - UNADDRESSED_MS - 1;
    await uploads.locks.lock(running, writer);
    await uploads.sweep();
    await uploads.find(member, repeated);
    expect(await count('reservations')).toBe(2);
  });

  test('deletes all expired uploads at once, finished ones included', async () => {
    await begin(8, 'half');
    const row = await database.read.selectFrom('uploads').selectAll().executeTakeFirstOrThrow();
    const copies = (length: number, fileId: string | null) =>
      Array.from({ length }, () => ({ ...row, id: newId(), file_id: fileId }));
    await database.transaction(async (trx) => {
      await trx
        .insertInto('uploads')
        .values(copies(ROWS_AT_ONCE + 1, 'a'))
        .execute();
      await trx.insertInto('uploads').values(copies(120, null)).execute();
    });
    clock.at += UPLOAD_MS;
    const young = await begin(8, 'half');
    await uploads.sweep();
    expect([await count('uploads'), await count('upload_parts'), await blobCount()]).toEqual([1, 1, 1]);
    expect((await uploads.find(member, young)).offset).toBe(4);
  });

  test('reads and deletes many parts in batches, the last first, so that the others stay an upload', async () => {
    const id = await begin(8, 'half');
    await addParts(id, 4, PARTS_AT_ONCE);
    const [first = [], second = []] = [
      await partsFrom(database.read, id, 0),
      await partsFrom(database.read, id, 3 + PARTS_AT_ONCE),
    ].map((page) => page.map(({ start }) => start));
    expect([first.length, first.slice(0, 3), second]).toEqual([
      PARTS_AT_ONCE,
      [0, 4, 5],
      [3 + PARTS_AT_ONCE],
    ]);
    const hung = spyOn(blobs, 'delete').mockRejectedValue(new Error('hung'));
    await expect(uploads.remove(id)).rejects.toThrow('hung');
    hung.mockRestore();
    expect([(await uploads.find(member, id)).offset, await count('upload_parts')]).toEqual([4, 1]);
    await uploads.remove(id);
    const rest = [await count('uploads'), await count('upload_parts'), await count('reservations')];
    expect([...rest, await blobCount()]).toEqual([0, 0, 0, 0]);
  });

  /** Adds parts of one byte to an upload that has `offset` bytes. */
  async function addParts(id: string, offset: number, length: number): Promise<void> {
    const parts = Array.from({ length }, (_, n) => ({
      ...{ upload_id: id, start_byte: offset + n, size_bytes: 1, blob_key: newId() },
    }));
    await database.transaction(async (trx) => {
      await trx.insertInto('upload_parts').values(parts).execute();
      await trx
        .updateTable('uploads')
        .set({ offset_bytes: offset + length })
        .execute();
    });
  }

  test('two requests that delete an upload leave no part, and one of them takes each', async () => {
    const id = await begin(8, 'half');
    await addParts(id, 4, 2 * PARTS_AT_ONCE);
    const take = () => database.transaction((trx) => takeLastParts(trx, id));
    const [first, second] = await Promise.all([take(), take()]);
    const starts = [...first.parts, ...second.parts].map(({ start }) => start);
    expect([new Set(starts).size, Math.min(...starts)]).toEqual([2 * PARTS_AT_ONCE, 4]);
    expect([first.isLast, second.isLast]).toEqual([false, false]);
    await Promise.all([uploads.remove(id), uploads.remove(id)]);
    expect([await count('uploads'), await count('upload_parts'), await blobCount()]).toEqual([0, 0, 0]);
  });

  test('an upload that is being deleted becomes no file', async () => {
    const id = await begin(4, 'text');
    const { parts } = await database.transaction((trx) => takeLastParts(trx, id));
    expect(parts).toHaveLength(1);
    const became = database.transaction((trx) => becameFile(trx, id, newId()));
    expect(await became).toBe(false);
  });

  test('deletes the parts that a dead process left after it created the file', async () => {
    const upload = await uploads.find(member, await begin(4, 'text'));
    stored.mockImplementationOnce(() => {
      throw new Error('died');
    });
    await expect(uploads.finish(upload)).resolves.toBeString();
    expect([await count('files'), await count('upload_parts'), await blobCount()]).toEqual([1, 1, 2]);
    await uploads.sweep();
    expect([await count('files'), await count('upload_parts'), await blobCount()]).toEqual([1, 0, 1]);
  });

  test('deletes unfinished uploads of visitors that expire or whose link is deleted', async () => {
    for (const id of ['kept', 'deleted']) await addLink(id);
    const rest = async () => [
      await count('uploads'),
      await count('upload_parts'),
      await count('reservations'),
      await blobCount(),
    ];
    await begin(20, 'kept', { link: 'kept', writer: 'its request' });
    await begin(20, 'deleted', { link: 'deleted' });
    await uploads.sweep();
    expect(await rest()).toEqual([2, 2, 2, 2]);
    const linkRows = createLinks({ database, clock, secretsChanged: async () => {}, changed() {} });
    const link = await linkWith(database.read, { id: 'deleted' });
    if (link) await database.transaction((trx) => linkRows.remove(trx, link));
    await uploads.sweep();
    expect(await rest()).toEqual([1, 1, 1, 1]);
    clock.at += UPLOAD_MS;
    await uploads.sweep();
    expect(await rest()).toEqual([0, 0, 0, 0]);
  });

  test('an upload of a visitor holds space of the link for an hour, or for a day if enough bytes have arrived', async () => {
    await addLink('link');
    const start = (text: string) => begin(24, text, { link: 'link' });
    await start('');
    await expect(start('')).rejects.toMatchObject({ code: 'upload_limit_reached' });
    clock.at += HOUR;
    const id = await start('x');
    await uploads.sweep();
    expect([await count('uploads'), await count('reservations')]).toEqual([1, 1]);
    await database.transaction((trx) => addressed(trx, id));
    clock.at += UPLOAD_MS - 1;
    await expect(start('')).rejects.toMatchObject({ code: 'upload_limit_reached' });
    clock.at += 1;
    await start('');
  });

  test('a member has a bounded number of unfinished uploads, and parts are counted', async () => {
    const first = await begin(8, 'half');
    const has = (parts: number) => hasParts(database.read, first, parts);
    expect([await has(1), await has(2)]).toEqual([true, false]);
    const row = await database.read.selectFrom('uploads').selectAll().executeTakeFirstOrThrow();
    const others = Array.from({ length: UNFINISHED_EACH - 1 }, () => ({ ...row, id: newId() }));
    await database.transaction((trx) => trx.insertInto('uploads').values(others).execute());
    await expect(begin(1, '')).rejects.toMatchObject({ code: 'limit_reached' });
    const finish = { file_id: 'a', account_id: 'a' };
    const another = { account_id: 'b' };
    for (const change of [finish, another]) {
      const id = others.pop()?.id ?? '';
      await database.transaction((trx) =>
        trx.updateTable('uploads').set(change).where('id', '=', id).execute(),
      );
      await begin(1, '');
      await expect(begin(1, '')).rejects.toMatchObject({ code: 'limit_reached' });
    }
  });

  test('finishes a complete upload of a dead process, unless it is locked', async () => {
    const id = await begin(4, 'text');
    expect(await uploads.locks.lock(id, 'somebody')).toBe('locked');
    await uploads.sweep();
    expect(await count('files')).toBe(0);
    clock.at += UPLOAD_LOCK_MS;
    await uploads.sweep();
    await uploads.sweep();
    expect([
      await count('files'),
      await count('upload_parts'),
      await count('reservations'),
      await blobCount(),
    ]).toEqual([1, 0, 0, 1]);
    expect((await uploads.find(member, id)).fileId).toBeString();
  });

  /** Completes an upload into a folder that is then moved into another workspace of the member, of 10 bytes. */
  async function beginMoved() {
    const id = await begin(40, 'x'.repeat(40));
    await addWorkspace(database, { id: 'small', max_bytes: 10 });
    await database.transaction(async (trx) => {
      await trx
        .insertInto('memberships')
        .values({ workspace_id: 'small', account_id: 'a', role: 'owner' })
        .execute();
      await trx.updateTable('folders').set({ workspace_id: 'small' }).where('id', '=', 'root').execute();
    });
    return await uploads.find(member, id);
  }
  const setQuota = (workspaceId: string, maxBytes: number) =>
    database.transaction((trx) =>
      trx.updateTable('workspaces').set({ max_bytes: maxBytes }).where('id', '=', workspaceId).execute(),
    );

  test('copies no bytes of an upload that does not fit into the workspace of its folder', async () => {
    const upload = await beginMoved();
    const read = spyOn(blobs, 'read');
    await expect(uploads.finish(upload)).rejects.toMatchObject({ code: 'quota_exceeded' });
    await uploads.sweep();
    expect(read).not.toHaveBeenCalled();
    await setQuota('small', 40);
    await uploads.finish(upload);
    expect(read).toHaveBeenCalledTimes(1);
    expect([await count('files'), await count('reservations'), await blobCount()]).toEqual([1, 0, 1]);
  });

  test('copies the bytes of an upload that did not fit at its end once a minute', async () => {
    const upload = await beginMoved();
    await setQuota('small', 40);
    const { read } = blobs;
    const reading = spyOn(blobs, 'read').mockImplementation(async (...blob: Parameters<typeof read>) => {
      await setQuota('small', 39);
      return await read(...blob);
    });
    const full = { code: 'quota_exceeded' };
    await expect(uploads.finish(upload)).rejects.toMatchObject(full);
    await setQuota('small', 40);
    await expect(uploads.finish(upload)).rejects.toMatchObject(full);
    expect(reading).toHaveBeenCalledTimes(1);
    clock.at += MINUTE + 1;
    await expect(uploads.finish(upload)).rejects.toMatchObject(full);
    expect(reading).toHaveBeenCalledTimes(2);
  });

  test('complete uploads that do not fit hold no others back', async () => {
    const first = await begin(4, 'text');
    const row = await database.read.selectFrom('uploads').selectAll().executeTakeFirstOrThrow();
    const copies = Array.from({ length: 60 }, () => ({
      ...row,
      id: newId(),
      size_bytes: 1_000,
      offset_bytes: 1_000,
    }));
    await database.transaction(async (trx) => {
      await trx.deleteFrom('uploads').where('id', '=', first).execute();
      await trx.insertInto('uploads').values(copies).execute();
    });
    await begin(4, 'text');
    for (let sweeps = 0; sweeps < 50 && (await count('files')) === 0; sweeps++) await uploads.sweep();
    expect(await count('files')).toBe(1);
  });

  const erasedBytes = async () =>
    (await database.read.selectFrom('workspaces').select('erased_bytes').executeTakeFirstOrThrow())
      .erased_bytes;

  test('deletes no bytes while a backup reads, and counts them as erased', async () => {
    const [whole, half] = [await begin(4, 'text'), await begin(8, 'half!')];
    const hold = await holds.take(BLOBS_HELD);
    await uploads.finish(await uploads.find(member, whole));
    await uploads.remove(half);
    await uploads.remove(half);
    expect([await count('upload_parts'), await blobCount(), await erasedBytes()]).toEqual([0, 3, 9]);
    expect(await count('blob_deletions')).toBe(2);
    await hold.release();
    await uploads.remove(await begin(8, 'half'));
    expect([await blobCount(), await erasedBytes()]).toEqual([3, 9]);
  });

  test('begins no upload while too many erased bytes are in the blob store', async () => {
    const full = new Problem('unavailable', 'full');
    requireRoom.mockImplementation(() => Promise.reject(full));
    await expect(begin(8, 'half')).rejects.toBe(full);
    expect(requireRoom).toHaveBeenLastCalledWith('w', 8);
  });

  test('concurrent calls finish an upload once', async () => {
    const upload = await uploads.find(member, await begin(4, 'text'));
    const ids = await Promise.all([
      uploads.finish(upload),
      uploads.sweep().then(() => uploads.finish(upload)),
      uploads.finish(upload),
    ]);
    expect(new Set(ids).size).toBe(1);
    expect([await count('files'), await blobCount()]).toEqual([1, 1]);
  });

  test('deletes an upload with missing bytes, so that its client starts again', async () => {
    const id = await begin(4, 'text');
    for await (const { key } of blobs.list()) await blobs.delete(key);
    await uploads.sweep();
    expect([
      await count('files'),
      await count('uploads'),
      await count('reservations'),
      await blobCount(),
    ]).toEqual([0, 0, 0, 0]);
    await expect(uploads.find(member, id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a lock belongs to one request until it ends, is released, or its process restarts', async () => {
    const id = await begin(60, 'some');
    const lock = (owner: string) => uploads.locks.lock(id, owner);
    expect([await lock('n1 first'), await lock('n2 second')]).toEqual(['locked', 'busy']);
    await uploads.locks.forgetLocks('n2');
    expect(await lock('n2 second')).toBe('busy');
    await uploads.locks.forgetLocks('n1');
    expect(await lock('n2 second')).toBe('locked');
    clock.at += UPLOAD_LOCK_MS;
    expect(await lock('n1 third')).toBe('locked');
    await uploads.locks.unlock(id, 'n1 third');
    expect(await lock('n2 fourth')).toBe('locked');
    expect(await uploads.locks.lock('none', 'n2 fourth')).toBe('unknown');
  });
});
