import { beforeAll, describe, expect, test } from 'bun:test';
import { createClients } from '../src/mail/clients/clients.ts';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { foundationOf } from './harness/foundation.ts';
import { pipeInto, runCommand, runJson, spawnCommand } from './harness/posthouse.ts';

describe.each(BACKENDS)('the commands for accounts and tokens on %s', (backend) => {
  let settings: Record<string, string>;
  beforeAll(async () => {
    settings = await freshSettings(backend);
  });

  test('create and list accounts and tokens, as one JSON object each', async () => {
    const ada = await runJson<{ id: string }>(
      settings,
      'user',
      'add',
      '--email',
      'Ada@example.org',
      '--password',
      'correct horse',
      '--admin',
    );
    expect(ada).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: 'ada@example.org',
      role: 'admin',
    } as never);
    const token = await runJson<{ id: string; token: string }>(
      settings,
      'token',
      'add',
      '--email',
      'ADA@example.org',
      '--name',
      'backup',
      '--days',
      '7',
    );
    expect(Object.keys(token)).toEqual(['id', 'token']);

    const { users } = await runJson<{ users: object[] }>(settings, 'user', 'list');
    expect(users).toEqual([expect.objectContaining({ ...ada, disabled: false, invited: false })]);
    const { tokens } = await runJson<{ tokens: object[] }>(
      settings,
      'token',
      'list',
      '--email',
      'ada@example.org',
    );
    expect(tokens).toEqual([
      expect.objectContaining({ id: token.id, name: 'backup', scope: 'write', dateUsed: null }),
    ]);
    expect(await runJson<object>(settings, 'token', 'revoke', '--id', token.id)).toEqual({ id: token.id });
    expect(await runJson<object>(settings, 'token', 'list', '--email', 'ada@example.org')).toEqual({
      tokens: [],
    });
    expect(await runJson<object>(settings, 'user', 'disable', '--email', 'ada@example.org')).toEqual(ada);
  });

  test.each([
    [['user', 'add', '--email', 'ada', '--password', 'correct horse'], '--email must be an e-mail address.'],
    [
      ['user', 'add', '--email', 'b@example.org', '--password', 'short'],
      '--password must have at least 8 characters.',
    ],
    [
      ['user', 'add', '--email', 'ada@example.org', '--password', 'correct horse'],
      'An account with this address already exists.',
    ],
    [['user', 'add', '--password', 'correct horse'], "required option '--email <address>' not specified"],
    [['user', 'set-role', '--email', 'ada@example.org', '--role', 'king'], '--role must be admin or user.'],
    [
      ['token', 'add', '--email', 'nobody@example.org', '--name', 'x'],
      'There is no account with the address nobody@example.org.',
    ],
    [['token', 'add', '--email', 'ada@example.org', '--name', 'x'], 'ada@example.org is disabled.'],
    [
      ['token', 'add', '--email', 'ada@example.org', '--name', 'x', '--scope', 'all'],
      '--scope must be read or write.',
    ],
    [
      ['token', 'add', '--email', 'ada@example.org', '--name', 'x', '--days', 'many'],
      '--days must be a whole number.',
    ],
    [['token', 'revoke', '--id', 'x'], '--id must be an id'],
  ])('refuse %j with a sentence', async (words, sentence) => {
    const { status, stdout, stderr } = await runCommand(settings, ...words);
    expect(stderr).toContain(sentence);
    expect([status, stdout]).toEqual([1, '']);
  });

  test('read a password from standard input', async () => {
    const words = ['user', 'add', '--email', 'grace@example.org'];
    const { status, stderr } = await spawnCommand(settings, ...words);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr:
        '--password is missing: pass it as one line of standard input, or as the value of the option.\n',
    });
    expect((await spawnCommand(settings, ...words)).status).toBe(1);
  });
});

test('secrets are read from standard input', async () => {
  const settings = await freshSettings('sqlite+local');
  const read = async (input: string, line: string) => {
    const { status, stdout } = await pipeInto(settings, input, [...line.split(' '), '--json']);
    return [status, JSON.parse(stdout).error?.detail ?? null];
  };
  const addUser = 'user add --email ada@example.org --password';
  expect(await read('short\n', `${addUser} -`)).toEqual([1, expect.stringContaining('--password must')]);
  expect(await read('\n', `${addUser} -`)).toEqual([1, '--password is empty.']);
  expect(await read('', `${addUser} -`)).toEqual([
    1,
    '--password is missing: pass it as one line of standard input, or as the value of the option.',
  ]);
  expect(await read('a good password\nmore', `${addUser} -`)).toEqual([0, null]);
  expect(await read('another good one\n', 'user set-password --email ada@example.org')).toEqual([0, null]);
  const addClient = 'mail-client add --name bot --services telegram --telegram-token';
  expect(await read('100000001:a-token\n', `${addClient} -`)).toEqual([0, null]);
  const { database, vault, clock } = await foundationOf(settings);
  const clients = createClients({ database, vault, clock });
  const [client] = await clients.list();
  expect(await clients.telegramToken(client?.id ?? '')).toBe('100000001:a-token');
});
