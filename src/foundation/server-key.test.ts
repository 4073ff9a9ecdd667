import { expect, test } from 'bun:test';
import { freshDatabase } from '../../test/harness/database.ts';
import { createVault, type ServerKeys } from '../kernel/crypto/vault.ts';
import type { Database } from '../kernel/database/database.ts';
import { checkServerKey } from './server-key.ts';

const [first, second, other] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer];

/** Keys that another process has changed since they were read. */
function changedKeys(before: readonly Buffer[], after: readonly Buffer[]): ServerKeys {
  let keys = before;
  const reload = () => {
    keys = after;
    return keys;
  };
  return { current: () => keys, reload };
}

const check = async (database: Database, keys: ServerKeys) =>
  await checkServerKey(database, createVault(keys), keys);

test('the key of a database is checked with the keys after a rotation, too', async () => {
  const database = await freshDatabase('sqlite');
  await check(database, changedKeys([second], [second]));
  // Read before the rotation that recorded the second key.
  await check(database, changedKeys([first], [second, first]));
  await expect(check(database, changedKeys([first], [other, first]))).rejects.toThrow('another server key');
});
