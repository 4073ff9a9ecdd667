import { expect, test } from 'bun:test';
import { DATABASES, emptyDatabase } from '../../../test/harness/database.ts';
import { addFileRow, addWorkspace } from '../../../test/harness/storage-rows.ts';
import { systemClock } from '../../kernel/clock.ts';
import { memberOf } from '../tree/member.ts';
import { createLinks } from './links.ts';

test.each(DATABASES)('a page of more links than one query reads is complete on %s', async (kind) => {
  const database = await emptyDatabase(kind);
  await addWorkspace(database, { id: 'w' });
  const file = await addFileRow(database, { workspace_id: 'w' });
  const ids = Array.from({ length: 120 }, (_, index) => `link ${String(index).padStart(3, '0')}`);
  await database.transaction(async (trx) => {
    const links = ids.map((id) => ({
      id,
      workspace_id: 'w',
      token: id,
      access: 'view' as const,
      date_created: 0,
    }));
    await trx.insertInto('links').values(links).execute();
    await trx.insertInto('link_files').values({ link_id: 'link 060', file_id: file }).execute();
  });
  const links = createLinks({ database, clock: systemClock, secretsChanged: async () => {}, changed() {} });
  const list = async (limit: number, cursor?: string) =>
    await links.list(memberOf('ada', 'manager'), { id: 'w', role: 'manager' }, { limit, cursor });
  const newest = ids.toReversed();
  const page = await list(101);
  expect(page.map(({ id }) => id)).toEqual(newest.slice(0, 101));
  expect(page.filter(({ fileCount }) => fileCount === 1).map(({ id }) => id)).toEqual(['link 060']);
  expect((await list(101, page.at(-1)?.id)).map(({ id }) => id)).toEqual(newest.slice(101));
  expect(await list(100, ids[0])).toEqual([]);
});
