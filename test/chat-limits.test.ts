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
import { type Posthouse, startPosthouse, startProcess } from './harness/posthouse.ts';
import { until } from './harness/until.ts';
import { type DiscordStandIn, startDiscord, UNLIMITED } from './stand-ins/discord.ts';

const BURST = 5;

/** Each test has its own channel or server, so that all run at the same time. */
describe.each(BACKENDS)('limits and repeats on %s', (backend) => {
  let discord: DiscordStandIn;
  let posthouse: Posthouse;
  let other: Posthouse;
  let rig: ChatRig;

  beforeAll(async () => {
    discord = await startDiscord({ limits: UNLIMITED });
    const settings = {
      ...(await freshSettings(backend)),
      POSTHOUSE_DISCORD_API_URL: discord.url,
      POSTHOUSE_CHAT_BURST: String(BURST),
      POSTHOUSE_CHAT_PER_MINUTE: '1',
    };
    posthouse = await startPosthouse(settings);
    // On PostgreSQL, another node of the same installation.
    other = backend === 'postgres+s3' ? await startPosthouse(settings) : posthouse;
    rig = await addChatRig(settings, discord);
  });
  afterAll(async () => {
    await Promise.all([posthouse, other].map((node) => node.stop()));
    await discord.stop();
  });

  const send = (channel: ChatChannel, body: object, headers?: Record<string, string>, node = posthouse) =>
    sendChat(node, { ...channel.target, ...body }, headers);
  const messagesIn = ({ channel }: ChatChannel) => discord.world.messagesIn(channel.id);
  /** The description that people see, after the last edit. */
  const shown = (channel: ChatChannel) => {
    const message = messagesIn(channel)[0];
    const body = message?.edits.at(-1) ?? message?.body;
    return (body?.embeds as { description: string }[] | undefined)?.[0]?.description;
  };

  test.concurrent('a channel accepts a burst, then responds with Retry-After; other channels are unaffected', async () => {
    const [channel, free] = [await rig.addChannel(), await rig.addChannel()];
    for (let index = 0; index < BURST; index++)
      expect((await send(channel, { message: `number ${index}` })).http).toBe(200);
    const { http, code, headers } = await send(
      channel,
      { message: 'one too many' },
      { 'Idempotency-Key': 'limited' },
    );
    expect([http, code]).toEqual([429, 'rate_limited']);
    expect(Number(headers.get('Retry-After'))).toBeWithin(1, 61);
    expect((await send(free, { message: 'elsewhere' })).http).toBe(200);
    expect((await send(channel, { message: 'number 1' })).folded).toBe(2);
    expect(messagesIn(channel)).toHaveLength(BURST);
  });

  test.concurrent('a restart does not allow a new burst', async () => {
    const settings = {
      ...(await freshSettings(backend)),
      POSTHOUSE_CHAT_BURST: '3',
      POSTHOUSE_CHAT_PER_MINUTE: '1',
    };
    const target = await addSandboxTarget(settings, 'restarted');
    const before = await startProcess(settings);
    for (const message of ['a', 'b', 'c'])
      expect((await sendChat(before, { ...target, message })).http).toBe(200);
    await before.kill();
    const after = await startPosthouse(settings);
    expect((await sendChat(after, { ...target, message: 'd' })).http).toBe(429);
    const metrics = await (await after.fetch('/metrics')).text();
    expect(metrics).toContain('posthouse_outbox_oldest_waiting_seconds');
    await after.stop();
  });

  test.concurrent('every segment of a long message counts', async () => {
    const channel = await rig.addChannel();
    expect((await send(channel, { message: 'word '.repeat(4_000) })).http).toBeOneOf([200, 202]);
    expect((await send(channel, { message: 'no more' })).http).toBe(429);
  });

  test.concurrent('repeats fold into the first message, which shows their number', async () => {
    const channel = await rig.addChannel();
    const first = await send(channel, { title: 'Alarm', message: 'The disk is full' });
    expect(first.folded).toBeUndefined();
    for (let count = 2; count <= 8; count++) {
      const { http, ...repeat } = await send(channel, {
        title: 'Alarm',
        message: 'The disk is full',
        level: 'error',
      });
      expect(http).toBe(200);
      expect(repeat).toMatchObject({
        id: first.id,
        status: 'sent',
        folded: count,
        platformMessageId: first.platformMessageId ?? '',
      });
    }
    await until(() => shown(channel) === 'The disk is full ×8');
    expect(messagesIn(channel)).toHaveLength(1);
    expect(messagesIn(channel)[0]?.edits[0]?.allowed_mentions).toEqual({ parse: [] });
  });

  test.concurrent('another text, title or channel is not a repeat', async () => {
    const [channel, elsewhere] = [await rig.addChannel(), await rig.addChannel()];
    const answers = [
      await send(channel, { message: 'a' }),
      await send(channel, { message: 'b' }),
      await send(channel, { message: 'a', title: 't' }),
      await send(elsewhere, { message: 'a' }),
    ];
    expect(answers.map(({ folded }) => folded)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test.concurrent('messages with the same key are repeats', async () => {
    const channel = await rig.addChannel();
    const first = await send(channel, { message: 'load is 91 %', dedupeKey: 'load' });
    const repeat = await send(channel, { message: 'load is 92 %', dedupeKey: 'load' });
    expect([repeat.id, repeat.folded]).toEqual([first.id, 2]);
    expect((await send(channel, { message: 'load is 91 %', dedupeKey: 'other' })).folded).toBeUndefined();
    await until(() => shown(channel) === 'load is 91 % ×2');
  });

  test.concurrent('of concurrent repeats on all nodes, one is sent and all are counted', async () => {
    const channel = await rig.addChannel();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        send(channel, { message: 'all together' }, {}, index % 2 ? posthouse : other),
      ),
    );
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(answers.map(({ folded = 1 }) => folded).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 40 }, (_, index) => index + 1),
    );
    await until(() => shown(channel) === 'all together ×40');
    expect(messagesIn(channel)).toHaveLength(1);
    // One a second at most.
    expect(messagesIn(channel)[0]?.edits.length).toBeLessThan(20);
  });

  test.concurrent('a repeat with an idempotency key counts once', async () => {
    const channel = await rig.addChannel();
    await send(channel, { message: 'counted' });
    const repeat = () => send(channel, { message: 'counted' }, { 'Idempotency-Key': 'counted' });
    const [once, twice] = [await repeat(), await repeat()];
    expect([once.http, once.folded, twice.folded]).toEqual([200, 2, 2]);
    expect((await send(channel, { message: 'counted' })).folded).toBe(3);
  });

  test.concurrent('repeats do not fold into a message that the platform rejected', async () => {
    const channel = await rig.addChannel();
    discord.script({ kind: 'status', status: 400, body: { message: 'no', code: 50_035 } }, 1, (_, path) =>
      path.includes(channel.channel.id),
    );
    expect((await send(channel, { message: 'again' })).http).toBe(502);
    const again = await send(channel, { message: 'again' });
    expect([again.http, again.folded]).toEqual([200, undefined]);
  });

  test.concurrent('repeats of a queued message are shown when it is sent', async () => {
    const channel = await rig.addChannel();
    let fails = true;
    discord.script(
      { kind: 'status', status: 500 },
      Number.MAX_SAFE_INTEGER,
      (_, path) => fails && path.includes(channel.channel.id),
    );
    const first = await send(channel, { message: 'late' });
    expect(first.http).toBe(202);
    const repeat = await send(channel, { message: 'late' });
    expect(repeat).toMatchObject({ http: 200, id: first.id, status: 'queued', folded: 2 });
    fails = false;
    await untilStatus(posthouse, first.id, 'sent');
    await until(() => shown(channel) === 'late ×2');
  });

  test.concurrent('an edit of a message deleted on the platform pauses nothing', async () => {
    const channel = await rig.addChannel();
    await send(channel, { message: 'deleted' });
    const message = messagesIn(channel)[0];
    discord.world.messages.splice(
      discord.world.messages.findIndex((each) => each.id === message?.id),
      1,
    );
    await send(channel, { message: 'deleted' });
    await until(() =>
      discord.arrived.some(
        ({ method, status, path }) =>
          method === 'PATCH' && status === 404 && path.includes(channel.channel.id),
      ),
    );
    expect((await send(channel, { message: 'goes on' })).http).toBe(200);
  });

  test.concurrent('the limit of an address applies before any lookup', async () => {
    const node = await startPosthouse({
      ...(await freshSettings(backend)),
      POSTHOUSE_CHAT_BURST: '1',
      POSTHOUSE_CHAT_PER_MINUTE: '1',
      POSTHOUSE_TRUSTED_PROXIES: '127.0.0.1',
    });
    const from = (address: string) =>
      postJson(node, '/api/chatbot/sendmessage', 'not even JSON', { 'X-Forwarded-For': address });
    // Far more than the limit, which grows by 50 a minute meanwhile.
    const answers = await Promise.all(Array.from({ length: 200 }, () => from('192.0.2.1')));
    const refused = answers.filter(({ status }) => status === 429).length;
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(200 - refused);
    expect(refused).toBeWithin(1, 151);
    expect((await from('192.0.2.2')).status).toBe(400);
    await node.stop();
  });
});
