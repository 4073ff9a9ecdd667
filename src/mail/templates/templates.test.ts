import { beforeEach, describe, expect, test } from 'bun:test';
import { freshDatabase, isLockAwaited } from '../../../test/harness/database.ts';
import { until } from '../../../test/harness/until.ts';
import type { Database } from '../../kernel/database/database.ts';
import { createTemplates, type Templates } from './templates.ts';

const DRAFT = { subject: 'Hello', html: null, text: 'Hello', sample: {} };

// SQLite runs one transaction at a time.
describe('versions of a template that are saved at the same time', () => {
  let database: Database;
  let templates: Templates;
  beforeEach(async () => {
    database = await freshDatabase('postgres');
    templates = createTemplates({ database, clock: { now: () => 1_800_000_000_000 } });
  });

  /** Returns the result of a change that waits for the transaction of another one. */
  async function changeBeside(change: 'create' | 'save'): Promise<unknown> {
    let saved: Promise<unknown> | undefined;
    await database.transaction(async (trx) => {
      await templates.save(trx, 'welcome', DRAFT);
      saved = database
        .transaction((other): Promise<unknown> => templates[change](other, 'Welcome', DRAFT))
        .catch((error) => error.code);
      await until(() => isLockAwaited(database));
    });
    return await saved;
  }

  test('are numbered one after the other', async () => {
    expect(await changeBeside('save')).toBe(2);
    expect(await changeBeside('save')).toBe(4);
    expect((await templates.versions('welcome')).map(({ version }) => version)).toEqual([4, 3, 2, 1]);
  });

  test('are refused when the template must be new', async () => {
    expect(await changeBeside('create')).toBe('name_taken');
  });

  test('begin again when the template is deleted', async () => {
    await database.transaction((trx) => templates.save(trx, 'welcome', DRAFT));
    let saved: Promise<unknown> | undefined;
    await database.transaction(async (trx) => {
      await templates.remove(trx, 'welcome');
      saved = database.transaction((other) => templates.save(other, 'welcome', DRAFT)).catch(String);
      await until(() => isLockAwaited(database));
    });
    expect(await saved).toBe(1);
    expect(await templates.versions('welcome')).toMatchObject([{ version: 1 }]);
  });
});
