import { expect, test } from 'bun:test';
import { freshLocation, openAt } from '../../test/harness/database.ts';
import { migrate } from '../kernel/database/migrate.ts';
import { migrations } from './schema.ts';

test('migrations of kind “expand” keep the tables that older programs read and write', async () => {
  const database = openAt(await freshLocation('sqlite'));
  const ordered = [...migrations].sort((a, b) => (a.name < b.name ? -1 : 1));
  const tablesNow = async () =>
    new Map((await database.schema.introspection.getTables()).map(({ name, columns }) => [name, columns]));
  let before = await tablesNow();
  for (const [index, { kind }] of ordered.entries()) {
    await migrate(database, ordered.slice(0, index + 1));
    const after = await tablesNow();
    if (kind === 'expand') {
      for (const [table, columns] of before) {
        const now = after.get(table) ?? [];
        expect(now).toEqual(expect.arrayContaining(columns));
        const added = now.filter(({ name }) => !columns.some((column) => column.name === name));
        expect(added.filter(({ isNullable, hasDefaultValue }) => !isNullable && !hasDefaultValue)).toEqual(
          [],
        );
      }
    }
    before = after;
  }
});
