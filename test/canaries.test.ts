import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { postJson } from './harness/json.ts';
import { addFullMailClient, basic, type MailClient } from './harness/mail.ts';
import {
  addPerson,
  type Posthouse,
  runCommand,
  signInAdmin,
  spawnCommand,
  startProcess,
} from './harness/posthouse.ts';
import { everythingStored } from './harness/stored.ts';
import { type DiscordStandIn, startDiscord } from './stand-ins/discord.ts';
import { type SmtpStandIn, startSmtpStandIn } from './stand-ins/smtp.ts';
import { startTelegramStandIn, type TelegramStandIn } from './stand-ins/telegram.ts';

const canary = (name: string) => `canary-${name}-${crypto.randomUUID()}`;
const botToken = (id: number) => `${id}:canary${crypto.randomUUID().replaceAll('-', '')}`;

/**
 * Sets a secret in every secret field, then sends messages of every kind that succeed, wait and fail, with peers that
 * repeat the requests in their errors. Afterwards none of the secrets may appear anywhere.
 */
describe.each(BACKENDS)('a secret in every secret field, on %s', (backend) => {
  let smtp: SmtpStandIn;
  let telegram: TelegramStandIn;
  let discord: DiscordStandIn;
  let posthouse: Posthouse;
  let settings: Record<string, string>;
  let admin: Record<string, string>;
  let client: MailClient;
  const answers: string[] = [];
  const ids: string[] = [];
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const dkim = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const secrets: Record<string, string> = {
    POSTHOUSE_SECRET: canary('server-key'),
    POSTHOUSE_SMTP_URL: canary('server-smtp'),
    POSTHOUSE_TELEGRAM_TOKEN: botToken(1_000_001),
    POSTHOUSE_METRICS_TOKEN: canary('metrics'),
    POSTHOUSE_DKIM_KEY: dkim.split('\n')[3] ?? '',
    'the password of an account': canary('password'),
    'the token of a mail client': botToken(1_000_002),
    'the SMTP password of a mail client': canary('client-smtp'),
    'the challenge secret of a mail client': canary('challenge-secret'),
    'SmtpConfiguration.Password': canary('caller-smtp'),
    BotToken: botToken(1_000_003),
    ChallengeToken: canary('challenge-token'),
    'a wrong ClientSecret': canary('guess'),
    'a wrong X-Relay-Key': canary('relay-guess'),
    'a wrong access token': canary('bearer'),
  };
  const secret = (name: string) => secrets[name] ?? '';

  async function note(answer: Response): Promise<Record<string, unknown>> {
    const isEndless = answer.headers.get('Content-Type')?.startsWith('text/event-stream');
    if (isEndless) await answer.body?.cancel();
    const text = isEndless ? '' : await answer.text();
    answers.push(`${JSON.stringify([...answer.headers])}\n${text}`);
    try {
      return JSON.parse(text) as Record<string, unknown>;
    } catch {
      return {};
    }
  }
  async function send(
    path: string,
    body: Record<string, unknown>,
    headers: Record<string, string> = {},
  ): Promise<void> {
    const answer = await note(await postJson(posthouse, path, body, headers));
    const id = answer.Id ?? answer.id;
    if (typeof id === 'string') ids.push(id);
  }
  /** Creates a record; the response may contain a secret that is shown once. */
  async function make(path: string, body: object): Promise<Record<string, string>> {
    const answer = await postJson(posthouse, path, body, admin);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    const made = (await answer.json()) as Record<string, string>;
    ids.push(made.clientId ?? made.id ?? '');
    return made;
  }

  beforeAll(async () => {
    smtp = await startSmtpStandIn({ user: { name: 'posthouse', password: secret('POSTHOUSE_SMTP_URL') } });
    telegram = await startTelegramStandIn({
      tokens: ['POSTHOUSE_TELEGRAM_TOKEN', 'BotToken', 'the token of a mail client'].map(secret),
      chats: ['77'],
    });
    discord = await startDiscord();
    const bot = discord.world.addBot();
    secrets['the token of a chat client'] = bot.token;
    const guild = discord.world.addGuild([bot]);
    const platformIds = [guild.id, discord.world.addChannel(guild).id];
    settings = {
      ...(await freshSettings(backend)),
      POSTHOUSE_SECRET: secret('POSTHOUSE_SECRET'),
      POSTHOUSE_SMTP_URL: `smtp://posthouse:${secret('POSTHOUSE_SMTP_URL')}@${smtp.host}:${smtp.port}?tls=none`,
      POSTHOUSE_MAIL_FROM: 'post@example.org',
      POSTHOUSE_DKIM_DOMAIN: 'example.org',
      POSTHOUSE_DKIM_SELECTOR: 's1',
      POSTHOUSE_DKIM_KEY: dkim,
      POSTHOUSE_TELEGRAM_TOKEN: secret('POSTHOUSE_TELEGRAM_TOKEN'),
      POSTHOUSE_TELEGRAM_API_URL: telegram.url,
      POSTHOUSE_DISCORD_API_URL: discord.url,
      POSTHOUSE_METRICS_TOKEN: secret('POSTHOUSE_METRICS_TOKEN'),
      POSTHOUSE_ALLOW_PRIVATE_HOSTS: 'true',
      POSTHOUSE_LOG_LEVEL: 'trace',
    };
    posthouse = await startProcess(settings);
    admin = (await signInAdmin(posthouse)).headers;
    const person = await addPerson(settings, 'bob@example.org', secret('the password of an account'));
    secrets['an access token'] = person.token;

    client = await addFullMailClient(settings, 'owner@example.org');
    secrets['the ClientSecret'] = client.ClientSecret;
    const own = await make('/api/admin/mail/clients', {
      name: 'with its own',
      services: ['email', 'telegram', 'contact'],
      withContact: true,
      contactTo: ['owner@example.org'],
      telegramToken: secret('the token of a mail client'),
      smtp: {
        host: smtp.host,
        port: smtp.port,
        security: 'none',
        credentials: { username: 'posthouse', password: secret('the SMTP password of a mail client') },
      },
      challengeUrl: `${telegram.url}/nothing/siteverify`,
      challengeSecret: secret('the challenge secret of a mail client'),
    });
    const ownClient = { ClientId: own.clientId, ClientSecret: own.clientSecret };
    const relay = await make('/api/admin/chat/clients', { name: 'relay', token: bot.token, relayKey: true });
    secrets['the X-Relay-Key'] = relay.relayKey ?? '';
    const guildId = (
      await make(`/api/admin/chat/clients/${relay.id}/guilds`, { platformId: platformIds[0], name: 'g' })
    ).id;
    await make(`/api/admin/chat/guilds/${guildId}/channels`, { platformId: platformIds[1], name: 'c' });
    const target = { clientId: 'relay', guildId: platformIds[0], channelId: platformIds[1] };
    const relayKey = { 'X-Relay-Key': secret('the X-Relay-Key') };

    const mail = { To: 'ada@example.org', Subject: 'x', Body: 'a text that is kept' };
    const server = (Port: number, Password: string) => ({
      Host: smtp.host,
      Port,
      Security: 'None',
      Username: 'posthouse',
      Password,
    });
    for (const sender of [client, ownClient, { ...client, ClientSecret: secret('a wrong ClientSecret') }]) {
      await send('/requestemail', { ...sender, ...mail });
      await send('/requesttelegram', { ...sender, Recipients: '77', Message: 'x' });
      await send('/sendcontactusform', {
        ...sender,
        Email: 'v@example.org',
        Message: 'x',
        ChallengeToken: secret('ChallengeToken'),
      });
      await send('/sendcontactusform', {
        ...sender,
        Email: 'v@example.org',
        Message: 'x',
        Website: 'https://spam.example',
        ChallengeToken: secret('ChallengeToken'),
      });
    }
    const callers = { SmtpConfiguration: server(smtp.port, secret('SmtpConfiguration.Password')) };
    await send('/requestemail', { ...client, ...mail, ...callers }, { 'Idempotency-Key': 'k' });
    await send('/requestemail', {
      ...client,
      ...mail,
      SmtpConfiguration: server(1, secret('SmtpConfiguration.Password')),
    });
    await send('/requestemail', {
      ...client,
      ...mail,
      SmtpConfiguration: { Password: secret('SmtpConfiguration.Password') },
    });
    telegram.trouble({
      kind: 'status',
      status: 500,
      body: { ok: false, error_code: 500, description: `trouble at /bot${secret('BotToken')}/sendMessage` },
    });
    await send('/requesttelegram', {
      ...client,
      Recipients: '77',
      Message: 'x',
      BotToken: secret('BotToken'),
    });
    await send('/requesttelegram', {
      ...client,
      Recipients: 'wrong',
      Message: 'x',
      BotToken: secret('BotToken'),
    });

    await send('/api/chatbot/sendmessage', { ...target, message: 'a' }, relayKey);
    await send(
      '/api/chatbot/sendmessage',
      { ...target, message: 'a' },
      { 'X-Relay-Key': secret('a wrong X-Relay-Key') },
    );
    await send('/api/chatbot/canSendMessage', target, relayKey);
    const repeated = { message: `401: ${bot.token} is no token, Bot ${bot.token}`, code: 0 };
    discord.script({ kind: 'status', status: 401, body: repeated });
    await send('/api/chatbot/sendmessage', { ...target, message: 'b' }, relayKey);
    await send('/api/chatbot/canSendMessage', target, relayKey);
  }, 60_000);
  afterAll(async () => {
    await posthouse.stop();
    await Promise.all([smtp.stop(), telegram.stop(), discord.stop()]);
  });

  /** Requests all GET endpoints for all records, and notes their responses. */
  async function readAll(): Promise<void> {
    const { paths } = (await (await posthouse.fetch('/openapi.json')).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const readable = Object.entries(paths).flatMap(([path, methods]) => ('get' in methods ? [path] : []));
    const pages = [
      '/',
      '/files',
      '/admin/chat',
      '/admin/mail',
      '/admin/messages',
      '/admin/people',
      '/account',
      '/docs',
      '/openapi.json',
    ];
    for (const path of [...readable, ...pages]) {
      for (const id of /\{id\}/.test(path) ? ids : ['']) {
        const answer = await posthouse.fetch(path.replaceAll('{id}', id).replaceAll(/\{\w+\}/g, 'x'), {
          headers: admin,
        });
        expect([path, answer.status < 500 || answer.status === 502]).toEqual([path, true]);
        await note(answer);
      }
    }
    for (const id of ids) await note(await posthouse.fetch(`/messages/${id}`, { headers: basic(client) }));
    await note(
      await posthouse.fetch('/api/me', {
        headers: { Authorization: `Bearer ${secret('a wrong access token')}` },
      }),
    );
    await note(
      await posthouse.fetch('/metrics', {
        headers: { Authorization: `Bearer ${secret('POSTHOUSE_METRICS_TOKEN')}` },
      }),
    );
    for (const words of [
      ['doctor'],
      ['mail-client', 'list'],
      ['chat-client', 'list'],
      ['user', 'list'],
      ['token', 'list', '--email', 'bob@example.org'],
    ]) {
      const run = backend === BACKENDS[0] ? spawnCommand : runCommand;
      const { stdout, stderr } = await run(settings, ...words, '--json');
      answers.push(stdout, stderr);
    }
  }

  test('appears in no response, page, metric, log or stored file', async () => {
    await readAll();
    const places = {
      answers: answers.join('\n'),
      output: posthouse.output(),
      stored: await everythingStored(settings),
    };
    for (const [name, text] of Object.entries(secrets)) {
      expect(text.length).toBeGreaterThan(15);
      const forms = [
        text,
        encodeURIComponent(text),
        btoa(text),
        Buffer.from(text).toString('base64url'),
        btoa(`\0posthouse\0${text}`),
      ];
      for (const [place, content] of Object.entries(places)) {
        expect([name, place, forms.filter((form) => content.includes(form))]).toEqual([name, place, []]);
      }
    }
    // The searched texts contain the other values.
    expect(places.answers).toContain('a text that is kept');
    expect(places.answers).toContain('posthouse_outbox_attempts_total');
    expect(places.stored).toContain('with its own');
    expect(places.output).toContain('delivery attempted');
    expect(smtp.mails.map(({ user }) => user)).toContain('posthouse');
    expect(telegram.messages.map(({ token }) => token)).toContain(secret('POSTHOUSE_TELEGRAM_TOKEN'));
    expect(discord.world.messages).toHaveLength(1);
  }, 60_000);
});
