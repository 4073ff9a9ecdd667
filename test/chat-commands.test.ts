import { beforeAll, describe, expect, test } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { runCommand, runJson } from './harness/posthouse.ts';

const TOKEN = 'canary.bot.token';

describe.each(BACKENDS)('the chat commands on %s', (backend) => {
  let settings: Record<string, string>;
  const json = <Answer>(...words: string[]) => runJson<Answer>(settings, ...words);
  const fails = async (...words: string[]) => {
    const { status, stdout, stderr } = await runCommand(settings, ...words);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).not.toContain('    at ');
    return stderr.trim();
  };
  let client: { id: string; name: string; sandbox: boolean };
  let guild: { id: string; platformId: string };

  beforeAll(async () => {
    settings = await freshSettings(backend);
    client = await json('chat-client', 'add', '--name', 'alerts', '--token', TOKEN);
    guild = await json(
      'chat-guild',
      'add',
      '--client',
      'Alerts',
      '--platform-id',
      '111111111111111111',
      '--name',
      'Team',
    );
  });

  test('create and list a client, a guild and a channel', async () => {
    expect(client).toMatchObject({ name: 'alerts', platform: 'discord', sandbox: false });
    expect(guild).toMatchObject({ name: 'Team', platformId: '111111111111111111', clientId: client.id });
    const channels = [];
    for (const [index, name] of [guild.id, guild.platformId, 'Team'].entries()) {
      const channel = await json<{ id: string }>(
        'chat-channel',
        'add',
        '--guild',
        name,
        '--platform-id',
        `22222222222222222${index}`,
        '--name',
        'ops',
      );
      channels.push(channel.id);
    }
    const listed = await json<{ channels: { id: string }[] }>('chat-channel', 'list', '--guild', guild.id);
    expect(listed.channels.map(({ id }) => id)).toEqual(channels);
    expect(
      (await json<{ guilds: unknown[] }>('chat-guild', 'list', '--client', client.id)).guilds,
    ).toHaveLength(1);
    const { clients } = await json<{ clients: { id: string }[] }>('chat-client', 'list');
    expect(clients).toMatchObject([
      { id: client.id, name: 'alerts', sandbox: false, enabled: true, pause: null },
    ]);
    expect(JSON.stringify(clients)).not.toContain(TOKEN);
  });

  test('print readable text without --json', async () => {
    const { status, stdout } = await runCommand(settings, 'chat-client', 'list');
    expect([status, stdout.includes('alerts'), stdout.startsWith('{')]).toEqual([0, true, false]);
  });

  test('reject names that differ only in case', async () => {
    expect(await fails('chat-client', 'add', '--name', 'ALERTS')).toContain(
      'A chat client named “ALERTS” already exists',
    );
    await fails(
      'chat-guild',
      'add',
      '--client',
      'alerts',
      '--platform-id',
      guild.platformId,
      '--name',
      'again',
    );
  });

  test('report invalid arguments', async () => {
    expect(await fails('chat-client', 'add', '--name', ' ')).toContain('--name must not be empty.');
    expect(await fails('chat-client', 'add', '--name', client.id)).toContain('GUID');
    expect(await fails('chat-client', 'add', '--name', 'x', '--token', 'a\nb')).toContain('--token ');
    expect(await fails('chat-client', 'add', '--name', 'x', '--platform', 'irc')).toContain('discord');
    expect(
      await fails('chat-guild', 'add', '--client', 'nobody', '--platform-id', '1', '--name', 'g'),
    ).toContain('no chat client');
    expect(
      await fails('chat-guild', 'add', '--client', 'alerts', '--platform-id', 'abc', '--name', 'g'),
    ).toContain('--platform-id ');
    expect(
      await fails('chat-channel', 'add', '--guild', '999', '--platform-id', '1', '--name', 'c'),
    ).toContain('no guild');
  });

  test('require --client when several clients have the guild', async () => {
    const other = await json<{ id: string }>(
      'chat-client',
      'add',
      '--name',
      'other',
      '--platform',
      'sandbox',
      '--token',
      TOKEN,
    );
    const theirs = await json<{ id: string }>(
      'chat-guild',
      'add',
      '--client',
      other.id,
      '--platform-id',
      guild.platformId,
      '--name',
      'Team',
    );
    expect(
      await fails('chat-channel', 'add', '--guild', guild.platformId, '--platform-id', '333', '--name', 'c'),
    ).toContain('several');
    const words = ['--guild', guild.platformId, '--client', 'other', '--platform-id', '333', '--name', 'c'];
    expect(await json<{ guildId: string }>('chat-channel', 'add', ...words)).toMatchObject({
      guildId: theirs.id,
    });
  });
});
