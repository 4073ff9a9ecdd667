import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { SEALED } from '../src/foundation/sealed.ts';
import { resealAfterChange } from '../src/foundation/server-key.ts';
import { createClients } from '../src/mail/clients/clients.ts';
import { freshDirectory, freshSettings } from './harness/backends.ts';
import { filesOf } from './harness/files.ts';
import { foundationOf } from './harness/foundation.ts';
import { addMailClient } from './harness/mail.ts';
import { addPerson, type Posthouse, runCommand, runJson, startPosthouse } from './harness/posthouse.ts';

interface Rotated {
  keys: string[];
  values: number;
  unreadable: number;
}

const rotate = (settings: Record<string, string>) => runJson<Rotated>(settings, 'key', 'rotate');

/** Returns the ids of the keys of all stored secrets. */
async function keysInUse(settings: Record<string, string>): Promise<string[]> {
  const { database } = await foundationOf(settings);
  const ids = new Set<string>();
  for (const { table, column, only } of SEALED) {
    const { rows } = await sql<{ value: string }>`
      select ${sql.ref(column)} as value from ${sql.table(table)}
      where ${sql.ref(column)} is not null ${only === undefined ? sql`` : sql`and name = ${only}`}`.execute(
      database.read,
    );
    for (const { value } of rows) ids.add(value.split('.')[0] ?? '');
  }
  return [...ids];
}

/** Creates a stored secret of each kind that a command or a request can create. */
async function fill(posthouse: Posthouse) {
  const { settings } = posthouse;
  const { headers } = await addPerson(settings, 'ada@example.org');
  const files = filesOf(posthouse, headers);
  const keyed = async (text: string) =>
    files.change((await files.upload(text)).id, { visibility: 1, accessKey: true });
  const file = await keyed('kept');
  await runJson(settings, 'chat-client', 'add', '--name', 'bot', '--token', 'a.bot.token');
  const add = (name: string) =>
    addMailClient(
      settings,
      name,
      '--services',
      'telegram',
      `--telegram-token=100000${name}:token-of-${name}`,
    );
  return { files, keyed, file, clients: [await add('1'), await add('2')] };
}

describe('posthouse key rotate', () => {
  test('seals everything with a new key while the server runs', async () => {
    const posthouse = await startPosthouse(await freshSettings('sqlite+local'));
    const { settings } = posthouse;
    const keyFile = join(settings.POSTHOUSE_DATA_DIR ?? '', 'secret.key');
    const lines = () => readFileSync(keyFile, 'utf8').trim().split('\n');
    const { files, keyed, file } = await fill(posthouse);
    const [original] = lines();
    const [before] = await keysInUse(settings);

    const first = await rotate(settings);
    expect(first).toMatchObject({ keys: [expect.any(String), before], unreadable: 0 });
    expect(first.values).toBeGreaterThanOrEqual(4);
    expect(lines()).toEqual([expect.any(String), original]);
    expect(await keysInUse(settings)).toEqual([first.keys[0] ?? '']);
    // The running server opens them, and seals with the new key.
    expect((await files.metadata(file.id)).accessKeyPlain).toBe(file.accessKeyPlain ?? '');
    await keyed('new');
    expect(await keysInUse(settings)).toEqual([first.keys[0] ?? '']);

    const second = await rotate(settings);
    expect(second.keys).toEqual([expect.any(String), first.keys[0]]);
    expect(lines()).not.toContain(original);
    const backup = join(freshDirectory(), 'backup');
    await runJson(settings, 'backup', backup);
    expect(readFileSync(join(backup, 'secret.key'), 'utf8').trim().split('\n')).toEqual(lines());
    await posthouse.stop();

    const restored = { POSTHOUSE_DATA_DIR: join(freshDirectory(), 'data') };
    await runJson(restored, 'restore', backup);
    const again = await startPosthouse(restored);
    const path = `/api/storage/public/media/${file.directToken}?accessKey=${file.accessKeyPlain}`;
    expect(await (await again.fetch(path)).text()).toBe('kept');
    await again.stop();
  });

  test('prints the number of values', async () => {
    const settings = await freshSettings('sqlite+local');
    await runCommand(settings, 'chat-client', 'add', '--name', 'relay', '--token', 'canary.bot.token');
    expect((await runCommand(settings, 'key', 'rotate')).stdout).toMatch(/^Encrypted 1 value with the key /);
  });

  test('seals everything with the first key of POSTHOUSE_SECRET, in two steps for several nodes', async () => {
    const [older, newer] = ['older-key-0123456789-0123456789-abc', 'newer-key-9876543210-9876543210-xyz'];
    const installation = await freshSettings('postgres+s3');
    const withKeys = (...keys: string[]) => ({ ...installation, POSTHOUSE_SECRET: keys.join(',') });
    const node = await startPosthouse(withKeys(older));
    const { file } = await fill(node);
    const refused = await runCommand(withKeys(older), 'key', 'rotate');
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('(OLD,NEW)')]);
    await node.stop();

    const other = await startPosthouse(withKeys(older, newer));
    const [old] = await keysInUse(withKeys(older));
    const { keys } = await rotate(withKeys(newer, older));
    expect(keys.slice(0, 2)).toEqual([expect.any(String), old]);
    expect(await keysInUse(withKeys(older, newer))).toEqual([keys[0] ?? '']);
    const path = `/api/storage/public/media/${file.directToken}?accessKey=${file.accessKeyPlain}`;
    expect((await other.fetch(path)).status).toBe(200);
    await other.stop();

    const alone = await startPosthouse(withKeys(newer));
    expect((await alone.fetch(path)).status).toBe(200);
    await alone.stop();
    await expect(startPosthouse(withKeys(older))).rejects.toThrow('another server key');
  });
});

describe('a stored secret', () => {
  test('does not open in another row', async () => {
    const posthouse = await startPosthouse(await freshSettings('sqlite+local'));
    const { clients, files, file, keyed } = await fill(posthouse);
    const { database, vault, clock } = await foundationOf(posthouse.settings);
    const [one, two] = clients.map(({ ClientId }) => ClientId);
    const copy = (table: string, column: string, from = '', to = '') =>
      database.transaction((trx) =>
        sql`update ${sql.table(table)} set ${sql.ref(column)} =
          (select ${sql.ref(column)} from ${sql.table(table)} where id = ${from}) where id = ${to}`.execute(
          trx,
        ),
      );
    await copy('mail_clients', 'telegram_token', one, two);
    const tokens = createClients({ database, vault, clock });
    expect(await tokens.telegramToken(one ?? '')).toBe('1000001:token-of-1');
    await expect(tokens.telegramToken(two ?? '')).rejects.toThrow();
    const another = await keyed('another');
    await copy('files', 'access_key', file.id, another.id);
    expect((await files.get(`/api/storage/files/${another.id}/metadata`)).status).toBe(500);
    await posthouse.stop();
  });

  test('is sealed again within an hour when the newest key has changed', async () => {
    const posthouse = await startPosthouse(await freshSettings('sqlite+local'));
    await fill(posthouse);
    await posthouse.stop();
    const { database, vault } = await foundationOf(posthouse.settings);
    // As in an installation of an earlier version.
    await database.transaction(async (trx) => {
      const mark = vault.sign('server key', 'mark');
      await trx.updateTable('facts').set({ value: mark }).where('name', '=', 'server_key').execute();
      await sql`update files set access_key = 'damaged' where access_key is not null`.execute(trx);
    });
    await resealAfterChange(database, vault);
    const facts = database.read.selectFrom('facts').select('value').where('name', '=', 'server_key');
    expect((await facts.executeTakeFirst())?.value).toBe(vault.keyIds()[0] ?? '');
  });
});
