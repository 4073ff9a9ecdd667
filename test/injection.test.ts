import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { freshSettings } from './harness/backends.ts';
import { addChatRig, type ChatChannel } from './harness/chat.ts';
import { postJson } from './harness/json.ts';
import { addFullMailClient, type MailClient } from './harness/mail.ts';
import { type Posthouse, startPosthouse } from './harness/posthouse.ts';
import { until } from './harness/until.ts';
import { type DiscordStandIn, startDiscord, UNLIMITED } from './stand-ins/discord.ts';
import { type SmtpStandIn, startSmtpStandIn } from './stand-ins/smtp.ts';
import { startTelegramStandIn, type TelegramStandIn } from './stand-ins/telegram.ts';

const TOKEN = '1000001:token';
const INJECTED =
  '\r\nBcc: eve@example.org\r\nX-Injected: yes\r\n.\r\nMAIL FROM:<eve@example.org>\r\nRCPT TO:<eve@example.org>\r\n';
/** Placeholder for an address that differs in each attempt. */
const VISITOR = '198.18.255.255';
const TEMPLATE = '{{ 7 | times: 191 }}{% assign a = 1337 %}{{ a }}';

type Path = (string | number)[];

/** Returns the paths of all texts in `value`, or of all objects. */
function paths(value: unknown, wanted: 'texts' | 'objects', path: Path = []): Path[] {
  if (typeof value === 'string') return wanted === 'texts' ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, each]) =>
    paths(each, wanted, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return wanted === 'objects' && !Array.isArray(value) ? [path, ...inner] : inner;
}

function changed(value: unknown, [key, ...rest]: Path, change: (old: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  const copy: Record<string | number, unknown> | unknown[] = Array.isArray(value)
    ? [...value]
    : { ...(value as object) };
  const at = copy as Record<string | number, unknown>;
  at[key] = changed(at[key], rest, change);
  return copy;
}

/** Bodies with a value for every field of a route. Add new fields here. */
describe('injection attempts', () => {
  let smtp: SmtpStandIn;
  let telegram: TelegramStandIn;
  let discord: DiscordStandIn;
  let posthouse: Posthouse;
  let client: MailClient;
  let channel: ChatChannel;
  const bodies: Record<string, Record<string, unknown>> = {};

  beforeAll(async () => {
    smtp = await startSmtpStandIn();
    telegram = await startTelegramStandIn({ tokens: [TOKEN], chats: ['77'] });
    discord = await startDiscord({ limits: UNLIMITED });
    const settings = {
      ...(await freshSettings('postgres+s3')),
      POSTHOUSE_SMTP_URL: `smtp://${smtp.host}:${smtp.port}?tls=none`,
      POSTHOUSE_MAIL_FROM: 'post@example.org',
      POSTHOUSE_ALLOW_PRIVATE_HOSTS: 'true',
      POSTHOUSE_TELEGRAM_API_URL: telegram.url,
      POSTHOUSE_DISCORD_API_URL: discord.url,
      POSTHOUSE_TRUSTED_PROXIES: '127.0.0.1',
    };
    posthouse = await startPosthouse(settings);
    client = await addFullMailClient(settings, 'owner@example.org', '--from', 'app@example.org');
    channel = await (await addChatRig(settings, discord)).addChannel();
    const data = { name: 'Ada', inner: { list: ['a'] } };
    bodies['/requestemail'] = {
      ...client,
      To: ['ada@example.org'],
      Cc: ['cc@example.org'],
      Bcc: ['bcc@example.org'],
      Subject: 'Hello {{ name }}',
      Body: 'Text {{ inner.list }}',
      HtmlTemplate: '<p>{{ name }}</p>',
      TemplateName: 'welcome',
      TemplateData: data,
      StrictVariables: false,
      From: 'app@example.org',
      FromName: 'App',
      ReplyTo: 'reply@example.org',
      Attachments: [{ FileName: 'a.txt', ContentType: 'text/plain', Content: 'eA==', ContentId: 'a@x' }],
      Headers: { 'X-Order': '7' },
      ListUnsubscribe: ['https://example.org/u'],
      SendAt: '2026-01-01T00:00:00Z',
      TrackOpens: true,
      SmtpConfiguration: {
        Host: smtp.host,
        Port: smtp.port,
        Security: 'None',
        Username: 'u',
        Password: 'p',
        From: 'own@example.org',
      },
    };
    bodies['/requesttelegram'] = {
      ...client,
      Recipients: ['77'],
      Message: 'Text',
      Title: 'Title',
      ParseMode: 'None',
      DisableNotification: true,
      DisableLinkPreview: true,
      BotToken: TOKEN,
    };
    bodies['/sendcontactusform'] = {
      ...client,
      Email: 'visitor@example.org',
      Message: 'Text',
      Name: 'A visitor',
      Phone: '1',
      Subject: 'A question',
      Fields: { Company: 'Example', nested: { a: ['b'] } },
      IncludeSystemInfo: true,
      SystemInfo: {
        IpAddress: VISITOR,
        UserAgent: 'x',
        Language: 'en',
        Referrer: 'https://x.example',
        Screen: '1x1',
      },
      Website: '',
      ChallengeToken: 'x',
    };
    bodies['/api/chatbot/sendmessage'] = {
      ...channel.target,
      title: 'Title',
      message: 'Text',
      level: 'info',
      url: 'https://example.org/',
      fields: [{ name: 'n', value: 'v', inline: true }],
      dedupeKey: 'x',
    };
  });
  afterAll(async () => {
    expect(posthouse.output()).not.toContain('unexpected error');
    await posthouse.stop();
    await Promise.all([smtp.stop(), telegram.stop(), discord.stop()]);
  });

  const ROUTES = ['/requestemail', '/requesttelegram', '/sendcontactusform', '/api/chatbot/sendmessage'];
  let visitors = 0;
  /** Each attempt comes from another visitor and is scheduled, so that no rate limit applies. */
  async function attempt(route: string, body: unknown): Promise<{ status: number; text: string }> {
    const address = `198.18.${++visitors >> 8}.${visitors & 255}`;
    const text = (typeof body === 'string' ? body : JSON.stringify(body)).replaceAll(VISITOR, address);
    const answer = await postJson(posthouse, route, text, {
      'X-Forwarded-For': address,
      Prefer: 'respond-async',
    });
    return { status: answer.status, text: await answer.text() };
  }
  /** Returns the full body; for mail, one for each of the mutually exclusive contents. */
  function variants(route: string): Record<string, unknown>[] {
    const { TemplateName, Body, HtmlTemplate, SmtpConfiguration, SendAt, ...mail } = bodies[route] ?? {};
    if (route !== '/requestemail') return [bodies[route] ?? {}];
    const signsInNowhere = { ...(SmtpConfiguration as object), Username: undefined, Password: undefined };
    return [
      { ...mail, Body, HtmlTemplate, SmtpConfiguration: signsInNowhere },
      { ...mail, TemplateName },
    ];
  }
  async function settled(): Promise<void> {
    await until(async () => {
      const metrics = await (await posthouse.fetch('/metrics')).text();
      return !/posthouse_outbox_waiting\{kind="(?:email|chat)"\} [1-9]/.test(metrics);
    });
  }
  function expectNothingInjected(): void {
    for (const { raw, from, to } of smtp.mails) {
      const head = raw.slice(0, raw.indexOf('\r\n\r\n'));
      expect(head).not.toMatch(/^(?:Bcc|X-Injected):/im);
      expect([from, ...to].join()).not.toContain('eve@');
    }
    expect(new Set(telegram.calls).size).toBeLessThanOrEqual(1);
    for (const { headers } of discord.arrived) expect(headers.get('X-Injected')).toBeNull();
  }

  test('these bodies have every field of the contract', async () => {
    const { paths: described } = (await (await posthouse.fetch('/openapi.json')).json()) as {
      paths: Record<
        string,
        { post: { requestBody: { content: Record<string, { schema: { properties: object } }> } } }
      >;
    };
    for (const route of ROUTES) {
      const schema = described[route]?.post.requestBody.content['application/json']?.schema;
      expect(Object.keys(bodies[route] ?? {}).sort()).toEqual(Object.keys(schema?.properties ?? {}).sort());
    }
  });

  test.each(ROUTES)(
    'line breaks in every text of %s',
    async (route) => {
      for (const body of variants(route)) {
        expect([200, 202]).toContain((await attempt(route, body)).status);
        for (const path of paths(body, 'texts')) {
          for (const ending of [
            INJECTED,
            INJECTED.replaceAll('\r', ''),
            '\r',
            '\u0000',
            '\u2028X-Injected: yes',
            '\u0085X-Injected: yes',
          ]) {
            const { status, text } = await attempt(
              route,
              changed(body, path, (old) => `${String(old)}${ending}`),
            );
            expect({ path, status, fine: [200, 202, 400, 401, 404].includes(status) }).toMatchObject({
              fine: true,
            });
            if (status === 400) expect(text).not.toContain('X-Injected');
          }
        }
      }
      await settled();
      expectNothingInjected();
    },
    60_000,
  );

  test.each(ROUTES)(
    'line breaks in every key of %s',
    async (route) => {
      for (const body of variants(route)) {
        for (const path of paths(body, 'texts').filter((each) => typeof each.at(-1) === 'string')) {
          const key = String(path.at(-1));
          const renamed = changed(body, path.slice(0, -1), (old) => {
            const { [key]: value, ...others } = old as Record<string, unknown>;
            return { ...others, [`${key}${INJECTED}`]: value };
          });
          expect([200, 202, 400]).toContain((await attempt(route, renamed)).status);
        }
      }
      await settled();
      expectNothingInjected();
    },
    60_000,
  );

  test.each(ROUTES)('__proto__ and constructor in every object of %s', async (route) => {
    const evil = {
      To: 'eve@example.org',
      Bcc: 'eve@example.org',
      path: '/etc/passwd',
      polluted: 'yes',
      canSend: 'yes',
    };
    const mark = 'MARK';
    for (const body of variants(route)) {
      for (const path of paths(body, 'objects')) {
        const text = JSON.stringify(
          changed(body, path, (old) => ({ ...(old as object), [mark]: 1 })),
        ).replace(
          `"${mark}":1`,
          `"__proto__":${JSON.stringify(evil)},"constructor":{"prototype":${JSON.stringify(evil)}}`,
        );
        const { status } = await attempt(route, text);
        expect({ path, status, fine: [200, 202, 400].includes(status) }).toMatchObject({ fine: true });
      }
    }
    await settled();
    expectNothingInjected();
    const { status, text } = await attempt(route, variants(route)[0]);
    expect([200, 202]).toContain(status);
    expect(text).not.toMatch(/polluted|canSend/);
  });

  test('template syntax in filled-in values is text', async () => {
    const before = smtp.mails.length;
    const [first] = variants('/requestemail');
    const filled = {
      ...first,
      TemplateData: { name: TEMPLATE, inner: { list: [TEMPLATE] } },
      FromName: TEMPLATE,
    };
    expect((await attempt('/requestemail', filled)).status).toBe(202);
    const written = {
      Message: TEMPLATE,
      Name: TEMPLATE,
      Subject: TEMPLATE,
      Phone: TEMPLATE,
      Fields: { [TEMPLATE]: TEMPLATE },
    };
    const form = {
      ...bodies['/sendcontactusform'],
      ...written,
      SystemInfo: { UserAgent: TEMPLATE, [TEMPLATE]: TEMPLATE },
    };
    expect((await attempt('/sendcontactusform', form)).status).toBe(202);
    expect(
      (await attempt('/api/chatbot/sendmessage', { ...channel.target, title: TEMPLATE, message: TEMPLATE }))
        .status,
    ).toBe(202);
    await settled();
    const mails = smtp.mails
      .slice(before)
      .map(({ parsed }) => `${parsed.subject}\n${parsed.from?.text}\n${parsed.text}\n${parsed.html}`);
    expect(mails).toHaveLength(2);
    for (const text of [
      ...mails,
      JSON.stringify(discord.world.messagesIn(channel.channel.id).at(-1)?.body),
    ]) {
      expect(text).toContain('times: 191');
      expect(text.replaceAll(TEMPLATE, '').replaceAll('a = 1337', '')).not.toContain('1337');
    }
  });
});
