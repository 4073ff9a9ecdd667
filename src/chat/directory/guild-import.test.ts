import { expect, test } from 'bun:test';
import { freshDatabase, isLockAwaited } from '../../../test/harness/database.ts';
import { until } from '../../../test/harness/until.ts';
import { createVault } from '../../kernel/crypto/vault.ts';
import type { Transaction } from '../../kernel/database/database.ts';
import { createDirectory } from './directory.ts';
import { createGuildImport } from './guild-import.ts';

// SQLite runs one transaction at a time.
test('of two imports at the same time on PostgreSQL, the second adds nothing', async () => {
  const database = await freshDatabase('postgres');
  const clock = { now: () => 1_800_000_000_000 };
  const directory = createDirectory({ vault: createVault(Buffer.alloc(32, 1)), clock });
  const bots = () => {
    throw new Error('the platform is not queried');
  };
  const { adopt } = createGuildImport({ database, directory, bots });
  const bot = { name: 'Bot', platform: 'discord' as const, token: null, relayKey: false };
  const { client } = await database.transaction((trx) => directory.addClient(trx, bot));
  const guilds = [{ platformId: '1', name: 'guild', channels: [{ platformId: '2', name: 'channel' }] }];
  const add = (trx: Transaction) => adopt(trx, client.id, guilds, null);
  let second: Promise<unknown> | undefined;
  const first = await database.transaction(async (trx) => {
    const added = await add(trx);
    second = database.transaction(add).catch((error) => error.code);
    await Promise.race([second, until(() => isLockAwaited(database))]);
    return added;
  });
  expect([first, await second]).toEqual([
    { guilds: 1, channels: 1 },
    { guilds: 0, channels: 0 },
  ]);
});
