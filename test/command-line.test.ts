import { beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { runCommandLine } from '../src/commands/run.ts';
import { COMMANDS } from '../src/main.ts';
import { freshDirectory } from './harness/backends.ts';
import { openAt } from './harness/database.ts';
import { startProcess } from './harness/posthouse.ts';
import { MAIN } from './harness/process.ts';

/** Runs the command line in this process. */
async function run(...words: string[]) {
  let [stdout, stderr] = ['', ''];
  const ok = await runCommandLine(COMMANDS, words, {
    writeOut(text) {
      stdout += text;
    },
    writeErr(text) {
      stderr += text;
    },
  });
  return { ok, stdout, stderr };
}

/** The object on the one line of standard output. */
function objectIn({ stdout, stderr }: { stdout: string; stderr: string }): Record<string, unknown> {
  expect(stdout).toMatch(/^\{.*\}\n$/);
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Record<string, unknown>;
}

const dataDir = join(freshDirectory(), 'data');
const backup = join(freshDirectory(), 'backup');
const TOKEN_ID = 'TOKEN_ID';
const LINK_ID = '019e0000-0000-7000-8000-000000000001';

const CONTACT =
  '--contact-to a@example.org --origins https://www.example.org --redirect-url https://www.example.org/thanks';

/** Every command, in an order in which it succeeds, with the fields of its output. */
const SUCCESSES: [line: string, fields: string[]][] = [
  ['user add --email ada@example.org --password correct-horse', ['id', 'email', 'role']],
  ['user list', ['users']],
  ['user set-password --email ada@example.org --password battery-staple', ['id', 'email', 'role']],
  ['user set-role --email ada@example.org --role admin', ['id', 'email', 'role']],
  ['token add --email ada@example.org --name script', ['id', 'token']],
  ['token list --email ada@example.org', ['tokens']],
  [`token revoke --id ${TOKEN_ID}`, ['id']],
  ['user add --email bob@example.org --password correct-horse', ['id', 'email', 'role']],
  ['user disable --email bob@example.org', ['id', 'email', 'role']],
  ['user enable --email bob@example.org', ['id', 'email', 'role']],
  ['mail-client add --name shop --services email', ['ClientId', 'ClientSecret']],
  [
    `mail-client add --name site --services contact,email --with-contact ${CONTACT}`,
    ['ClientId', 'ClientSecret'],
  ],
  ['mail-client list', ['clients']],
  ['mail-client rotate --name shop', ['ClientId', 'ClientSecret']],
  ['mail-client disable --name shop', ['ClientId', 'enabled']],
  ['mail-client enable --name shop', ['ClientId', 'enabled']],
  ['chat-client add --name relay', ['id', 'name', 'platform', 'sandbox']],
  ['chat-client list', ['clients']],
  ['chat-guild add --client relay --platform-id 11111111 --name team', ['id', 'platformId', 'name']],
  ['chat-guild list', ['guilds']],
  ['chat-channel add --guild team --platform-id 22222222 --name ops', ['id', 'platformId', 'name']],
  ['chat-channel list', ['channels']],
  ['workspace add --name team --manager ada@example.org', ['id', 'name', 'rootFolderId']],
  ['workspace list', ['workspaces']],
  ['workspace member add --workspace team --email bob@example.org', ['id', 'name', 'email']],
  ['workspace member list --workspace team', ['members']],
  ['workspace member remove --workspace team --email bob@example.org', ['id', 'name', 'email']],
  ['link list', ['links']],
  [`link revoke --id ${LINK_ID}`, ['id']],
  ['key rotate', ['keys', 'values', 'unreadable']],
  ['check', ['files', 'missing', 'corrupt', 'orphaned']],
  [`backup ${backup}`, ['files', 'bytes']],
  [`restore ${backup} --data-dir ${join(freshDirectory(), 'restored')}`, ['files', 'bytes']],
  ['doctor', ['ok', 'parts']],
];

/** Adds a link to a workspace. */
async function addLink(workspaceId: string): Promise<void> {
  const database = openAt(join(dataDir, 'posthouse.sqlite'));
  const link = {
    id: LINK_ID,
    workspace_id: workspaceId,
    token: LINK_ID,
    folder_id: null,
    access: 'view',
  } as const;
  await database.transaction((trx) =>
    trx
      .insertInto('links')
      .values({ ...link, date_created: 0 })
      .execute(),
  );
}

/** `user add` of `user add --email …`. */
function nameOf(line: string): string {
  return line.split(/ (?=--|\/|$)/)[0] ?? '';
}

async function allCommands(): Promise<string[]> {
  const commands = await Promise.all(
    Object.entries(COMMANDS).map(async ([name, { about, load }]) =>
      namesBelow(name, (await load()).defineCommand(about)),
    ),
  );
  return commands.flat();
}

/** Returns the names of the commands of a group at any depth; of a command, its own name. */
function namesBelow(name: string, { commands }: Pick<CommandUnknownOpts, 'commands'>): string[] {
  if (commands.length === 0) return [name];
  return commands.flatMap((command) => namesBelow(`${name} ${command.name()}`, command));
}

describe('with --json', () => {
  test('every command has its row in this table', async () => {
    const tested = new Set(SUCCESSES.map(([line]) => nameOf(line)));
    expect((await allCommands()).filter((name) => !tested.has(name))).toEqual(['serve']);
  });

  test('a command prints one object with its fields', async () => {
    let tokenId = '';
    for (const [line, fields] of SUCCESSES) {
      const words = line.replace(TOKEN_ID, tokenId).split(' ');
      const { length } = nameOf(line).split(' ');
      const result = await run(
        ...words.slice(0, length),
        '--data-dir',
        dataDir,
        ...words.slice(length),
        '--json',
      );
      const answer = objectIn(result);
      expect({ line, ok: result.ok, answer }).toMatchObject({ line, ok: true, answer: {} });
      expect(Object.keys(answer)).toEqual(expect.arrayContaining(fields));
      if (line.startsWith('token add')) tokenId = String(answer.id);
      if (line.startsWith('workspace add')) await addLink(String(answer.id));
    }
  });

  test('serve prints its addresses once it is ready', async () => {
    const posthouse = await startProcess(
      { POSTHOUSE_DATA_DIR: freshDirectory(), POSTHOUSE_LOG_LEVEL: 'silent' },
      '--json',
    );
    expect(JSON.parse(posthouse.output())).toEqual({
      url: posthouse.url,
      setupLink: expect.stringContaining('/setup/'),
    });
    expect(await posthouse.stop()).toBe(0);
  });
});

describe('with --json, an error is one object', () => {
  let names: string[] = [];
  beforeAll(async () => {
    names = await allCommands();
  });

  test('for an unknown option of any command', async () => {
    for (const name of [...names, ...Object.keys(COMMANDS)]) {
      const result = await run(...name.split(' '), '--json', '--no-such-option');
      expect(result.ok).toBe(false);
      expect(objectIn(result)).toEqual({ error: { code: 'usage_error', detail: expect.any(String) } });
    }
  });

  test('for wrong settings of any command', async () => {
    for (const [line] of SUCCESSES.filter(([row]) => row !== 'doctor')) {
      const words = line.replace(TOKEN_ID, crypto.randomUUID()).split(' ');
      const result = await run(...words, '--json', '--port', 'many', '--host', '?');
      expect(result.ok).toBe(false);
      expect({ line, answer: objectIn(result) }).toEqual({
        line,
        answer: {
          error: {
            code: 'settings_error',
            detail:
              'PORT must be a whole number from 0 to 65535, not “many”. HOST must be an IP address or a host name, not “?”.',
          },
        },
      });
    }
  });

  test.each([
    ['serv', 'usage_error', "Unknown command 'serv'."],
    ['user', 'usage_error', 'A subcommand is missing.'],
    ['--data-dir x user list', 'usage_error', "Options must follow the command 'user'."],
    ['--json key rotate', 'usage_error', "Options must follow the command 'key'."],
    ['user --json add --email x', 'usage_error', "Options must follow the command 'add'."],
    ['workspace member --role=editor add', 'usage_error', "Options must follow the command 'add'."],
    ['user ad', 'usage_error', "Unknown command 'ad' (Did you mean add?)."],
    ['user add', 'usage_error', "Required option '--email <address>' not specified."],
    ['user add --email x --password long-enough', 'usage_error', '--email must be an e-mail address.'],
    ['check now', 'usage_error', "Too many arguments for 'check'. Expected 0 arguments but got 1."],
    ['restore', 'usage_error', "Missing required argument 'directory'."],
    ['mail-client add --name site', 'usage_error', "Required option '--services <list>' not specified."],
    [
      'mail-client add --name site --services contact,email',
      'usage_error',
      expect.stringMatching(
        /^--services must not combine contact with another service, .* --with-contact\.$/,
      ),
    ],
    [
      'mail-client add --name form --services contact',
      'invalid_request',
      '--contact-to must have at least one address, which receives the contact messages.',
    ],
    [
      'mail-client add --name form --services contact --contact-to a@example.org --redirect-url https://evil.example/',
      'invalid_request',
      '--redirect-url must be a page on one of the allowed origins.',
    ],
    [
      'mail-client add --name form --services contact --contact-to a@example.org --contact-language fr',
      'usage_error',
      '--contact-language must be one of en, de.',
    ],
    ['mail-client disable --name none', 'not_found', expect.stringContaining('named “none”')],
    [
      'mail-client add --name shop --services email',
      'name_taken',
      'A mail client named “shop” already exists.',
    ],
    [
      'chat-guild list --client none',
      'unknown_client',
      'There is no chat client with this name or id. “posthouse chat-client list” lists the clients.',
    ],
    [
      'chat-channel list --guild none',
      'unknown_guild',
      'There is no guild with this name or id. “posthouse chat-guild list” lists the guilds.',
    ],
    [
      'chat-guild add --client relay --platform-id 11111111 --name again',
      'name_taken',
      'A guild with this platform id already exists.',
    ],
    [
      'chat-channel add --guild team --platform-id 22222222 --name again',
      'name_taken',
      'A channel with this platform id already exists.',
    ],
    [
      'token add --email ada@example.org --workspace team --name both',
      'usage_error',
      'Exactly one of --email and --workspace is required.',
    ],
    ['link revoke --id a --url b', 'usage_error', 'Exactly one of --id and --url is required.'],
    [
      `restore ${backup}-none --data-dir ${dataDir}-none`,
      'command_failed',
      `there is no directory ${backup}-none`,
    ],
    [
      'user list --data-dir=',
      'usage_error',
      '--data-dir is empty. Omit it to use POSTHOUSE_DATA_DIR or the default.',
    ],
    ['user list --data-dir /dev/null/data', 'command_failed', expect.stringContaining('/dev/null')],
  ])('%s: %s', async (line, code, detail) => {
    const words = line.split(' ');
    const where = words.length > 2 && !line.includes('--data-dir') ? ['--data-dir', dataDir] : [];
    const result = await run(...words, ...where, '--json');
    expect(result.ok).toBe(false);
    expect(objectIn(result)).toEqual({ error: { code, detail } });
  });
});

describe('without --json', () => {
  test('errors are on standard error', async () => {
    const { ok, stdout, stderr } = await run('user', 'add');
    expect({ ok, stdout }).toEqual({ ok: false, stdout: '' });
    expect(stderr).toBe(
      "error: required option '--email <address>' not specified\n(See posthouse user add --help)\n",
    );
  });

  test('help lists every command with its description, and is there for each', async () => {
    const { ok, stdout } = await run('--help');
    expect(ok).toBe(true);
    for (const [name, { about }] of Object.entries(COMMANDS)) {
      expect(stdout).toMatch(new RegExp(`^  ${name} +${about.slice(0, 40)}`.replace(/[()]/g, '\\$&'), 'm'));
      for (const words of [
        [name, '--help'],
        ['help', name],
      ]) {
        const help = await run(...words);
        expect(help.ok).toBe(true);
        expect(help.stdout).toContain(`Usage: posthouse ${name} `);
      }
    }
  });

  test('help of a subcommand is that of the subcommand', async () => {
    for (const line of [
      'help workspace member add',
      'workspace help member add',
      'workspace member add -h',
    ]) {
      const { ok, stdout } = await run(...line.split(' '));
      expect([ok, stdout]).toEqual([true, expect.stringContaining('Usage: posthouse workspace member add ')]);
    }
    for (const line of ['help user nope', 'user help nope', 'user nope --help']) {
      const { ok, stdout, stderr } = await run(...line.split(' '));
      expect({ ok, stdout }).toEqual({ ok: false, stdout: '' });
      expect(stderr).toBe("error: unknown command 'nope'\n(See posthouse user --help)\n");
    }
  });
});

test('a command ends as usual when the reader of its output has exited', async () => {
  const words = [process.execPath, MAIN, 'serve', '--help'];
  const child = Bun.spawn(['sh', '-c', '{ "$@"; echo "status $?" >&2; } | true', 'sh', ...words], {
    stdout: 'ignore',
    stderr: 'pipe',
  });
  expect(await new Response(child.stderr).text()).toBe('status 0\n');
});
