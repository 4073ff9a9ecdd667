import { expect, test } from 'bun:test';
import { freshDatabase, isLockAwaited } from '../../../test/harness/database.ts';
import { until } from '../../../test/harness/until.ts';
import { createVault } from '../../kernel/crypto/vault.ts';
import { type ClientSettings, clientDefaults } from './client-settings.ts';
import { createClients } from './clients.ts';

// SQLite runs one transaction at a time.
test('of two clients that are added with one name at the same time, the second is refused', async () => {
  const database = await freshDatabase('postgres');
  const vault = createVault(Buffer.alloc(32, 1));
  const clients = createClients({ database, vault, clock: { now: () => 1_800_000_000_000 } });
  const settings: ClientSettings = { ...clientDefaults, name: 'Shop', services: ['email'] };
  let code: Promise<unknown> | undefined;
  await database.transaction(async (trx) => {
    await clients.add(trx, settings, {});
    code = database.transaction((other) => clients.add(other, settings, {})).catch((error) => error.code);
    await until(() => isLockAwaited(database));
  });
  expect(await code).toBe('name_taken');
});
