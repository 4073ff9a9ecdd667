import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { OverwriteType, PermissionFlagsBits } from 'discord-api-types/v10';
import { freshSettings } from './harness/backends.ts';
import { addChatRig, type ChatChannel, type ChatRig, sendChat } from './harness/chat.ts';
import { jsonOf, postJson } from './harness/json.ts';
import { type Posthouse, signInAdmin, startPosthouse } from './harness/posthouse.ts';
import { type DiscordStandIn, startDiscord } from './stand-ins/discord.ts';

const { ViewChannel, SendMessages } = PermissionFlagsBits;
/** As long as the tokens of spacebarchat/server: a JWT signed with ES512. */
const TOKEN = `eyJhbGciOiJFUzUxMiJ9.${'a'.repeat(255)}.${'-_'.repeat(66)}`.slice(0, 408);

describe('a compatible server', () => {
  let discord: DiscordStandIn;
  let posthouse: Posthouse;
  let rig: ChatRig;
  let admin: { headers: Record<string, string> };

  beforeAll(async () => {
    const limits = { global: { requests: 10_000, windowMs: 1_000 } };
    discord = await startDiscord({ spacebar: true, limits });
    const settings = { ...(await freshSettings()), POSTHOUSE_DISCORD_API_URL: discord.url };
    posthouse = await startPosthouse(settings);
    rig = await addChatRig(settings, discord);
    admin = await signInAdmin(posthouse);
  });
  afterAll(async () => {
    await posthouse.stop();
    await discord.stop();
  });

  const callAdmin = (path: string, body?: object) =>
    jsonOf(posthouse, admin)<object>(body ? 'POST' : 'GET', `/api/admin/chat/${path}`, body);
  const canSend = async ({ target }: ChatChannel) => {
    const answer = await postJson(posthouse, '/api/chatbot/canSendMessage', target);
    return { status: answer.status, ...((await answer.json()) as { reason: string; detail: string }) };
  };
  const check = async ({ id }: ChatChannel) => (await callAdmin(`channels/${id}/check`, {})).body;
  const send = ({ target }: ChatChannel, message: string) => sendChat(posthouse, { ...target, message });
  const denied = (permission: bigint) => ({
    overwrites: [{ id: rig.guild.id, type: OverwriteType.Role, allow: '0', deny: String(permission) }],
  });

  test('takes a token of 408 characters, and states the limit for one that is too long', async () => {
    const bot = discord.world.addBot({ token: TOKEN });
    const guild = discord.world.addGuild([bot]);
    const { id } = discord.world.addChannel(guild);
    const made = await callAdmin('clients', { name: 'jwt', token: TOKEN });
    expect(made.status).toBe(201);
    const { id: clientId } = made.body as { id: string };
    expect((await callAdmin(`clients/${clientId}/import`, {})).body).toEqual({ guilds: 1, channels: 1 });
    const message = { clientId: 'jwt', guildId: guild.id, channelId: id, message: 'by a JWT' };
    expect(await sendChat(posthouse, message)).toMatchObject({ http: 200 });
    expect(await callAdmin('clients', { name: 'longer', token: 'x'.repeat(2_001) })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'token', message: 'must have at most 2000 characters' }] },
    });
  });

  test('links to messages on its own address, and its roles count', async () => {
    const channel = await rig.addChannel(denied(SendMessages));
    expect(await canSend(channel)).toMatchObject({ status: 200, reason: 'missing_send_messages' });
    const open = await rig.addChannel();
    expect(await canSend(open)).toMatchObject({ status: 200, canSend: true });
    const { url, platformMessageId } = await send(open, 'linked');
    const { origin } = new URL(discord.url);
    expect(url).toBe(`${origin}/channels/${rig.guild.id}/${open.channel.id}/${platformMessageId}`);
  });

  test('a missing permission, which it reports with 400, pauses the channel', async () => {
    const channel = await rig.addChannel(denied(ViewChannel | SendMessages));
    const detail = 'You lack permissions to perform that action (VIEW_CHANNEL)';
    expect(await check(channel)).toMatchObject({ reason: 'missing_view_channel' });
    expect(await send(channel, 'one')).toMatchObject({ http: 202, reason: 'missing_send_messages', detail });
    expect(await send(channel, 'two')).toMatchObject({ http: 409, code: 'target_paused' });
    expect(await canSend(channel)).toMatchObject({
      reason: 'target_paused',
      detail: `The channel is paused: ${detail}`,
    });
  });

  test('a 401 for the guild of a bot that was removed does not blame the token', async () => {
    const channel = await rig.addChannel();
    const members = new Map(rig.guild.members);
    rig.guild.members.clear();
    const answer = await check(channel);
    for (const [id, member] of members) rig.guild.members.set(id, member);
    expect(answer).toMatchObject({ reason: 'bot_not_in_guild' });
  });

  const guildPath = () => `/guilds/${rig.guild.id}`;
  test.each([
    ['a page', () => guildPath(), '<html>hello</html>'],
    ['a list', () => guildPath(), []],
    ['null', () => `${guildPath()}/members/${rig.bot.id}`, 'null'],
    ['roles with odd permissions', () => `${guildPath()}/roles`, [{ id: '1', permissions: 'all' }]],
    ['a user without an id', () => '/users/@me', { username: 'x' }],
    ['a user with a long id', () => '/users/@me', { id: '1'.repeat(1_000) }],
  ])('%s in place of a response is reported as such', async (_, path, body) => {
    const channel = await rig.addChannel();
    // The probe of another channel may be the first request.
    discord.script({ kind: 'status', status: 200, body }, 5, (_method, requested) => requested === path());
    const { status, reason, detail } = await canSend(channel);
    discord.clearTroubles();
    expect([status, reason]).toEqual([200, 'platform_incompatible']);
    expect(detail).toContain(`GET ${path()}`);
  });

  test('more guilds than Discord lists at once are not queried one after the other', async () => {
    const body = Array.from({ length: 201 }, (_, id) => ({ id: String(id), name: 'guild' }));
    discord.script({ kind: 'status', status: 200, body }, 1);
    expect(await callAdmin(`clients/${rig.client.id}/platform`)).toMatchObject({
      status: 502,
      body: { code: 'platform_incompatible' },
    });
  });

  test('an odd list of guilds is a clear error of the import', async () => {
    discord.script({ kind: 'status', status: 200, body: [{ name: 'no id' }] }, 1);
    expect(await callAdmin(`clients/${rig.client.id}/platform`)).toMatchObject({
      status: 502,
      body: {
        code: 'platform_incompatible',
        detail:
          'The response to GET /users/@me/guilds differs from Discord’s: “0.id” is missing or has an unexpected value.',
      },
    });
  });

  test('after an unexpected response to a post, the message waits with the reason', async () => {
    const channel = await rig.addChannel();
    discord.script({ kind: 'status', status: 200, body: {} }, 1, (method) => method === 'POST');
    expect(await send(channel, 'odd')).toMatchObject({ http: 202, reason: 'platform_incompatible' });
  });
});
