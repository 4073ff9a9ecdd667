import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ChannelType } from 'discord-api-types/v10';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { sendChat } from './harness/chat.ts';
import { sendJson } from './harness/json.ts';
import { type Posthouse, signInAdmin, startPosthouse } from './harness/posthouse.ts';
import { type DiscordStandIn, startDiscord } from './stand-ins/discord.ts';

const NOWHERE = '00000000-0000-7000-8000-000000000000';
const BASE = '/api/admin/chat';

interface Answer {
  status: number;
  body: {
    id: string;
    name: string;
    code: string;
    relayKey?: string;
    pause: null | { reason: string };
    errors: { path: string }[];
    [field: string]: unknown;
  };
  text: string;
}

describe.each(BACKENDS)('chat administration on %s', (backend) => {
  let discord: DiscordStandIn;
  let posthouse: Posthouse;
  let admin: Record<string, string>;

  beforeAll(async () => {
    discord = await startDiscord();
    posthouse = await startPosthouse({
      ...(await freshSettings(backend)),
      POSTHOUSE_DISCORD_API_URL: discord.url,
    });
    admin = (await signInAdmin(posthouse)).headers;
  });
  afterAll(async () => {
    await posthouse.stop();
    await discord.stop();
  });

  async function call(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await sendJson(posthouse, method, `${BASE}${path}`, body, admin);
    const text = await answer.text();
    return { status: answer.status, body: text ? JSON.parse(text) : {}, text };
  }

  test('reports missing clients, guilds and channels', async () => {
    const name = { name: 'x', platformId: '1' };
    expect((await call('PATCH', `/clients/${NOWHERE}`, {})).body.code).toBe('unknown_client');
    expect((await call('DELETE', `/clients/${NOWHERE}`)).body.code).toBe('unknown_client');
    expect((await call('GET', `/clients/${NOWHERE}/platform`)).body.code).toBe('unknown_client');
    expect((await call('POST', `/clients/${NOWHERE}/import`, {})).body.code).toBe('unknown_client');
    expect((await call('GET', `/clients/${NOWHERE}/guilds`)).body.code).toBe('unknown_client');
    expect((await call('POST', `/clients/${NOWHERE}/guilds`, name)).body.code).toBe('unknown_client');
    expect((await call('PATCH', `/guilds/${NOWHERE}`, {})).body.code).toBe('unknown_guild');
    expect((await call('DELETE', `/guilds/${NOWHERE}`)).body.code).toBe('unknown_guild');
    expect((await call('GET', `/guilds/${NOWHERE}/channels`)).body.code).toBe('unknown_guild');
    expect((await call('POST', `/guilds/${NOWHERE}/channels`, name)).body.code).toBe('unknown_guild');
    for (const [method, path] of [
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/check'],
      ['POST', '/test'],
    ] as const) {
      expect(
        (await call(method, `/channels/${NOWHERE}${path}`, method === 'DELETE' ? undefined : {})).body.code,
      ).toBe('unknown_channel');
      expect(
        (await call(method, `/channels/nonsense${path}`, method === 'DELETE' ? undefined : {})).body.code,
      ).toBe('not_found');
    }
  });

  test('rejects invalid bodies and names the field', async () => {
    const path = async (method: string, where: string, body: object) => {
      const answer = await call(method, where, body);
      return [answer.status, answer.body.errors?.[0]?.path];
    };
    const { body: client } = await call('POST', '/clients', { name: 'bodies' });
    expect(await path('POST', '/clients', {})).toEqual([400, 'name']);
    expect(await path('POST', '/clients', { name: 'x', platform: 'irc' })).toEqual([400, 'platform']);
    expect(await path('POST', '/clients', { name: 'x', token: 'a\r\nb' })).toEqual([400, 'token']);
    expect(await path('PATCH', `/clients/${client.id}`, { paused: true })).toEqual([400, 'paused']);
    expect(await path('PATCH', `/clients/${client.id}`, { enabled: 'yes' })).toEqual([400, 'enabled']);
    expect(await path('POST', `/clients/${client.id}/guilds`, { name: 'x', platformId: 'abc' })).toEqual([
      400,
      'platformId',
    ]);
    expect(await path('POST', `/clients/${client.id}/import`, { channelIds: 'all' })).toEqual([
      400,
      'channelIds',
    ]);
    expect((await call('GET', `/clients/${client.id}/platform`)).body.errors?.[0]?.path).toBe('token');
  });

  test('creates, changes and deletes clients, guilds and channels', async () => {
    expect(await call('POST', '/clients', { name: 'made', token: 'wrong.token' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'token' }] },
    });
    const { id: applicationId, token } = discord.world.addBot();
    const made = await call('POST', '/clients', { name: 'made', token, relayKey: true });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      name: 'made',
      hasToken: true,
      hasRelayKey: true,
      inviteUrl: expect.stringContaining(`client_id=${applicationId}&`),
      sandbox: false,
      enabled: true,
      pause: null,
      tokenChecked: true,
    });
    const isCheck = (_method: string, path: string) => path.endsWith('/users/@me');
    discord.script({ kind: 'status', status: 503, body: 'away' }, 1, isCheck);
    const unchecked = await call('PATCH', `/clients/${made.body.id}`, { token });
    expect(unchecked.body).toMatchObject({ hasToken: true, tokenChecked: false });
    expect((await call('PATCH', `/clients/${made.body.id}`, { name: 'made' })).body).not.toHaveProperty(
      'tokenChecked',
    );
    expect(made.body.relayKey?.length).toBeGreaterThan(20);
    expect((await call('POST', '/clients', { name: 'MADE' })).body.code).toBe('name_taken');
    const { id } = made.body;
    const guild = await call('POST', `/clients/${id}/guilds`, { platformId: '11', name: 'guild' });
    const channel = await call('POST', `/guilds/${guild.body.id}/channels`, {
      platformId: '22',
      name: 'channel',
    });
    expect([guild.status, channel.status]).toEqual([201, 201]);
    expect(
      (await call('POST', `/guilds/${guild.body.id}/channels`, { platformId: '22', name: 'again' })).body
        .code,
    ).toBe('name_taken');
    const renamed = await call('PATCH', `/clients/${id}`, { name: 'renamed', token: null, relayKey: null });
    expect(renamed.body).toMatchObject({
      name: 'renamed',
      hasToken: false,
      hasRelayKey: false,
      inviteUrl: null,
      sandbox: true,
    });
    const target = { clientId: 'renamed', guildId: '11', channelId: '22' };
    expect((await sendChat(posthouse, { ...target, message: 'x' })).sandbox).toBe(true);
    await call('PATCH', `/guilds/${guild.body.id}`, { enabled: false, name: 'closed' });
    expect((await call('GET', `/clients/${id}/guilds`)).body).toMatchObject([
      { name: 'closed', enabled: false },
    ] as never);
    expect((await sendChat(posthouse, { ...target, message: 'y' })).code).toBe('target_disabled');
    expect((await call('DELETE', `/clients/${id}`)).status).toBe(204);
    expect((await sendChat(posthouse, { ...target, message: 'z' })).code).toBe('unknown_client');
    expect((await call('GET', `/guilds/${guild.body.id}/channels`)).body.code).toBe('unknown_guild');
    for (const { text } of [made, renamed, await call('GET', '/clients')])
      expect(text).not.toContain('canary.token');
  });

  test('imports guilds and channels from the platform', async () => {
    const bot = discord.world.addBot();
    const guild = discord.world.addGuild([bot]);
    const [one, two] = [discord.world.addChannel(guild), discord.world.addChannel(guild)];
    discord.world.addChannel(guild, { type: ChannelType.GuildCategory });
    const { body: client } = await call('POST', '/clients', { name: 'importing', token: bot.token });
    const seen = await call('GET', `/clients/${client.id}/platform`);
    expect(seen.body as unknown).toEqual([
      {
        platformId: guild.id,
        name: guild.name,
        channels: [one, two].map(({ id, name }) => ({ platformId: id, name })),
      },
    ]);
    expect(
      (await call('POST', `/clients/${client.id}/import`, { channelIds: [one.id] })).body as unknown,
    ).toEqual({
      guilds: 1,
      channels: 1,
    });
    expect((await call('POST', `/clients/${client.id}/import`, {})).body as unknown).toEqual({
      guilds: 0,
      channels: 1,
    });
    expect((await call('POST', `/clients/${client.id}/import`, {})).body as unknown).toEqual({
      guilds: 0,
      channels: 0,
    });
    discord.world.bots.delete(bot.token);
    expect((await call('GET', `/clients/${client.id}/platform`)).body).toMatchObject({
      code: 'platform_rejected',
    });
  });

  test('sends a test message to a channel', async () => {
    const bot = discord.world.addBot();
    const guild = discord.world.addGuild([bot]);
    const place = discord.world.addChannel(guild);
    const { body: client } = await call('POST', '/clients', { name: 'trying', token: bot.token });
    await call('POST', `/clients/${client.id}/import`, {});
    const [{ id: guildId }] = (await call('GET', `/clients/${client.id}/guilds`)).body as unknown as [
      { id: string },
    ];
    const [{ id }] = (await call('GET', `/guilds/${guildId}/channels`)).body as unknown as [{ id: string }];
    expect((await call('POST', `/channels/${id}/check`)).body).toMatchObject({ canSend: true, reason: null });
    for (const message of ['Hello', 'Hello']) {
      expect((await call('POST', `/channels/${id}/test`, { message })).body).toMatchObject({
        status: 'sent',
      });
    }
    expect(discord.world.messagesIn(place.id)).toHaveLength(2);
    expect((await call('POST', `/channels/${id}/test`, { message: 5 })).status).toBe(400);
    await call('PATCH', `/channels/${id}`, { enabled: false });
    expect((await call('POST', `/channels/${id}/test`, {})).body.code).toBe('target_disabled');
  });
});
