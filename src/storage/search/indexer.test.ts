import { expect, test } from 'bun:test';
import { sql } from 'kysely';
import { freshDatabase } from '../../../test/harness/database.ts';
import { fillNamed } from '../../../test/harness/many-rows.ts';
import { addTeam } from '../../../test/harness/storage-rows.ts';
import type { Database } from '../../kernel/database/database.ts';
import { newToken } from '../../kernel/ids.ts';
import { BLOCK_FILES, createIndexer } from './indexer.ts';
import { searchFiles } from './search.ts';

/** Different parts in all names: 100 letters of two bytes in each. */
const nameOf = (file: number) =>
  Array.from({ length: 100 }, (_, at) =>
    String.fromCharCode(0x4e00 + ((file * 7_919 + at * at * 31) % 20_000)),
  ).join('');

/** Creates a workspace of so many files; returns its id. */
async function fill(database: Database, count: number): Promise<string> {
  const { id, rootFolderId } = await addTeam(database, 'ann');
  await fillNamed(database, { workspaceId: id, rootFolderId }, count);
  return id;
}

test('names without common parts neither fill the index nor delay other work', async () => {
  const database = await freshDatabase('sqlite');
  const workspaceId = await fill(database, BLOCK_FILES);
  const { rows } = await sql<{ id: string }>`select id from files order by id`.execute(database.read);
  await database.schema.transaction().execute(async (trx) => {
    for (const [file, { id }] of rows.entries()) {
      const name = file === 5 ? `${'long '.repeat(30)}end` : nameOf(file);
      await sql`update files set name_key = ${name} where id = ${id}`.execute(trx);
    }
  });

  let isWriting = false;
  const indexer = createIndexer({
    ...database,
    transaction: (work) =>
      database.transaction(async (trx) => {
        isWriting = true;
        return await work(trx).finally(() => {
          isWriting = false;
        });
      }),
  });
  let rounds = 0;
  let isDone = false;
  const count = () => {
    if (isWriting) rounds++;
    if (!isDone) setImmediate(count);
  };
  count();
  await indexer.catchUp();
  isDone = true;
  expect(rounds).toBeGreaterThan(2);
  const parts = await sql<{ count: number }>`select count(*) count from search_parts`.execute(database.read);
  expect(parts.rows[0]?.count).toBeLessThan(17_000);

  const found = async (query: string) =>
    (await searchFiles(database, [workspaceId], { query, limit: 5 })).files.map(({ id }) => id);
  expect(await found('long end')).toEqual([rows[5]?.id ?? '']);
  for (const file of [0, 100, 1_000])
    expect(await found(nameOf(file).slice(40, 60))).toEqual([rows[file]?.id ?? '']);
  // Written again, after a change.
  await sql`update files set name_key = 'renamed' where id = ${rows[7]?.id}`.execute(database.schema);
  await indexer.catchUp();
  expect(await found('renamed')).toEqual([rows[7]?.id ?? '']);
});

test.each([
  ['the first', 0],
  ['a later', 1],
])(
  'a file with an old id from a slow clock is found, even when %s block is written before it is committed',
  async (_, blocks) => {
    const database = await freshDatabase('postgres');
    const workspaceId = await fill(database, 2 * BLOCK_FILES);
    const indexer = createIndexer(database);
    await indexer.catchUp();
    await sql`delete from search_blocks where block > ${blocks}`.execute(database.schema);
    const next = await database.read
      .selectFrom('files')
      .selectAll()
      .orderBy('id')
      .offset(blocks * BLOCK_FILES + 10)
      .limit(1)
      .executeTakeFirstOrThrow();
    const id = next.id.replace('-7000-8000-', '-7000-8001-');
    await database.transaction(async (trx) => {
      const tokens = { direct_token: newToken(), ui_token: newToken() };
      await trx
        .insertInto('files')
        .values({ ...next, ...tokens, id, name_key: 'slow clock' })
        .execute();
      await indexer.catchUp();
    });
    await indexer.catchUp();
    const { files } = await searchFiles(database, [workspaceId], { query: 'slow clock', limit: 5 });
    expect(files.map((file) => file.id)).toEqual([id]);
  },
);
