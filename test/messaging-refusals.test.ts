import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { SECOND } from '../src/kernel/clock.ts';
import { freshSettings } from './harness/backends.ts';
import { addChatRig, type ChatRig } from './harness/chat.ts';
import { fetchingDeclared } from './harness/declared.ts';
import { postJson, sendJson } from './harness/json.ts';
import { addFullMailClient, addMailClient, basic, type MailClient } from './harness/mail.ts';
import { type Posthouse, signInAdmin, startPosthouse } from './harness/posthouse.ts';
import { type Refusals, testRefusals } from './harness/refusals.ts';
import { type DiscordStandIn, startDiscord } from './stand-ins/discord.ts';
import { type SmtpStandIn, startSmtpStandIn } from './stand-ins/smtp.ts';
import { startTelegramStandIn, type TelegramStandIn } from './stand-ins/telegram.ts';

const NOWHERE = '01900000-0000-7000-8000-000000000000';
const TOKEN = '1000001:token';
const CHAT_BURST = 2;
const MB = 1_048_576;
/** More than a body must send per second, and a small part of the 1 MB that is left to send. */
const TRICKLED = 16_384;

type Refused = () => Promise<Response>;

describe('refusals of chat and mail', () => {
  let smtp: SmtpStandIn;
  let telegram: TelegramStandIn;
  let discord: DiscordStandIn;
  let posthouse: Posthouse;
  let admin: Record<string, string>;
  let rig: ChatRig;
  let client: MailClient;
  let emailOnly: MailClient;
  let telegramOnly: MailClient;

  beforeAll(async () => {
    smtp = await startSmtpStandIn();
    smtp.refuse('nobody@example.org', { code: 550, text: '5.1.1 no such user' });
    telegram = await startTelegramStandIn({ tokens: [TOKEN], chats: ['77'] });
    discord = await startDiscord();
    const settings = {
      ...(await freshSettings()),
      POSTHOUSE_SMTP_URL: `smtp://${smtp.host}:${smtp.port}?tls=none`,
      POSTHOUSE_MAIL_FROM: 'post@example.org',
      POSTHOUSE_TELEGRAM_TOKEN: TOKEN,
      POSTHOUSE_TELEGRAM_API_URL: telegram.url,
      POSTHOUSE_DISCORD_API_URL: discord.url,
      POSTHOUSE_CHAT_BURST: String(CHAT_BURST),
      POSTHOUSE_CHAT_PER_MINUTE: '1',
      POSTHOUSE_TRUSTED_PROXIES: '127.0.0.1',
    };
    posthouse = await startPosthouse(settings);
    posthouse = { ...posthouse, fetch: await fetchingDeclared(posthouse) };
    admin = (await signInAdmin(posthouse)).headers;
    rig = await addChatRig(settings, discord);
    client = await addFullMailClient(settings, 'nobody@example.org', '--origins', 'https://site.example.org');
    emailOnly = await addMailClient(settings, 'email only', '--services', 'email');
    telegramOnly = await addMailClient(settings, 'telegram only', '--services', 'telegram');
  });
  afterAll(async () => {
    await posthouse.stop();
    await Promise.all([smtp.stop(), telegram.stop(), discord.stop()]);
  });

  let addresses = 0;
  const fresh = () => ({ 'X-Forwarded-For': `198.18.${++addresses >> 8}.${addresses & 255}` });
  const send = (path: string, body: unknown, headers: Record<string, string> = fresh()) =>
    postJson(posthouse, path, body, headers);
  /**
   * Repeats a request until a limit is reached, which may grow meanwhile; several at once, since a slow machine would
   * never reach a limit of requests per second one by one.
   */
  async function untilLimited(request: Refused): Promise<Response> {
    for (;;) {
      const answers = await Promise.all(Array.from({ length: 8 }, request));
      const limited = answers.find(({ status }) => status === 429);
      for (const answer of answers) if (answer !== limited) await answer.body?.cancel();
      if (limited) return limited;
    }
  }

  const repeated = async (path: string, one: object, other: object) => {
    const headers = { ...fresh(), 'Idempotency-Key': crypto.randomUUID() };
    await send(path, one, headers);
    return await send(path, other, headers);
  };

  const mail = () => ({ ...client, To: 'ada@example.org', Subject: 'x', Body: 'x' });
  const telegramMessage = () => ({ ...client, Recipients: '77', Message: 'x' });
  const form = () => ({ ...client, Email: 'visitor@example.org', Message: 'x' });
  const ofClients = (path: string, good: () => object, withoutService: () => MailClient): Refusals => ({
    service_not_allowed: () => send(path, { ...good(), ...withoutService() }),
    too_many_attempts: async () => {
      const address = fresh();
      return await untilLimited(() => send(path, { ...good(), ClientSecret: 'wrong' }, address));
    },
    idempotency_conflict: () =>
      repeated(path, { ...good(), Subject: 'a', Title: 'a' }, { ...good(), Subject: 'b', Title: 'b' }),
  });
  const ofMessages = (method: string): Refusals => ({
    too_many_attempts: async () => {
      const headers = { ...fresh(), ...basic({ ...client, ClientSecret: 'wrong' }) };
      return await untilLimited(() => posthouse.fetch(`/messages/${NOWHERE}`, { method, headers }));
    },
  });

  const SEND = '/api/chatbot/sendmessage';
  const CAN_SEND = '/api/chatbot/canSendMessage';
  const target = async () => (await rig.addChannel()).target;
  const chat = async (more: object = {}) => ({ ...(await target()), message: 'x', ...more });
  const patch = async (path: string, body: object) => {
    expect((await sendJson(posthouse, 'PATCH', `/api/admin/chat/${path}`, body, admin)).status).toBe(200);
  };
  const withRelayKey = async (path: string, headers: Record<string, string> = fresh()) => {
    const named = await (
      await postJson(
        posthouse,
        '/api/admin/chat/clients',
        { name: `guarded ${crypto.randomUUID()}`, relayKey: true },
        admin,
      )
    ).json();
    const { id } = named as { id: string };
    const guild = (await (
      await postJson(posthouse, `/api/admin/chat/clients/${id}/guilds`, { platformId: '1', name: 'g' }, admin)
    ).json()) as {
      id: string;
    };
    await postJson(
      posthouse,
      `/api/admin/chat/guilds/${guild.id}/channels`,
      { platformId: '2', name: 'c' },
      admin,
    );
    return await send(path, { clientId: id, guildId: '1', channelId: '2', message: 'x' }, headers);
  };
  const ofChat = (path: string): Refusals => ({
    relay_key_required: () => withRelayKey(path),
    too_many_attempts: async () => {
      const address = fresh();
      const headers = { ...address, Authorization: 'Bearer wrong' };
      await untilLimited(() => posthouse.fetch('/api/me', { headers }));
      return await withRelayKey(path, { ...address, 'X-Relay-Key': 'wrong' });
    },
    unknown_client: async () => send(path, await chat({ clientId: 'nobody' })),
    unknown_guild: async () => send(path, await chat({ guildId: '9' })),
    unknown_channel: async () => send(path, await chat({ channelId: '9' })),
    rate_limited: async () => {
      const address = fresh();
      return await untilLimited(() => send(path, {}, address));
    },
  });

  const rows: Record<string, Refusals> = {
    'POST /requestemail': {
      ...ofClients('/requestemail', mail, () => telegramOnly),
      body_too_large: () => send('/requestemail', { ...mail(), Body: 'x'.repeat(36 * MB) }),
      invalid_template: () => send('/requestemail', { ...mail(), HtmlTemplate: '{% if %}' }),
      host_not_allowed: () =>
        send('/requestemail', { ...mail(), SmtpConfiguration: { Host: '127.0.0.1', Port: 25 } }),
      platform_rejected: () => send('/requestemail', { ...mail(), To: 'nobody@example.org' }),
      rate_limited: () =>
        whileOthersSendLarge(() =>
          send('/requestemail', { ...mail(), Body: 'x'.repeat(5 * MB), To: 5 }, trickling),
        ),
    },
    'POST /requesttelegram': {
      ...ofClients('/requesttelegram', telegramMessage, () => emailOnly),
      platform_rejected: () => send('/requesttelegram', { ...telegramMessage(), Recipients: '404' }),
    },
    'POST /sendcontactusform': {
      ...ofClients('/sendcontactusform', form, () => emailOnly),
      cross_site_request: () =>
        send('/sendcontactusform', form(), { ...fresh(), Origin: 'https://evil.example.org' }),
      platform_rejected: () => send('/sendcontactusform', form()),
      invalid_template: async () => {
        const endless =
          '{% if message %}{% for a in (1..9999) %}{% for b in (1..9999) %}x{% endfor %}{% endfor %}{% endif %}';
        const path = '/api/admin/mail/templates/contact-form';
        const template = { name: 'contact-form', subject: 'x', html: endless, text: null, sample: {} };
        expect((await sendJson(posthouse, 'PUT', path, template, admin)).status).toBe(200);
        const refused = await send('/sendcontactusform', form());
        expect((await posthouse.fetch(path, { method: 'DELETE', headers: admin })).ok).toBe(true);
        return refused;
      },
      rate_limited: async () => {
        const address = fresh();
        return await untilLimited(() => send('/sendcontactusform', { ...form(), Website: 'x' }, address));
      },
    },
    'GET /messages/{id}': ofMessages('GET'),
    'DELETE /messages/{id}': {
      ...ofMessages('DELETE'),
      not_cancellable: async () => {
        const { Id } = (await (await send('/requestemail', mail())).json()) as { Id: string };
        return await posthouse.fetch(`/messages/${Id}`, { method: 'DELETE', headers: basic(client) });
      },
    },
    [`POST ${SEND}`]: {
      ...ofChat(SEND),
      target_disabled: async () => {
        const channel = await rig.addChannel();
        await patch(`channels/${channel.id}`, { enabled: false });
        return await send(SEND, { ...channel.target, message: 'x' });
      },
      target_paused: async () => {
        const body = await chat();
        discord.script({ kind: 'status', status: 403, body: { message: 'Missing Access', code: 50001 } });
        expect((await send(SEND, body)).status).toBe(202);
        return await send(SEND, { ...body, message: 'y' });
      },
      idempotency_conflict: async () => {
        const body = await chat();
        return await repeated(SEND, body, { ...body, message: 'y' });
      },
      platform_rejected: async () => {
        const body = await chat();
        discord.script({ kind: 'status', status: 400, body: { message: 'Invalid Form Body', code: 50035 } });
        return await send(SEND, body);
      },
    },
    [`POST ${CAN_SEND}`]: ofChat(CAN_SEND),
    'GET /api/chatbot/messages/{id}': {
      rate_limited: async () => {
        const headers = fresh();
        return await untilLimited(() => posthouse.fetch(`/api/chatbot/messages/${NOWHERE}`, { headers }));
      },
    },
  };
  const trickling = { 'X-Forwarded-For': '198.19.0.1' };
  /** Sends a request while others of the same address have sent almost the maximum of bytes. */
  async function whileOthersSendLarge(request: Refused): Promise<Response> {
    const { hostname, port } = new URL(posthouse.url);
    const head = `POST /requestemail HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${trickling['X-Forwarded-For']}\r\nContent-Type: application/json\r\nContent-Length: ${36 * MB}\r\n\r\n`;
    const most = Buffer.alloc(35 * MB, '{');
    const sockets = new Set<Socket>();
    let isOver = false;
    /** Sends again when this one was refused, since the request came before all others had sent theirs. */
    const occupy = () => {
      const socket = connect(Number(port), hostname).on('error', () => {});
      socket.on('close', () => sockets.delete(socket) && !isOver && occupy());
      sockets.add(socket);
      socket.write(head);
      socket.write(most);
    };
    for (let count = 0; count < 4; count++) occupy();
    // A body of which nothing more arrives is refused before the others have arrived on a busy machine.
    const trickle = setInterval(() => {
      for (const socket of sockets) socket.write('{'.repeat(TRICKLED));
    }, SECOND);
    try {
      return await untilLimited(request);
    } finally {
      isOver = true;
      clearInterval(trickle);
      for (const socket of sockets) socket.destroy();
    }
  }

  testRefusals(rows, {
    posthouse: () => posthouse,
    paths: /^\/(?:api\/chatbot|request|sendcontact|messages|mail)/,
  });
});
