import { describe, expect, test } from 'bun:test';
import { freshDatabase, isLockAwaited } from '../../../test/harness/database.ts';
import { until } from '../../../test/harness/until.ts';
import { createVault } from '../../kernel/crypto/vault.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import { createDirectory } from './directory.ts';

const directory = createDirectory({
  vault: createVault(Buffer.alloc(32, 1)),
  clock: { now: () => 1_800_000_000_000 },
});
const client = (name: string) => ({ name, platform: 'discord' as const, token: null, relayKey: false });
const record = (platformId: string) => ({ platformId, name: 'a name' });

/** Returns the code of the error of `second`, which waits for the transaction of `first`. */
async function codeOf(
  database: Database,
  first: (trx: Transaction) => Promise<unknown>,
  second: (trx: Transaction) => Promise<unknown>,
): Promise<unknown> {
  let code: Promise<unknown> | undefined;
  await database.transaction(async (trx) => {
    await first(trx);
    code = database.transaction(second).catch((error) => error.code);
    await until(() => isLockAwaited(database));
  });
  return await code;
}

// SQLite runs one transaction at a time.
describe('changes of the directory at the same time', () => {
  test('two clients with one name', async () => {
    const database = await freshDatabase('postgres');
    const add = (name: string) => (trx: Transaction) => directory.addClient(trx, client(name));
    expect(await codeOf(database, add('Bot'), add('BOT'))).toBe('name_taken');
  });

  test('a guild of a client, and a channel of a guild, that are deleted meanwhile', async () => {
    const database = await freshDatabase('postgres');
    const { client: owner } = await database.transaction((trx) => directory.addClient(trx, client('Bot')));
    const guild = await database.transaction((trx) => directory.addGuild(trx, owner.id, record('1')));
    expect(
      await codeOf(
        database,
        (trx) => directory.remove(trx, 'guild', guild.id),
        (trx) => directory.addChannel(trx, guild.id, record('2')),
      ),
    ).toBe('unknown_guild');
    expect(
      await codeOf(
        database,
        (trx) => directory.remove(trx, 'client', owner.id),
        (trx) => directory.addGuild(trx, owner.id, record('3')),
      ),
    ).toBe('unknown_client');
  });
});
