import { beforeAll, describe, expect, test } from 'bun:test';
import { sql } from 'kysely';
import { DAY } from '../src/kernel/clock.ts';
import type { Database } from '../src/kernel/database/database.ts';
import { createTimeSlices } from '../src/kernel/event-loop/time-slices.ts';
import { newId } from '../src/kernel/ids.ts';
import { searchByTaken } from '../src/storage/search/by-taken.ts';
import { type FileType, fileType } from '../src/storage/search/file-type.ts';
import { createIndexer } from '../src/storage/search/indexer.ts';
import { CURRENT_FORM } from '../src/storage/search/parts.ts';
import { type SearchOptions, searchFiles } from '../src/storage/search/search.ts';
import { nameKey } from '../src/text/name-key.ts';
import { DATABASES, freshDatabase } from './harness/database.ts';
import { fillNamed } from './harness/many-rows.ts';
import { addFileRow, addPersonal } from './harness/storage-rows.ts';

const giveWay = createTimeSlices();
/** Two blocks and a rest. */
const FILES = 2_500;

describe.each(DATABASES)('the search among many files on %s', (kind) => {
  let database: Database;
  let own: { workspaceId: string; rootFolderId: string };
  let others: typeof own;

  beforeAll(async () => {
    database = await freshDatabase(kind);
    own = await makeWorkspace();
    others = await makeWorkspace();
    await fillNamed(database, own, FILES);
    await fillNamed(database, others, FILES / 100);
    await index();
  });

  async function makeWorkspace(): Promise<typeof own> {
    const { id, rootFolderId } = await addPersonal(database, newId());
    return { workspaceId: id, rootFolderId };
  }

  const index = () => createIndexer(database).catchUp();

  type Query = Partial<SearchOptions> & { workspaceIds?: string[]; steps?: number; isInside?: boolean };

  /** Returns the ids of all pages. */
  async function find({
    workspaceIds = [own.workspaceId],
    steps,
    isInside: _,
    ...options
  }: Query): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor: string | undefined, pages = 0; pages < FILES; pages++) {
      const page = await searchFiles(
        database,
        workspaceIds,
        { query: '', limit: 1000, ...options, cursor },
        { steps },
      );
      expect(page.files.length).toBeLessThanOrEqual(options.limit ?? 1000);
      ids.push(...page.files.map(({ id }) => id));
      if (page.nextCursor === null) return ids;
      cursor = page.nextCursor;
    }
    throw new Error('the pages do not end');
  }

  /** Returns the ids of the same files, found without an index. */
  async function expected({ query = '', type, isInside, ...place }: Query): Promise<string[]> {
    const rows = await database.schema.selectFrom(sql<Row>`files`.as('files')).selectAll().execute();
    const key = nameKey(query);
    const matches = (name: string) =>
      [...key].length < 3 && !isInside ? name.startsWith(key) : name.includes(key);
    return rows
      .filter(({ deleted_at, name_key }) => deleted_at === null && matches(name_key))
      .filter(({ workspace_id }) => (place.workspaceIds ?? [own.workspaceId]).includes(workspace_id))
      .filter(({ folder_id }) => place.folderId === undefined || folder_id === place.folderId)
      .filter(({ mime_type }) => type === undefined || fileType(mime_type) === type)
      .filter(
        ({ date_created }) => date_created >= (place.after ?? 0) && date_created < (place.before ?? Infinity),
      )
      .map(({ id }) => id)
      .sort()
      .reverse();
  }

  interface Row {
    id: string;
    workspace_id: string;
    folder_id: string;
    name_key: string;
    mime_type: string;
    date_created: number;
    deleted_at: number | null;
  }

  async function expectSame(query: Query): Promise<number> {
    const ids = await find(query);
    expect(ids).toEqual(await expected(query));
    return ids.length;
  }

  const indexed = async () =>
    (await database.read.selectFrom('search_blocks').select('block').execute()).length;

  test('two blocks are built, and the files after them are found too', async () => {
    expect(await indexed()).toBe(2);
    expect(await expectSame({ query: 'report 25' })).toBeGreaterThan(0);
  });

  test.each<[string, () => Query]>([
    ['all files', () => ({})],
    ['one file', () => ({ query: 'report 1777 of' })],
    ['old files, in any case', () => ({ query: 'IMG_20190001', limit: 7 })],
    ['new files', () => ({ query: 'meeting' })],
    ['digits', () => ({ query: '123' })],
    ['no file, although all parts occur', () => ({ query: 'report img_' })],
    ['parts of one name in another order', () => ({ query: 'meeting of' })],
    ['one character', () => ({ query: 'r' })],
    ['two characters', () => ({ query: 'im' })],
    ['two characters inside of names only', () => ({ query: 'mg' })],
    ['signs of patterns', () => ({ query: 'g_2' })],
    ['a percent sign', () => ({ query: '%%%' })],
    ['rare files, in pages that end before a file is found', () => ({ query: 'g_20190000_7', steps: 1 })],
    ['a type', () => ({ type: 'image' })],
    ['a type that the files with the name do not have', () => ({ query: 'report', type: 'image' })],
    ['a time', () => ({ query: 'img', after: Date.now() - 27 * DAY, before: Date.now() - 20 * DAY })],
    ['another workspace', () => ({ query: 'img', workspaceIds: [others.workspaceId] })],
    ['two workspaces', () => ({ query: 'img', workspaceIds: [own.workspaceId, others.workspaceId] })],
    ['sixty workspaces', () => ({ query: 'img', workspaceIds: [own.workspaceId, ...ids(59)] })],
    ['all files of sixty workspaces', () => ({ workspaceIds: [own.workspaceId, ...ids(59)] })],
  ])('%s', async (_, query) => {
    await expectSame(query());
  });

  const ids = (count: number) => Array.from({ length: count }, newId);

  test('only files in a folder and below it', async () => {
    const [above, below] = ids(2) as [string, string];
    const place = { workspace_id: own.workspaceId, date_created: 1 };
    const some = (await expected({ query: 'img' })).filter((_, index) => index % 300 === 0);
    await database.transaction(async (trx) => {
      await trx
        .insertInto('folders')
        .values([
          { ...place, id: above, parent_id: own.rootFolderId, name: 'above', name_key: 'above' },
          { ...place, id: below, parent_id: above, name: 'below', name_key: 'below' },
        ])
        .execute();
      const move = (folder_id: string, files: string[]) =>
        trx.updateTable('files').set({ folder_id }).where('id', 'in', files).execute();
      await move(above, some.slice(0, 2));
      await move(below, some.slice(2));
    });
    expect(await find({ query: 'img', folderId: above })).toEqual(some);
    expect(await find({ query: 'img', folderId: below })).toEqual(some.slice(2));
    expect(await find({ query: 'report', folderId: above })).toEqual([]);
    const { files } = await searchFiles(database, [own.workspaceId], {
      query: 'img',
      folderId: below,
      limit: 1,
    });
    expect(files.map(({ path }) => path)).toEqual([['above', 'below']]);
  });

  test('files by the time taken, in several folders and pages', async () => {
    const place = { workspaceIds: [own.workspaceId], caller: 'a' };
    const images = (await expected({ query: 'img_2019000', type: 'image' })).slice(0, 10);
    const taken = new Map(images.map((id, index) => [id, ((index * 7) % 10) * DAY]));
    await database.transaction(async (trx) => {
      for (const [id, taken_at] of taken)
        await trx.updateTable('files').set({ taken_at }).where('id', '=', id).execute();
    });
    const all = async (options: SearchOptions) => {
      const found: string[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = await searchByTaken(database, place, { ...options, cursor }, giveWay);
        found.push(...page.files.map(({ id }) => id));
        if (page.nextCursor === null) return found;
        cursor = page.nextCursor;
      }
    };
    const query = { query: 'img_2019000', type: 'image', limit: 3 } as const;
    const byTaken = [...taken].sort(([, a], [, b]) => b - a).map(([id]) => id);
    expect((await all(query)).filter((id) => taken.has(id))).toEqual(byTaken);
    expect(new Set(await all(query))).toEqual(new Set(await expected(query)));
    const inFolder = await all({ ...query, folderId: own.rootFolderId });
    expect(inFolder).toEqual(await all(query));
    expect(await all({ query: '', limit: 5, folderId: newId() })).toEqual([]);
  });

  test('files in very long paths, in pages of fewer files', async () => {
    const place = { workspace_id: own.workspaceId, date_created: 1, name_key: 'folder' };
    const line = ids(299);
    const rows = line.map((id, level) => ({
      ...{ ...place, id, name: 'n'.repeat(255) },
      parent_id: line[level - 1] ?? own.rootFolderId,
    }));
    await database.transaction((trx) => trx.insertInto('folders').values(rows).execute());
    const file = {
      workspace_id: own.workspaceId,
      folder_id: line.at(-1),
      name_key: 'deep',
      deleted_at: null,
    };
    const files: string[] = [];
    for (let count = 0; count < 10; count++) files.unshift(await addFileRow(database, file));
    expect(await find({ query: 'deep' })).toEqual(files);
    const page = await searchFiles(database, [own.workspaceId], { query: 'deep', limit: 100 });
    expect(page.files.length).toBeLessThan(10);
    expect(page.files[0]?.path).toHaveLength(299);
    const options = { query: 'deep', limit: 100 };
    const reach = { workspaceIds: [own.workspaceId], caller: 'a' };
    const first = await searchByTaken(database, reach, options, giveWay);
    const second = await searchByTaken(
      database,
      reach,
      { ...options, cursor: first.nextCursor ?? '' },
      giveWay,
    );
    expect([...first.files, ...second.files].slice(0, first.files.length + 1).map(({ id }) => id)).toEqual(
      files.slice(0, first.files.length + 1),
    );
    await database.transaction((trx) => trx.deleteFrom('files').where('id', 'in', files).execute());
  });

  describe.each([['before the blocks are rewritten'], ['after that']])('changed files, %s', (when) => {
    const isAfter = when === 'after that';

    test('are found by their new names, places, types and states', async () => {
      const [renamed, moved, retyped, erased, trashed] = await expected({ query: 'img_' });
      const change = async (id: string | undefined, set: Record<string, string | number | null>) =>
        await database.transaction((trx) =>
          trx
            .updateTable('files')
            .set(set)
            .where('id', '=', id ?? '')
            .execute(),
        );
      await change(renamed, { name_key: `renamed ${isAfter}` });
      await change(moved, { workspace_id: others.workspaceId });
      await change(retyped, { mime_type: 'video/mp4' });
      await change(trashed, { deleted_at: 1 });
      await database.transaction((trx) =>
        trx
          .deleteFrom('files')
          .where('id', '=', erased ?? '')
          .execute(),
      );
      if (isAfter) await index();
      for (const query of ['img_', `renamed ${isAfter}`, 're', 'im']) await expectSame({ query });
      await expectSame({ query: 'img_', workspaceIds: [others.workspaceId] });
      expect(await expectSame({ query: 'img_', type: 'video' })).toBeGreaterThan(0);
      await change(trashed, { deleted_at: null });
      await expectSame({ query: 'img_' });
      if (isAfter) await index();
      expect(await find({ query: 'img_' })).toContain(trashed ?? '');
      await expectSame({ query: 'img_' });
    });

    test('with an id below others, as after a clock was set back, are found', async () => {
      const [first] = (await expected({})).slice(-1);
      const row = await database.read
        .selectFrom('files')
        .selectAll()
        .where('id', '=', first ?? '')
        .executeTakeFirstOrThrow();
      const id = `${row.id.slice(0, -4)}${isAfter ? 'ffff' : 'fffe'}`;
      const late = { ...row, id, name_key: 'late.txt', direct_token: newId(), ui_token: newId() };
      await database.transaction((trx) => trx.insertInto('files').values(late).execute());
      if (isAfter) await index();
      expect(await find({ query: 'late.t' })).toContain(id);
      await expectSame({ query: 'late.t' });
    });

    test('are found by one or two characters inside, in scripts where these are a word', async () => {
      const names = ['夏の写真 7.jpg', '서울 여행.jpg', 'เที่ยวทะเล.jpg', 'launch 🚀.jpg'];
      const files = (await expected({ query: 'report' })).slice(-names.length);
      await database.transaction(async (trx) => {
        for (const [at, id] of files.entries())
          await trx
            .updateTable('files')
            .set({ name_key: nameKey(names[at] ?? '') })
            .where('id', '=', id)
            .execute();
      });
      if (isAfter) await index();
      for (const query of ['写', '写真', '여행', 'ทะ', '🚀'])
        expect(await expectSame({ query, isInside: true })).toBeGreaterThan(0);
      for (const query of ['真 ', '行', 'ch', '🚀.']) expect(await expectSame({ query })).toBe(0);
    });

    if (isAfter)
      test('are found by them in blocks that another version has written, once they are written again', async () => {
        await sql`delete from search_parts where part in ('写', '真', '写真', ${CURRENT_FORM})`.execute(
          database.schema,
        );
        expect(await find({ query: '写真' })).toEqual([]);
        await index();
        expect(await expectSame({ query: '写真', isInside: true })).toBeGreaterThan(0);
      });

    if (isAfter)
      test('no changes are left', async () => {
        await index();
        const last = await database.read.selectFrom('search_blocks').select('last_id').execute();
        const left = await database.read.selectFrom('search_changes').select('file_id').execute();
        const end =
          last
            .map(({ last_id }) => last_id)
            .sort()
            .at(-1) ?? '';
        expect(left.filter(({ file_id }) => file_id <= end)).toEqual([]);
      });
  });
});

test('media types belong to kinds', () => {
  const kinds: Record<string, FileType> = {
    'image/png': 'image',
    'video/mp4': 'video',
    'audio/flac': 'audio',
    'text/plain': 'document',
    'application/pdf': 'document',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'document',
    'application/vnd.oasis.opendocument.text': 'document',
    'application/zip': 'archive',
    'application/x-7z-compressed': 'archive',
    'application/octet-stream': 'other',
  };
  for (const [type, kind] of Object.entries(kinds)) expect([type, fileType(type)]).toEqual([type, kind]);
});
