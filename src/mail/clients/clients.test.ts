import { beforeEach, describe, expect, test } from 'bun:test';
import { freshDatabase, isLockAwaited } from '../../../test/harness/database.ts';
import { until } from '../../../test/harness/until.ts';
import { digestOf } from '../../kernel/crypto/digest.ts';
import { createVault } from '../../kernel/crypto/vault.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import { type ClientSettings, clientDefaults } from './client-settings.ts';
import { type Clients, createClients } from './clients.ts';

const SETTINGS: ClientSettings = { ...clientDefaults, name: 'Shop', services: ['email'] };

// SQLite runs one transaction at a time.
describe('changes of clients at the same time', () => {
  let database: Database;
  let clients: Clients;
  beforeEach(async () => {
    database = await freshDatabase('postgres');
    const vault = createVault(Buffer.alloc(32, 1));
    clients = createClients({ database, vault, clock: { now: () => 1_800_000_000_000 } });
  });

  const add = () => database.transaction((trx) => clients.add(trx, SETTINGS, {}));

  /** Returns the results of two changes, or the codes of their errors, the second of which waits for the first. */
  async function beside<First, Second>(
    first: (trx: Transaction) => Promise<First>,
    second: (trx: Transaction) => Promise<Second>,
  ): Promise<[First, Second]> {
    let later: Promise<Second> | undefined;
    const result = await database.transaction(async (trx) => {
      const done = await first(trx);
      later = database.transaction(second).catch((error) => error.code);
      await Promise.race([later, until(() => isLockAwaited(database))]);
      return done;
    });
    return [result, (await later) as Second];
  }

  test('of two clients that are added with one name, the second is refused', async () => {
    const [, code] = await beside(
      (trx) => clients.add(trx, SETTINGS, {}),
      (trx) => clients.add(trx, SETTINGS, {}),
    );
    expect(code as unknown).toBe('name_taken');
  });

  test('both changes of a client are kept', async () => {
    const { clientId } = await add();
    await beside(
      (trx) => clients.change(trx, clientId, { enabled: false }, {}),
      (trx) => clients.change(trx, clientId, { name: 'Store' }, {}),
    );
    expect(await clients.find(clientId)).toMatchObject({ enabled: false, name: 'Store' });
  });

  test('the secrets of two rotations are valid, and no others', async () => {
    const { clientId } = await add();
    const rotations = await beside(
      (trx) => clients.rotate(trx, clientId),
      (trx) => clients.rotate(trx, clientId),
    );
    const newest = rotations.reverse().map(({ clientSecret }) => digestOf(clientSecret));
    expect((await clients.findWithHashes(clientId))?.hashes).toEqual(newest);
    const rows = database.read
      .selectFrom('mail_client_secrets')
      .select('hash')
      .orderBy('date_created', 'desc');
    expect((await rows.execute()).map(({ hash }) => hash)).toEqual(newest);
  });
});

test('the two newest secrets are valid, in any order of the clocks of the nodes', async () => {
  const database = await freshDatabase('sqlite');
  const vault = createVault(Buffer.alloc(32, 1));
  let now = 1_800_000_000_000;
  const clients = createClients({ database, vault, clock: { now: () => now-- } });
  const { clientId } = await database.transaction((trx) => clients.add(trx, SETTINGS, {}));
  const secrets: string[] = [];
  for (let count = 0; count < 4; count++)
    secrets.unshift((await database.transaction((trx) => clients.rotate(trx, clientId))).clientSecret);
  expect((await clients.findWithHashes(clientId))?.hashes).toEqual(secrets.slice(0, 2).map(digestOf));
});
