import { beforeAll, describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase } from '../../test/harness/database.ts';
import { SECOND } from '../kernel/clock.ts';
import { createVault } from '../kernel/crypto/vault.ts';
import type { Database } from '../kernel/database/database.ts';
import { createSessions } from './sessions.ts';
import { createTokens } from './tokens.ts';

describe.each(DATABASES)('one account on %s', (kind) => {
  const clock = { at: Date.UTC(2026, 0, 1), now: () => clock.at };
  let database: Database;

  beforeAll(async () => {
    database = await freshDatabase(kind);
    const row = { issuer: 'local', name: 'x', role: 'user', disabled: 0, date_created: 0 } as const;
    const accounts = ['ada', 'bob'].map((id) => ({ ...row, id, subject: id, email: `${id}@example.org` }));
    await database.transaction((trx) => trx.insertInto('accounts').values(accounts).execute());
  });

  test('has at most a hundred sessions; a further one ends the least recently used', async () => {
    const sessions = createSessions({
      database,
      clock,
      vault: createVault(Buffer.alloc(32, 1)),
      issuer: 'local',
    });
    const start = (accountId: string) =>
      database.transaction((trx) => sessions.start(trx, { accountId, userAgent: '' }));
    const started = [await start('bob')];
    for (let session = 0; session < 101; session++) {
      clock.at += SECOND;
      started.push(await start('ada'));
    }
    const found = await Promise.all(started.map(sessions.find));
    expect(found.map((caller) => caller !== null)).toEqual(started.map((_, index) => index !== 1));
  });

  test('has at most a hundred tokens', async () => {
    const tokens = createTokens({ database, clock, issuer: 'local' });
    const create = (accountId: string) =>
      database.transaction((trx) =>
        tokens.create(trx, { accountId, name: 'x', scope: 'read', expiresAt: null }),
      );
    const { id } = await create('ada');
    for (let token = 1; token < 100; token++) await create('ada');
    await expect(create('ada')).rejects.toMatchObject({ code: 'limit_reached' });
    await create('bob');
    await database.transaction((trx) => tokens.revoke(trx, id, 'ada'));
    await create('ada');
  });
});
