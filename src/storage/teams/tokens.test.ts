import { expect, test } from 'bun:test';
import { freshDatabase, isLockAwaited } from '../../../test/harness/database.ts';
import { addWorkspace } from '../../../test/harness/storage-rows.ts';
import { until } from '../../../test/harness/until.ts';
import { TOKENS_EACH } from '../../kernel/access-tokens.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { Transaction } from '../../kernel/database/database.ts';
import { createWorkspaceTokens } from './tokens.ts';

// SQLite runs one transaction at a time.
test('tokens that are created at the same time on PostgreSQL do not exceed the limit of their workspace', async () => {
  const database = await freshDatabase('postgres');
  const tokens = createWorkspaceTokens({ database, clock: systemClock });
  const token = { name: 'a name', role: 'viewer' as const, expiresAt: null, createdBy: null };
  const create = (trx: Transaction) => tokens.create(trx, { id: 'w', personal: false }, token);
  await addWorkspace(database, { id: 'w', is_personal: 0 });
  let last: Promise<unknown> | undefined;
  await database.transaction(async (trx) => {
    for (let count = 0; count < TOKENS_EACH; count++) await create(trx);
    last = database.transaction(create).catch((error) => error.code);
    await Promise.race([last, until(() => isLockAwaited(database))]);
  });
  expect(await last).toBe('limit_reached');
  expect(await tokens.list('w')).toHaveLength(TOKENS_EACH);
});
