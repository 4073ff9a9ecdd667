import { describe, expect, test } from 'bun:test';
import { InsertQueryNode, type KyselyPlugin, sql, ValuesNode } from 'kysely';
import { DATABASES, freshDatabase } from '../../../test/harness/database.ts';
import { MB } from '../bytes.ts';
import { load } from './load.ts';

describe.each(DATABASES)('loading rows on %s', (kind) => {
  test('inserts few long rows at once, of texts and of bytes', async () => {
    const database = await freshDatabase(kind);
    const inserted: number[] = [];
    const counting: KyselyPlugin = {
      transformQuery({ node }) {
        if (InsertQueryNode.is(node) && node.values && ValuesNode.is(node.values))
          inserted.push(node.values.values.length);
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const bytes = new Uint8Array(MB).fill(7);
    async function* mails(number: number) {
      for (let index = 0; index < number; index++) yield { id: `mail ${index}`, mime: bytes, keep_until: 1 };
    }
    async function* facts(number: number) {
      for (let index = 0; index < number; index++) yield { name: `fact ${index}`, value: 'x'.repeat(MB) };
    }
    async function* tables() {
      yield { table: 'mail_contents', rows: mails(12) };
      yield { table: 'facts', rows: facts(12) };
    }
    await load({ ...database, schema: database.schema.withPlugin(counting) }, tables(), ['migrations']);
    expect(inserted.reduce((sum, rows) => sum + rows)).toBe(24);
    expect(Math.max(...inserted)).toBeLessThan(6);
    const first = database.read.selectFrom('mail_contents').select('mime').where('id', '=', 'mail 0');
    expect(new Uint8Array((await first.executeTakeFirstOrThrow()).mime)).toEqual(bytes);
  });
});

test('runs no triggers of PostgreSQL while it fills tables, and all afterwards', async () => {
  const database = await freshDatabase('postgres');
  const { schema } = database;
  await sql`create function refuse() returns trigger language plpgsql as 'begin raise exception $$refused$$; end'`.execute(
    schema,
  );
  await sql`create trigger facts_refused before insert on facts for each row execute function refuse()`.execute(
    schema,
  );
  async function* facts() {
    yield { name: 'one', value: '1' };
  }
  async function* tables() {
    yield { table: 'facts', rows: facts() };
  }
  await load(database, tables(), ['migrations']);
  const again = sql`insert into facts (name, value) values ('two', '2')`.execute(schema);
  await expect(again).rejects.toThrow('refused');
});
