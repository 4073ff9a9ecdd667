import { describe, expect, test } from 'bun:test';
import { SETTINGS } from '../src/config/settings.ts';
import { freshDirectory } from './harness/backends.ts';
import { spawnCommand, startProcess } from './harness/posthouse.ts';

describe('wrong settings', () => {
  test('are all reported, one sentence each, and nothing starts', async () => {
    const { status, stdout, stderr } = await spawnCommand(
      {
        PORT: 'many',
        POSTHOUSE_DATA_DIR: freshDirectory(),
        POSTHOUSE_DATABASE_URL: 'mysql://user:hunter2hunter2@db/posthouse',
        POSTHOUSE_SMTP_URL: 'smtp://user:hunter2hunter2@mail.example.org',
        POSTHOUSE_SECRET: 'hunter2hunter2',
      },
      'serve',
    );
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr.trim().split('\n')).toEqual([
      'Invalid settings:',
      '  - PORT must be a whole number from 0 to 65535, not “many”.',
      '  - POSTHOUSE_DATABASE_URL must be an address that begins with postgres:// or postgresql://.',
      '  - POSTHOUSE_SECRET must have at least 32 characters.',
      '  - POSTHOUSE_SMTP_URL is set without POSTHOUSE_MAIL_FROM: e-mails need a sender.',
    ]);
  });

  test('an unknown flag is rejected with a reference to the help', async () => {
    const { status, stderr } = await spawnCommand({}, 'serve', '--prot', '4000');
    expect(status).toBe(1);
    expect(stderr).toContain("unknown option '--prot'");
    expect(stderr).toContain('posthouse serve --help');
  });

  test.each([
    [['serv', '--port', '4000'], "error: unknown command 'serv'\n(See posthouse --help)"],
    [['user', 'ad'], '(Did you mean add?)\n(See posthouse user --help)'],
  ])('%p is rejected with a reference to the help', async (words, sentence) => {
    const { status, stdout, stderr } = await spawnCommand({}, ...words);
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain(sentence);
  });

  test('a probably misspelled name causes a warning', async () => {
    const posthouse = await startProcess({
      POSTHOUSE_DATA_DIR: freshDirectory(),
      POSTHOUSE_SMPT_URL: 'smtp://hunter2@mail',
    });
    expect(posthouse.output()).toContain('POSTHOUSE_SMPT_URL is not a setting; POSTHOUSE_SMTP_URL is.');
    expect(posthouse.output()).not.toContain('hunter2');
    expect(await posthouse.stop()).toBe(0);
  });

  test.each([
    [
      'an address that is taken',
      { PORT: 'taken' },
      /^posthouse: Port \d+ on 127\.0\.0\.1 is in use by another program: choose another with --port\.$/,
    ],
    [
      'a database that does not respond',
      { POSTHOUSE_DATABASE_URL: 'postgres://user:hunter2hunter2@127.0.0.1:1/none' },
      /^posthouse: The database cannot be used: connect ECONNREFUSED .* Check POSTHOUSE_DATABASE_URL or POSTHOUSE_DATA_DIR, or run/,
    ],
    [
      'a data directory that cannot be created',
      { POSTHOUSE_DATA_DIR: '/dev/null/data' },
      /^posthouse: Cannot create POSTHOUSE_DATA_DIR \/dev\/null\/data: set it to a directory that this user can create \(E.+\)$/,
    ],
  ])('%s is reported in one line', async (_, settings: Record<string, string>, sentence) => {
    using taken = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('') });
    const { status, stderr } = await spawnCommand(
      { POSTHOUSE_DATA_DIR: freshDirectory(), ...settings, PORT: settings.PORT ? String(taken.port) : '0' },
      'serve',
    );
    expect(status).toBe(1);
    expect(stderr.trim()).toMatch(sentence);
    expect(stderr).not.toContain('hunter2');
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('help', () => {
  test('of serve lists every setting with its default and its meaning', async () => {
    const { status, stdout } = await spawnCommand({}, 'serve', '--help');
    expect(status).toBe(0);
    const flowing = stdout.replace(/\s+/g, ' ');
    for (const { name, flag, about, default: value } of SETTINGS) {
      expect(flowing).toContain(`--${flag} ${name} ${about}. Default: ${value ?? 'none'}`);
    }
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(110);
  });
});

test('a flag takes precedence over the environment', async () => {
  const [fromFlag, fromEnvironment] = [freshDirectory(), freshDirectory()];
  await spawnCommand({ POSTHOUSE_DATA_DIR: fromEnvironment }, 'user', 'list', '--data-dir', fromFlag);
  expect(await Bun.file(`${fromFlag}/posthouse.sqlite`).exists()).toBe(true);
  expect(await Bun.file(`${fromEnvironment}/posthouse.sqlite`).exists()).toBe(false);
});
