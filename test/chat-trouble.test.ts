import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { OverwriteType, PermissionFlagsBits } from 'discord-api-types/v10';
import { freshSettings, ONE_BACKEND } from './harness/backends.ts';
import { addChatRig, type ChatChannel, type ChatRig, sendChat, untilStatus } from './harness/chat.ts';
import { jsonOf, postJson } from './harness/json.ts';
import { type Posthouse, signInAdmin, startPosthouse } from './harness/posthouse.ts';
import { until } from './harness/until.ts';
import { type DiscordStandIn, startDiscord, UNLIMITED } from './stand-ins/discord.ts';

describe.each(ONE_BACKEND)('a platform in trouble, on %s', (backend) => {
  let discord: DiscordStandIn;
  let settings: Record<string, string>;
  let posthouse: Posthouse;
  let rig: ChatRig;
  let admin: { headers: Record<string, string> };

  beforeAll(async () => {
    discord = await startDiscord({ limits: UNLIMITED });
    settings = {
      ...(await freshSettings(backend)),
      POSTHOUSE_DISCORD_API_URL: discord.url,
      // The tests poll the states of their messages from one address.
      POSTHOUSE_CHAT_BURST: '100000',
      POSTHOUSE_CHAT_PER_MINUTE: '1000000',
    };
    posthouse = await startPosthouse(settings);
    rig = await addChatRig(settings, discord);
    admin = await signInAdmin(posthouse);
  });
  afterAll(async () => {
    await discord.stop();
    await posthouse.stop();
  });

  const into =
    ({ channel }: ChatChannel) =>
    (_: string, path: string) =>
      path.startsWith(`/channels/${channel.id}/`);
  const arrivedIn = ({ channel }: ChatChannel) =>
    discord.arrived.filter(
      ({ path, method }) => method === 'POST' && path === `/channels/${channel.id}/messages`,
    );
  const textsIn = ({ channel }: ChatChannel) =>
    discord.world
      .messagesIn(channel.id)
      .map(({ body }) => (body.embeds as { description: string }[])[0]?.description);
  const send = (channel: ChatChannel, message: string, headers?: Record<string, string>) =>
    sendChat(posthouse, { ...channel.target, message }, headers);
  const patch = async (path: string, body: object) => {
    const { status } = await jsonOf(posthouse, admin)('PATCH', `/api/admin/chat/${path}`, body);
    expect(status).toBe(200);
  };
  const status = async (id: string) =>
    (await (await posthouse.fetch(`/api/chatbot/messages/${id}`)).json()) as { status: string };

  test.concurrent.each([500, 502, 503])('after %d, the message waits and is delivered', async (code) => {
    const channel = await rig.addChannel();
    discord.script({ kind: 'status', status: code, body: 'upstream trouble' }, 1, into(channel));
    const { http, id, status: said } = await send(channel, 'patience');
    expect([http, said]).toEqual([202, 'queued']);
    expect(await untilStatus(posthouse, id, 'sent')).toMatchObject({ attempts: 2 });
    expect(textsIn(channel)).toEqual(['patience']);
  });

  test.concurrent('after a connection failure before the request, the message is delivered', async () => {
    const channel = await rig.addChannel();
    discord.script({ kind: 'drop' }, 1, into(channel));
    const { id } = await send(channel, 'dropped');
    await untilStatus(posthouse, id, 'sent');
    expect(textsIn(channel)).toEqual(['dropped']);
  });

  test.concurrent('after a connection failure before the response, the message is delivered once', async () => {
    const channel = await rig.addChannel();
    discord.script({ kind: 'dropAfter' }, 1, into(channel));
    const { id } = await send(channel, 'only once');
    await untilStatus(posthouse, id, 'sent');
    expect(arrivedIn(channel)).toHaveLength(2);
    expect(textsIn(channel)).toEqual(['only once']);
  });

  test.concurrent('an error page of a proxy pauses nothing', async () => {
    const channel = await rig.addChannel();
    discord.script({ kind: 'status', status: 403, body: '<html>blocked</html>' }, 1, into(channel));
    const { http, id } = await send(channel, 'through a proxy');
    expect(http).toBe(202);
    await untilStatus(posthouse, id, 'sent');
  });

  test.concurrent('after a 429, sending waits for the exact time and keeps the order', async () => {
    const channel = await rig.addChannel();
    discord.script({ kind: 'limit', refusal: { scope: 'user', retryAfterMs: 2_750 } }, 1, into(channel));
    const first = await send(channel, 'first');
    expect(first.http).toBe(202);
    const second = await send(channel, 'second', { Prefer: 'respond-async' });
    await untilStatus(posthouse, second.id, 'sent');
    const [limited, again] = arrivedIn(channel);
    expect((again?.at ?? 0) - (limited?.at ?? 0)).toBeGreaterThanOrEqual(2_750);
    expect(textsIn(channel)).toEqual(['first', 'second']);
  });

  test('a global limit delays every channel of the bot, but no other bot', async () => {
    const [one, two] = [await rig.addChannel(), await rig.addChannel()];
    const other = await (await addChatRig(settings, discord)).addChannel();
    discord.script({ kind: 'limit', refusal: { scope: 'global', retryAfterMs: 2_500 } }, 1, into(one));
    const first = await send(one, 'one');
    const second = await send(two, 'two', { Prefer: 'respond-async' });
    expect((await send(other, 'another bot')).http).toBe(200);
    await Promise.all([first, second].map(({ id }) => untilStatus(posthouse, id, 'sent')));
    const limitedAt = arrivedIn(one)[0]?.at ?? 0;
    for (const channel of [one, two])
      expect((arrivedIn(channel).at(-1)?.at ?? 0) - limitedAt).toBeGreaterThanOrEqual(2_500);
    expect(arrivedIn(two)).toHaveLength(1);
  });

  test('no request is sent into an empty bucket', async () => {
    const channel = await rig.addChannel();
    discord.limits.messages = { requests: 3, windowMs: 1_500 };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => send(channel, `number ${index}`, { Prefer: 'respond-async' })),
    );
    await Promise.all(answers.map(({ id }) => untilStatus(posthouse, id, 'sent')));
    discord.limits.messages = UNLIMITED.messages;
    expect(arrivedIn(channel).map((each) => each.status)).toEqual(answers.map(() => 200));
    expect(textsIn(channel).toSorted()).toEqual(answers.map((_, index) => `number ${index}`));
  });

  test('a rejection is reported with the platform’s text, and later segments are not sent', async () => {
    const channel = await rig.addChannel();
    discord.script(
      { kind: 'status', status: 400, body: { message: 'Message was blocked by AutoMod', code: 200_000 } },
      1,
      into(channel),
    );
    const { http, code, detail } = await send(channel, 'word '.repeat(2_000), {
      'Idempotency-Key': 'refused',
    });
    expect([http, code, detail]).toEqual([502, 'platform_rejected', 'Message was blocked by AutoMod']);
    expect(arrivedIn(channel)).toHaveLength(1);
    const again = await send(channel, 'word '.repeat(2_000), { 'Idempotency-Key': 'refused' });
    expect([again.http, again.code]).toEqual([502, 'platform_rejected']);
    expect((await send(channel, 'the next one')).http).toBe(200);
  });

  test('an invalid field is named', async () => {
    const channel = await rig.addChannel();
    const errors = {
      embeds: { 0: { url: { _errors: [{ code: 'URL_TYPE_INVALID', message: 'Not a well formed URL.' }] } } },
    };
    discord.script(
      { kind: 'status', status: 400, body: { message: 'Invalid Form Body', code: 50_035, errors } },
      1,
      into(channel),
    );
    expect((await send(channel, 'x')).detail).toBe('Invalid Form Body embeds.0.url: Not a well formed URL.');
  });

  describe('pauses', () => {
    const deny = (channel: ChatChannel, bits: bigint) =>
      channel.channel.overwrites.push({
        id: rig.bot.id,
        type: OverwriteType.Member,
        allow: '0',
        deny: String(bits),
      });

    test('403: pauses only the channel, until an administrator resumes it', async () => {
      const [channel, other] = [await rig.addChannel(), await rig.addChannel()];
      deny(channel, PermissionFlagsBits.SendMessages);
      const before = discord.invalidRequests();
      const first = await send(channel, 'first');
      expect(first.http).toBe(202);
      const refused = await send(channel, 'second');
      expect([refused.http, refused.code]).toEqual([409, 'target_paused']);
      expect(refused.detail).toContain('Missing Permissions');
      const asked = await postJson(posthouse, '/api/chatbot/canSendMessage', channel.target);
      expect(await asked.json()).toMatchObject({ canSend: false, reason: 'target_paused' });
      expect((await send(other, 'not concerned')).http).toBe(200);
      expect((await status(first.id)).status).toBe('queued');
      expect(discord.invalidRequests() - before).toBe(1);
      channel.channel.overwrites = [];
      await patch(`channels/${channel.id}`, { paused: false });
      await untilStatus(posthouse, first.id, 'sent');
      expect((await send(channel, 'third')).http).toBe(200);
      expect(textsIn(channel)).toEqual(['first', 'third']);
    });

    test('404: pauses only the channel', async () => {
      const channel = await rig.addChannel();
      discord.world.channels.delete(channel.channel.id);
      const first = await send(channel, 'first');
      expect(first).toMatchObject({ http: 202, reason: 'channel_not_found', detail: 'Unknown Channel' });
      expect(await status(first.id)).toMatchObject({ reason: 'channel_not_found' });
      expect((await send(channel, 'second')).code).toBe('target_paused');
      expect(arrivedIn(channel)).toHaveLength(1);
    });

    test('401: pauses the client, until it has a new token', async () => {
      const doomed = await addChatRig(settings, discord);
      const [one, two] = [await doomed.addChannel(), await doomed.addChannel()];
      discord.world.bots.delete(doomed.bot.token);
      const first = await send(one, 'first');
      expect(first.http).toBe(202);
      for (const channel of [one, two]) expect((await send(channel, 'more')).code).toBe('target_paused');
      const fresh = discord.world.addBot();
      doomed.guild.members.set(fresh.id, { roles: [], timedOutUntil: null });
      await patch(`clients/${doomed.client.id}`, { token: fresh.token });
      await untilStatus(posthouse, first.id, 'sent');
      expect((await send(two, 'well again')).http).toBe(200);
    });

    test('disabled by an administrator: rejected, and queued messages are sent once it is enabled', async () => {
      const channel = await rig.addChannel();
      discord.script({ kind: 'status', status: 500 }, 1, into(channel));
      const waiting = await send(channel, 'waits');
      await patch(`channels/${channel.id}`, { enabled: false });
      const refused = await send(channel, 'refused');
      expect([refused.http, refused.code]).toEqual([409, 'target_disabled']);
      const asked = await postJson(posthouse, '/api/chatbot/canSendMessage', channel.target);
      expect(await asked.json()).toMatchObject({ canSend: false, reason: 'target_disabled' });
      await patch(`guilds/${rig.guildId}`, { enabled: false });
      await patch(`channels/${channel.id}`, { enabled: true });
      expect((await send(channel, 'refused')).code).toBe('target_disabled');
      await patch(`guilds/${rig.guildId}`, { enabled: true });
      await untilStatus(posthouse, waiting.id, 'sent');
      expect(textsIn(channel)).toEqual(['waits']);
    });
  });

  test('a hanging channel does not delay others', async () => {
    const [slow, quick] = [await rig.addChannel(), await rig.addChannel()];
    discord.script({ kind: 'hang' }, 1, into(slow));
    await send(slow, 'hangs', { Prefer: 'respond-async' });
    await until(() => arrivedIn(slow).length === 1);
    for (let index = 0; index < 20; index++) expect((await send(quick, `quick ${index}`)).http).toBe(200);
    expect(textsIn(slow)).toEqual([]);
  });

  test('the token appears in no log', () => {
    for (const token of discord.world.bots.keys()) expect(posthouse.output()).not.toContain(token);
  });
});
