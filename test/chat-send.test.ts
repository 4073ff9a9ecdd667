import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import {
  addChatRig,
  addSandboxTarget,
  type ChatChannel,
  type ChatRig,
  sendChat,
  untilStatus,
} from './harness/chat.ts';
import { postJson } from './harness/json.ts';
import { type Posthouse, runCommand, runJson, startPosthouse } from './harness/posthouse.ts';
import { refusal } from './harness/refusal.ts';
import { type DiscordStandIn, startDiscord, UNLIMITED } from './stand-ins/discord.ts';

const NOWHERE = '00000000-0000-7000-8000-000000000000';

describe.each(BACKENDS)('chat messages on %s', (backend) => {
  let discord: DiscordStandIn;
  let settings: Record<string, string>;
  let posthouse: Posthouse;
  let rig: ChatRig;
  let ops: ChatChannel;

  beforeAll(async () => {
    discord = await startDiscord({ limits: UNLIMITED });
    settings = {
      ...(await freshSettings(backend)),
      POSTHOUSE_DISCORD_API_URL: discord.url,
      POSTHOUSE_CORS_ORIGINS: 'https://app.example',
    };
    posthouse = await startPosthouse(settings);
    rig = await addChatRig(settings, discord);
    ops = await rig.addChannel();
  });
  afterAll(async () => {
    await posthouse.stop();
    await discord.stop();
  });

  const send = (body: object, headers?: Record<string, string>) =>
    sendChat(posthouse, { ...ops.target, ...body }, headers);
  const inOps = () => discord.world.messagesIn(ops.channel.id);

  test('delivers a message and responds with its address', async () => {
    const { http, ...answer } = await send({
      title: 'Deploy',
      message: 'Version 7 is out',
      level: 'success',
      url: 'https://example.org/7',
      fields: [{ name: 'by', value: 'me', inline: true }],
      unknown: 'ignored',
    });
    const message = inOps().at(-1);
    expect(http).toBe(200);
    expect(answer).toMatchObject({
      status: 'sent',
      platformMessageId: message?.id ?? '',
      url: `${new URL(discord.url).origin}/channels/${rig.guild.id}/${ops.channel.id}/${message?.id}`,
    });
    expect(answer.sandbox).toBeUndefined();
    expect(message?.body.embeds).toMatchObject([
      {
        title: 'Deploy',
        description: 'Version 7 is out',
        color: 0x2ecc71,
        url: 'https://example.org/7',
        fields: [{ name: 'by', value: 'me', inline: true }],
      },
    ]);
    const status = await posthouse.fetch(`/api/chatbot/messages/${answer.id}`);
    expect(await status.json()).toEqual({
      id: answer.id,
      status: 'sent',
      attempts: 1,
      dateCreated: expect.any(String),
    });
  });

  test('mentions nobody', async () => {
    await send({ message: 'Hey @everyone, @here, <@123> and <@&456>' });
    expect(inOps().at(-1)?.body.allowed_mentions).toEqual({ parse: [] });
    expect(inOps().at(-1)?.pings).toEqual([]);
  });

  test('finds client, guild and channel by name, platform id and GUID', async () => {
    const ids = { clientId: rig.client.id.toUpperCase(), guildId: rig.guildId, channelId: ops.id };
    expect((await send({ ...ids, message: 'by our ids' })).http).toBe(200);
    expect(
      (await send({ clientId: rig.client.name.toUpperCase(), message: 'by name, whatever its case' })).http,
    ).toBe(200);
  });

  test('splits long text into numbered segments, in order and complete', async () => {
    const channel = await rig.addChannel();
    const message = Array.from({ length: 900 }, (_, line) => `line ${line} 😀`).join('\n');
    const { http } = await send({ ...channel.target, title: 'Log', message });
    expect(http).toBe(200);
    const embeds = discord.world
      .messagesIn(channel.channel.id)
      .map(({ body }) => (body.embeds as { description: string; footer: { text: string } }[])[0]);
    expect(embeds.length).toBeGreaterThan(2);
    expect(embeds.map((embed) => embed?.footer.text)).toEqual(
      embeds.map((_, index) => `${index + 1}/${embeds.length}`),
    );
    expect(embeds.map((embed) => embed?.description).join('')).toBe(message);
  });

  test('keeps the order of concurrent messages in a channel', async () => {
    const channel = await rig.addChannel();
    const answers = [];
    for (let index = 0; index < 30; index++)
      answers.push(
        await send({ ...channel.target, message: `number ${index}` }, { Prefer: 'respond-async' }),
      );
    expect(answers.map(({ http }) => http)).toEqual(answers.map(() => 202));
    await Promise.all(answers.map(({ id }) => untilStatus(posthouse, id, 'sent')));
    const texts = discord.world
      .messagesIn(channel.channel.id)
      .map(({ body }) => (body.embeds as { description: string }[])[0]?.description);
    expect(texts).toEqual(answers.map((_, index) => `number ${index}`));
  });

  test('sends each post with a different nonce', async () => {
    const nonces = discord.world.messages.map(({ nonce }) => nonce ?? '');
    expect(new Set(nonces).size).toBe(nonces.length);
    expect(nonces.every((nonce) => nonce.length > 20 && nonce.length <= 25)).toBe(true);
    expect(discord.world.messages.every(({ body }) => body.enforce_nonce === true)).toBe(true);
  });

  describe('rejects invalid bodies and names the field', () => {
    const good = { clientId: 'x', guildId: '1', channelId: '2', message: 'm' };
    test.each([
      [{ ...good, clientId: undefined }, 'clientId'],
      [{ ...good, guildId: 5 }, 'guildId'],
      [{ ...good, channelId: '' }, 'channelId'],
      [{ ...good, channelId: 'a\u0000b' }, 'channelId'],
      [{ ...good, message: '' }, 'message'],
      [{ ...good, message: ' \n ' }, 'message'],
      [{ ...good, message: null }, 'message'],
      [{ ...good, title: 7 }, 'title'],
      [{ ...good, level: 'fatal' }, 'level'],
      [{ ...good, url: 'javascript:alert(1)' }, 'url'],
      [{ ...good, url: 'https://x.org/\ud800' }, 'url'],
      [{ ...good, fields: [{ name: 'n', value: 'v'.repeat(1025) }] }, 'fields.0.value'],
      [{ ...good, fields: [{ name: 'n'.repeat(257), value: 'v' }] }, 'fields.0.name'],
      [{ ...good, fields: Array.from({ length: 26 }, () => ({ name: 'n', value: 'v' })) }, 'fields'],
      [{ ...good, fields: [{ name: 'n' }] }, 'fields.0.value'],
      [{ ...good, dedupeKey: ' ' }, 'dedupeKey'],
    ])('%j', async (body, path) => {
      const { http, code, errors } = await sendChat(posthouse, body);
      expect([http, code, errors?.[0]?.path]).toEqual([400, 'invalid_request', path]);
    });

    test('rejects invalid JSON, another media type and too large a body or URL', async () => {
      expect((await sendChat(posthouse, '{"clientId":')).http).toBe(400);
      expect((await sendChat(posthouse, '[]')).http).toBe(400);
      const form = await posthouse.fetch('/api/chatbot/sendmessage', {
        method: 'POST',
        body: new URLSearchParams(good),
      });
      expect(form.status).toBe(415);
      expect((await sendChat(posthouse, { ...good, message: 'x'.repeat(1_100_000) })).http).toBe(413);
      const url = `https://x.org/${'ü'.repeat(1_000)}`;
      expect((await sendChat(posthouse, { ...good, url })).errors?.[0]?.path).toBe('url');
      const long = await send({ message: 'x' }, { 'Idempotency-Key': 'k'.repeat(256) });
      expect([long.http, long.errors?.[0]?.path]).toEqual([400, 'Idempotency-Key']);
    });
  });

  test('rejects unknown targets', async () => {
    const codes = async (body: object) => {
      const [sent, asked] = await Promise.all([
        send({ message: 'x', ...body }),
        postJson(posthouse, '/api/chatbot/canSendMessage', { ...ops.target, ...body }),
      ]);
      return [sent.http, sent.code, asked.status, ((await asked.json()) as { code: string }).code];
    };
    expect(await codes({ clientId: 'nobody' })).toEqual([404, 'unknown_client', 404, 'unknown_client']);
    expect(await codes({ guildId: '1' })).toEqual([404, 'unknown_guild', 404, 'unknown_guild']);
    expect(await codes({ channelId: '1' })).toEqual([404, 'unknown_channel', 404, 'unknown_channel']);
    const other = await addChatRig(settings, discord);
    expect(await codes({ guildId: other.guild.id })).toEqual([404, 'unknown_guild', 404, 'unknown_guild']);
  });

  test('reports an unknown message', async () => {
    for (const id of [NOWHERE, 'nonsense']) {
      expect(await refusal(posthouse.fetch(`/api/chatbot/messages/${id}`))).toEqual([404, 'not_found']);
    }
  });

  test('responds to pings', async () => {
    for (const path of ['/api/chatbot/ping', '/Ping/test', '/api/Ping/test']) {
      const answer = await posthouse.fetch(path);
      expect([answer.status, await answer.text()]).toEqual([200, 'Pong']);
      expect(answer.headers.get('Content-Type')).toStartWith('text/plain');
      expect((await posthouse.fetch(path, { method: 'HEAD' })).status).toBe(200);
    }
  });

  describe('idempotency keys', () => {
    test('return the first response to a repeat', async () => {
      const channel = await rig.addChannel();
      const once = () => send({ ...channel.target, message: 'once' }, { 'Idempotency-Key': 'one' });
      const [first, ...more] = await Promise.all([once(), once(), once()]);
      for (const { id } of more) expect(id).toBe(first?.id ?? '');
      const again = await once();
      expect([again.http, again.id, again.platformMessageId]).toEqual([
        200,
        first?.id ?? '',
        first?.platformMessageId ?? '',
      ]);
      expect(discord.world.messagesIn(channel.channel.id)).toHaveLength(1);
    });

    test('compare the text of a URL, and the message has the normalized one', async () => {
      const channel = await rig.addChannel();
      const once = (url: string) =>
        send({ ...channel.target, message: 'm', url }, { 'Idempotency-Key': 'url' });
      const first = await once(' https://x\n.org');
      expect([(await once(' https://x\n.org')).id, (await once('https://x.org/')).http]).toEqual([
        first.id,
        409,
      ]);
      const [message] = discord.world.messagesIn(channel.channel.id);
      expect(message?.body.embeds).toMatchObject([{ url: 'https://x.org/', title: 'https://x.org/' }]);
    });

    test('report a conflict for another body', async () => {
      await send({ message: 'a' }, { 'Idempotency-Key': 'two' });
      const { http, code } = await send({ message: 'b' }, { 'Idempotency-Key': 'two' });
      expect([http, code]).toEqual([409, 'idempotency_conflict']);
    });
  });

  describe('a relay key', () => {
    test('is required if the client has one', async () => {
      const name = 'guarded';
      const client = await runJson<{ id: string; relayKey: string }>(
        settings,
        'chat-client',
        'add',
        '--name',
        name,
        '--relay-key',
      );
      const guild = await runJson<{ id: string }>(
        settings,
        'chat-guild',
        'add',
        '--client',
        name,
        '--platform-id',
        '7',
        '--name',
        'g',
      );
      await runJson(
        settings,
        'chat-channel',
        'add',
        '--guild',
        guild.id,
        '--platform-id',
        '8',
        '--name',
        'c',
      );
      const target = { clientId: client.id, guildId: '7', channelId: '8' };
      for (const headers of [{}, { 'X-Relay-Key': 'wrong' }]) {
        const refused = await sendChat(
          posthouse,
          { ...target, message: 'x' },
          headers as Record<string, string>,
        );
        expect([refused.http, refused.code]).toEqual([401, 'relay_key_required']);
        expect(
          (
            await postJson(
              posthouse,
              '/api/chatbot/canSendMessage',
              target,
              headers as Record<string, string>,
            )
          ).status,
        ).toBe(401);
      }
      expect(
        (await sendChat(posthouse, { ...target, message: 'x' }, { 'X-Relay-Key': client.relayKey })).http,
      ).toBe(200);
    });
  });

  test('allows pages of the configured origins only', async () => {
    const preflight = (origin: string) =>
      posthouse.fetch('/api/chatbot/sendmessage', {
        method: 'OPTIONS',
        headers: {
          Origin: origin,
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'content-type,x-relay-key',
        },
      });
    const allowed = await preflight('https://app.example');
    expect(allowed.headers.get('Access-Control-Allow-Origin')).toBe('https://app.example');
    expect(allowed.headers.get('Access-Control-Allow-Headers')?.toLowerCase()).toContain('x-relay-key');
    expect((await preflight('https://evil.example')).headers.get('Access-Control-Allow-Origin')).toBeNull();
    const refused = await send({ message: '' }, { Origin: 'https://app.example' });
    expect([refused.http, refused.headers.get('Access-Control-Allow-Origin')]).toEqual([
      400,
      'https://app.example',
    ]);
  });

  test('delivers to the sandbox without a token', async () => {
    const before = discord.arrived.length;
    const target = await addSandboxTarget(settings, 'sandboxed');
    const { http, ...answer } = await sendChat(posthouse, { ...target, message: 'would have been sent' });
    expect(http).toBe(200);
    expect(answer).toMatchObject({ status: 'sent', sandbox: true, platformMessageId: null, url: null });
    const queued = await sendChat(posthouse, { ...target, message: 'later' }, { Prefer: 'respond-async' });
    expect(queued).toMatchObject({ http: 202, status: 'queued', sandbox: true });
    expect(discord.arrived.length).toBe(before);
  });

  test('exposes the token in no response or log', async () => {
    const listed = await runCommand(settings, 'chat-client', 'list', '--json');
    expect(`${listed.stdout}${listed.stderr}${posthouse.output()}`).not.toContain(rig.bot.token);
  });
});
