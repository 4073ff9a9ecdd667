import { expect, test } from 'bun:test';
import { DATABASES, freshDatabase } from '../../test/harness/database.ts';
import { createVault } from '../kernel/crypto/vault.ts';
import { createSetupLink } from './setup-link.ts';

test.each(DATABASES)('nodes that start at the same moment print the same setup link on %s', async (kind) => {
  const database = await freshDatabase(kind);
  const vault = createVault(Buffer.alloc(32, 1));
  const accounts = { hasAdmin: async () => false };
  const nodes = [1, 2, 3].map(() => createSetupLink({ database, accounts, vault }));
  const tokens = await Promise.all(nodes.map((node) => node.token()));
  expect(new Set(tokens).size).toBe(1);
  const [token = ''] = tokens.map(String);
  expect(await Promise.all(nodes.map((node) => node.isValid(token)))).toEqual([true, true, true]);
  // Started again.
  expect(await createSetupLink({ database, accounts, vault }).token()).toBe(token);
  const used = nodes.map((node) => database.transaction((trx) => node.consume(trx, token)));
  expect((await Promise.all(used)).filter(Boolean)).toHaveLength(1);
});
