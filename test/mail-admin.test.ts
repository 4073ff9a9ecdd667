import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { basic, type MailClient, messageState, post } from './harness/mail.ts';
import { type Posthouse, signInAdmin, startPosthouse } from './harness/posthouse.ts';
import { everythingStored } from './harness/stored.ts';
import { until } from './harness/until.ts';
import { type SmtpStandIn, startSmtpStandIn } from './stand-ins/smtp.ts';
import { startTelegramStandIn, type TelegramStandIn } from './stand-ins/telegram.ts';

const SITE = 'https://www.example.org';
const NOWHERE = '00000000-0000-7000-8000-000000000000';
const BASE = '/api/admin/mail';

interface Shown {
  [field: string]: unknown;
  id: string;
  code: string;
  clientId: string;
  clientSecret: string;
  errors: { path: string; message: string }[];
}

describe.each(BACKENDS)('mail administration on %s', (backend) => {
  let smtp: SmtpStandIn;
  let telegram: TelegramStandIn;
  let posthouse: Posthouse;
  let settings: Record<string, string>;
  let admin: Record<string, string>;

  beforeAll(async () => {
    smtp = await startSmtpStandIn();
    telegram = await startTelegramStandIn({ tokens: ['12:canary-client-telegram'], chats: [] });
    settings = {
      ...(await freshSettings(backend)),
      POSTHOUSE_SMTP_URL: `smtp://${smtp.host}:${smtp.port}?tls=none`,
      POSTHOUSE_MAIL_FROM: 'post@example.org',
      POSTHOUSE_TELEGRAM_API_URL: telegram.url,
      POSTHOUSE_TRUSTED_PROXIES: '127.0.0.1',
    };
    posthouse = await startPosthouse(settings);
    admin = (await signInAdmin(posthouse)).headers;
  });
  afterAll(async () => {
    await posthouse.stop();
    await smtp.stop();
    await telegram.stop();
  });

  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers = admin,
  ): Promise<{ status: number; body: Shown; text: string; headers: Headers }> {
    const answer = await posthouse.fetch(`${BASE}${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('Content-Type')?.includes('json') ?? false;
    return {
      status: answer.status,
      body: (isJson ? JSON.parse(text) : {}) as Shown,
      text,
      headers: answer.headers,
    };
  }

  async function makeClient(
    name: string,
    more: Record<string, unknown> = {},
  ): Promise<MailClient & { id: string }> {
    const { status, body } = await call('POST', '/clients', {
      name,
      services: ['email', 'contact'],
      contactTo: ['owner@example.org'],
      withContact: true,
      ...more,
    });
    expect([status, body.errors]).toEqual([201, undefined as never]);
    return { ClientId: body.clientId, ClientSecret: body.clientSecret, id: body.clientId };
  }

  test('settings are shown without secrets', async () => {
    const { body } = await call('GET', '/settings');
    expect(body).toMatchObject({
      smtp: { host: '127.0.0.1', security: 'none', verifyTls: true, signsIn: false },
      sender: 'post@example.org',
      telegram: { configured: false },
      places: 'countries',
      trackOpens: true,
    });
  });

  describe('clients', () => {
    test('are created, changed, rotated and deleted', async () => {
      const own = await startSmtpStandIn({ user: { name: 'own', password: 'canary-client-smtp' } });
      const client = await makeClient('shop', {
        sender: 'Shop <shop@shop.example>',
        sendersAllowed: ['@News.example'],
        recipientsAllowed: ['@example.org', 'eve@evil.example'],
        telegramToken: '12:canary-client-telegram',
        challengeSecret: 'canary-client-challenge',
        smtp: {
          host: own.host,
          port: own.port,
          security: 'none',
          credentials: { username: 'own', password: 'canary-client-smtp' },
        },
      });
      const tried = await call('POST', '/test', {
        to: 'try@example.org',
        clientId: client.id,
        subject: 'Tried',
        text: 'x',
      });
      expect(tried.status).toBe(200);
      expect((await own.arrived(({ to }) => to[0] === 'try@example.org')).from).toBe('shop@shop.example');
      const nobody = await call('POST', '/test', {
        to: 'try@example.org',
        clientId: NOWHERE,
        subject: 'Tried',
        text: 'x',
      });
      expect([nobody.status, nobody.body.errors?.[0]?.path]).toEqual([400, 'clientId']);
      const send = (more: Record<string, unknown>, credentials: MailClient = client) =>
        post(posthouse, '/requestemail', {
          ...credentials,
          To: 'ada@example.org',
          Subject: 'x',
          Body: 'y',
          ...more,
        });
      expect((await send({})).status).toBe(200);
      expect([own.mails[0]?.from, own.mails[0]?.user]).toEqual(['shop@shop.example', 'own']);
      expect((await send({ From: 'any@news.example' })).status).toBe(200);
      expect((await send({ From: 'any@other.example' })).body.errors?.[0]?.path).toBe('From');
      expect((await send({ To: 'eve@evil.example' })).status).toBe(200);
      expect((await send({ Cc: 'bob@evil.example' })).body.errors?.[0]?.path).toBe('To');

      const listed = await call('GET', '/clients');
      expect(listed.text).not.toContain('canary');
      expect(listed.text).not.toContain(client.ClientSecret);
      expect(JSON.parse(listed.text)).toEqual([
        expect.objectContaining({
          id: client.id,
          name: 'shop',
          has: { telegramToken: true, smtp: true, challengeSecret: true },
          sendersAllowed: ['@news.example'],
        }),
      ]);

      const changed = await call('PATCH', `/clients/${client.id}`, {
        smtp: null,
        recipientsAllowed: [],
        sender: null,
      });
      expect(changed.body).toMatchObject({
        name: 'shop',
        has: { telegramToken: true, smtp: false, challengeSecret: true },
        recipientsAllowed: [],
      });
      const { body } = await send({ To: 'bob@evil.example' });
      expect((await smtp.arrived(({ parsed }) => parsed.messageId === body.MessageId)).from).toBe(
        'post@example.org',
      );

      const rotated = await call('POST', `/clients/${client.id}/rotate`);
      expect((await send({}, { ClientId: client.id, ClientSecret: rotated.body.clientSecret })).status).toBe(
        200,
      );
      expect((await send({})).status).toBe(200);
      await call('PATCH', `/clients/${client.id}`, { enabled: false });
      expect((await send({})).body.code).toBe('bad_client');
      expect((await call('DELETE', `/clients/${client.id}`)).status).toBe(204);
      expect((await send({})).body.code).toBe('bad_client');
      for (const [method, path] of [
        ['PATCH', ''],
        ['POST', '/rotate'],
        ['DELETE', ''],
      ] as const)
        expect(
          (await call(method, `/clients/${client.id}${path}`, method === 'PATCH' ? {} : undefined)).status,
        ).toBe(404);
      expect(await everythingStored(settings)).not.toContain('canary-client');
      await own.stop();
    });

    test.each<[string, Record<string, unknown>]>([
      ['name', { name: '' }],
      ['services.0', { services: ['fax'] }],
      ['services', { services: [] }],
      ['services', { services: undefined }],
      ['services', { services: ['contact', 'email'] }],
      ['services', { services: ['contact', 'telegram'], withContact: false }],
      ['withContact', { withContact: 'yes' }],
      ['sender', { sender: 'x\r\ny@example.org' }],
      ['sendersAllowed.0', { sendersAllowed: ['example.org'] }],
      ['contactTo.0', { contactTo: ['x'] }],
      ['contactLanguage', { contactLanguage: 'fr' }],
      ['contactTo', { services: ['contact'] }],
      ['contactTo', { services: ['contact'], contactTo: [] }],
      ['redirectUrl', { origins: [SITE], redirectUrl: 'http://www.example.org/thanks' }],
      ['redirectUrl', { origins: [SITE], redirectUrl: 'javascript:alert(1)//www.example.org' }],
      ['redirectUrl', { origins: [SITE], redirectUrl: 'https://eve:x@www.example.org/' }],
      ['redirectUrl', { origins: [SITE], redirectUrl: 'https://evil.example/' }],
      ['redirectUrl', { redirectUrl: `${SITE}/thanks` }],
      ['origins.0', { origins: ['https://example.org/x'] }],
      ['telegramToken', { telegramToken: 'x' }],
      ['challengeUrl', { challengeUrl: 'file:///etc/passwd' }],
      ['limits.hour', { limits: { second: null, hour: 0, day: null } }],
      ['smtp.port', { smtp: { host: 'x', port: 0, security: 'none', credentials: null } }],
    ])('%s is rejected by name', async (path, fields) => {
      const { status, body } = await call('POST', '/clients', {
        name: 'wrong',
        services: ['email'],
        ...fields,
      });
      expect([status, body.code, body.errors[0]?.path]).toEqual([400, 'invalid_request', path]);
    });

    test('a bot token that Telegram refuses is rejected, unless Telegram is in trouble', async () => {
      const refused = { telegramToken: '13:unknown' };
      const bot = await makeClient('bot', { services: ['telegram'] });
      for (const [method, path] of [
        ['POST', '/clients'],
        ['PATCH', `/clients/${bot.id}`],
      ] as const) {
        const { status, body } = await call(method, path, {
          name: 'other bot',
          services: ['telegram'],
          ...refused,
        });
        expect([status, body.errors[0]?.path, body.errors[0]?.message]).toEqual([
          400,
          'telegramToken',
          expect.stringContaining('BotFather'),
        ]);
      }
      telegram.trouble({ kind: 'badGateway' });
      const unchecked = await call('PATCH', `/clients/${bot.id}`, refused);
      expect([unchecked.status, unchecked.body]).toMatchObject([200, { tokenChecked: false }]);
    });

    test('contact beside another service is confirmed with withContact', async () => {
      const change = async (id: string, body: Record<string, unknown>) => {
        const answer = await call('PATCH', `/clients/${id}`, body);
        return [answer.status, answer.body.errors?.[0]?.path];
      };
      const servicesOf = async (id: string) =>
        (JSON.parse((await call('GET', '/clients')).text) as { id: string; services: string[] }[]).find(
          (client) => client.id === id,
        )?.services;
      const { id } = await makeClient('page', { services: ['contact', 'contact'], withContact: undefined });
      expect(await change(id, { services: ['contact', 'email'] })).toEqual([400, 'services']);
      expect(await servicesOf(id)).toEqual(['contact']);
      expect(await change(id, { services: ['email', 'telegram'] })).toEqual([200, undefined]);
      expect(await change(id, { services: ['telegram', 'contact'] })).toEqual([400, 'services']);
      expect(await change(id, { services: ['email', 'contact'], withContact: true })).toEqual([
        200,
        undefined,
      ]);
      // The confirmation applies to one request; the confirmed services may be kept or reduced, but not extended.
      expect(await change(id, { contactTo: ['team@example.org'] })).toEqual([200, undefined]);
      expect(await change(id, { services: ['contact', 'email'] })).toEqual([200, undefined]);
      expect(await change(id, { services: ['email', 'telegram', 'contact'] })).toEqual([400, 'services']);
      expect(await change(id, { services: ['contact'] })).toEqual([200, undefined]);
      expect(await change(id, { services: ['contact', 'email'] })).toEqual([400, 'services']);
    });

    test('contact always has a recipient, and a redirect stays on the origins of the client', async () => {
      const { id } = await makeClient('own form', {
        services: ['contact'],
        contactTo: ['owner@example.org'],
      });
      const change = async (body: Record<string, unknown>) => {
        const answer = await call('PATCH', `/clients/${id}`, body);
        return [answer.status, answer.body.errors?.[0]?.path];
      };
      const redirectUrl = `${SITE}/thanks?a=b`;
      expect(await change({ contactTo: [] })).toEqual([400, 'contactTo']);
      expect(await change({ redirectUrl })).toEqual([400, 'redirectUrl']);
      expect(await change({ origins: [SITE], redirectUrl })).toEqual([200, undefined]);
      expect(await change({ origins: ['https://else.example.org'] })).toEqual([400, 'redirectUrl']);
      const local = 'http://localhost:8080';
      expect(await change({ origins: [local], redirectUrl: `${local}/` })).toEqual([200, undefined]);
      expect(await change({ redirectUrl: null, origins: [] })).toEqual([200, undefined]);
      const { id: other } = await makeClient('no form', { services: ['email'], contactTo: [] });
      const widened = await call('PATCH', `/clients/${other}`, { services: ['contact'] });
      expect(widened.body.errors?.[0]?.path).toBe('contactTo');
    });

    test('have unique names', async () => {
      await makeClient('unique');
      expect((await call('POST', '/clients', { name: 'unique', services: ['email'] })).body.code).toBe(
        'name_taken',
      );
    });

    test('limits apply, are reported, and end on their own', async () => {
      const second = await makeClient('one a second', { limits: { second: 1, hour: null, day: null } });
      const send = (client: MailClient) =>
        post(posthouse, '/requestemail', { ...client, To: 'ada@example.org', Subject: 'x', Body: 'y' });
      const started = performance.now();
      expect((await Promise.all([send(second), send(second)])).map(({ status }) => status)).toEqual([
        200, 200,
      ]);
      expect(performance.now() - started).toBeGreaterThan(900);

      const hour = await makeClient('two an hour', { limits: { second: null, hour: 2, day: 100 } });
      const four = await Promise.all([send(hour), send(hour), send(hour), send(hour)]);
      expect(four.map(({ status }) => status).sort()).toEqual([200, 200, 202, 202]);
      const waiting = four.find(({ status }) => status === 202);
      const state = await messageState(posthouse, hour, waiting?.body.Id ?? '');
      expect(state).toMatchObject({
        Status: 'Queued',
        Attempts: 0,
        LastError: expect.stringContaining('2 messages an hour'),
      });
      // The database's clock and this server's differ by the time of a query.
      expect(Date.parse(state.NextAttempt ?? '') % 3_600_000).toBeLessThan(10_000);
    });
  });

  describe('templates', () => {
    test('built-in ones render with their samples', async () => {
      const listed = JSON.parse((await call('GET', '/templates')).text) as Record<string, unknown>[];
      const bundled = listed.filter((template) => template.bundled);
      expect(bundled.map(({ name }) => name)).toEqual([
        'account-invitation',
        'account-invitation.de',
        'account-password-changed',
        'account-password-changed.de',
        'account-password-reset',
        'account-password-reset.de',
        'alert',
        'contact-form',
        'contact-form.de',
        'link-files',
        'link-files.de',
        'password-reset',
        'receipt',
        'welcome',
      ]);
      for (const { subject, html, text, sample } of bundled) {
        const { status, body } = await call('POST', '/preview', { subject, html, text, data: sample });
        expect(status).toBe(200);
        expect(body.html).toContain('<html');
        expect(`${body.html}${body.text}${body.subject}`).not.toMatch(/\{\{|\{%|<mj-/);
      }
    });

    test('are stored in versions, previewed and sent', async () => {
      const first = {
        name: 'Order.Shipped',
        subject: 'Order {{ id }}',
        html: '<p>Dear {{ name }}</p>',
        text: null,
        sample: { id: 1, name: '<Ada>' },
      };
      const made = await call('POST', '/templates', first);
      expect([made.status, made.body]).toMatchObject([
        201,
        { name: 'order.shipped', version: 1, bundled: false, sample: first.sample },
      ]);
      expect((await call('POST', '/templates', first)).body.code).toBe('name_taken');
      const saved = await call('PUT', '/templates/order.shipped', { ...first, text: 'Hello {{ name }}' });
      expect(saved.body.version).toBe(2);
      expect(JSON.parse((await call('GET', '/templates/ORDER.shipped/versions')).text)).toMatchObject([
        { version: 2 },
        { version: 1 },
      ]);
      expect((await call('GET', '/templates/order.shipped?version=1')).body.text).toBeNull();
      expect((await call('GET', '/templates/order.shipped?version=3')).status).toBe(404);

      const preview = await call('POST', '/preview', { ...first, data: { id: 2, name: '<b>' } });
      expect(preview.body).toMatchObject({
        subject: 'Order 2',
        html: '<p>Dear &lt;b&gt;</p>',
        text: 'Dear <b>',
      });
      const blank = await call('POST', '/preview', {
        ...first,
        text: ' {{ nothing }}\n',
        data: { name: 'x' },
      });
      expect(blank.body.text).toBe('Dear x');
      expect((await call('POST', '/preview', { ...first, strict: true })).body.code).toBe('invalid_template');

      const client = await makeClient('template user');
      const send = (more: Record<string, unknown>) =>
        post(posthouse, '/requestemail', {
          ...client,
          To: 'ada@example.org',
          TemplateName: ' order.SHIPPED ',
          ...more,
        });
      const { body } = await send({ TemplateData: { id: 9, name: 'Ada' } });
      const { parsed } = await smtp.arrived((mail) => mail.parsed.messageId === body.MessageId);
      expect([parsed.subject, parsed.html, parsed.text?.trim()]).toEqual([
        'Order 9',
        '<p>Dear Ada</p>',
        'Hello Ada',
      ]);
      const own = await send({ Subject: 'Mine {{ id }}' });
      expect(
        (await smtp.arrived((mail) => mail.parsed.messageId === own.body.MessageId)).parsed.subject,
      ).toBe('Mine {{ id }}');
      expect((await send({ TemplateData: {}, StrictVariables: true })).body.code).toBe('invalid_template');
      expect((await send({ HtmlTemplate: 'x' })).body.errors?.[0]?.path).toBe('TemplateName');

      const tried = await call('POST', '/test', {
        to: 'me@example.org',
        templateName: 'order.shipped',
        data: first.sample,
      });
      expect(tried.status).toBe(200);
      expect((await smtp.arrived(({ to }) => to[0] === 'me@example.org')).parsed.subject).toBe('Order 1');
      expect((await call('DELETE', '/templates/order.shipped')).status).toBe(204);
      expect((await send({})).body.errors?.[0]?.path).toBe('TemplateName');
      expect((await call('DELETE', '/templates/order.shipped')).status).toBe(404);
    });

    test('a stored one replaces the built-in one of the same name', async () => {
      expect(
        (await call('PUT', '/templates/alert', { subject: 'My alert', html: null, text: 'x', sample: {} }))
          .body,
      ).toMatchObject({
        version: 1,
        bundled: false,
      });
      expect((await call('DELETE', '/templates/alert')).status).toBe(204);
      expect((await call('GET', '/templates/alert')).body.bundled).toBe(true);
    });

    test('an invalid one is not stored', async () => {
      for (const [fields, code] of [
        [{ html: '{% if %}' }, 'invalid_template'],
        [{ html: '<mjml><mj-body><mj-section></mj-body></mjml>' }, 'invalid_template'],
        [{ html: null, text: null }, 'invalid_request'],
        [{ subject: '' }, 'invalid_request'],
        [{ name: '../x' }, 'invalid_request'],
        [{ sample: [1] }, 'invalid_request'],
      ] as const) {
        const { status, body } = await call('POST', '/templates', {
          name: 'broken',
          subject: 'x',
          html: 'y',
          text: null,
          sample: {},
          ...fields,
        });
        expect([fields, status, body.code]).toEqual([fields, 400, code]);
      }
      expect((await call('PUT', '/templates/no-such', { subject: 'x', html: 'y', text: null })).status).toBe(
        404,
      );
      expect((await call('GET', '/templates/broken')).status).toBe(404);
    });
  });

  test('a mail is displayed as it was sent', async () => {
    const client = await makeClient('looked at');
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const { body } = await post(posthouse, '/requestemail', {
      ...client,
      To: 'ada@example.org',
      Bcc: 'bcc@example.org',
      Subject: 'Grüße',
      HtmlTemplate: '<script>alert(1)</script><img src="cid:logo"><p>ü</p>',
      Attachments: [
        { FileName: 'logo.png', Content: png, ContentId: 'logo' },
        { FileName: "ü's.html", ContentType: 'text/html', Content: btoa('<script>') },
      ],
    });
    const shown = await call('GET', `/messages/${body.Id}`);
    expect(shown.body).toMatchObject({
      envelope: { from: 'post@example.org', to: ['ada@example.org', 'bcc@example.org'] },
      hasHtml: true,
      text: expect.stringContaining('ü'),
      attachments: [
        { fileName: 'logo.png', contentType: 'image/png', contentId: 'logo' },
        { fileName: "ü's.html", contentType: 'text/html', sizeBytes: 8 },
      ],
    });
    expect(shown.body.headers).toContainEqual({ name: 'Subject', value: 'Grüße' });
    const html = await call('GET', `/messages/${body.Id}/html`);
    expect(html.text).toContain(`<img src="data:image/png;base64,${png}">`);
    expect(html.headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'",
    );
    const source = await call('GET', `/messages/${body.Id}/source`);
    expect(source.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    expect(source.text).toContain(`Message-ID: ${body.MessageId}`);
    const attachment = await call('GET', `/messages/${body.Id}/attachments/1`);
    expect([attachment.text, attachment.headers.get('Content-Type')]).toEqual([
      '<script>',
      'application/octet-stream',
    ]);
    expect(attachment.headers.get('Content-Disposition')).toBe(
      `attachment; filename="_'s.html"; filename*=UTF-8''%C3%BC%27s.html`,
    );
    for (const path of [
      `/messages/${NOWHERE}`,
      `/messages/${body.Id}/attachments/2`,
      `/messages/${body.Id}/attachments/x`,
    ])
      expect((await call('GET', path)).status).toBe(404);
  });

  test('opens are counted on request, without the reader’s address', async () => {
    const client = await makeClient('tracked');
    const send = async (more: Record<string, unknown>) => {
      const { body } = await post(posthouse, '/requestemail', {
        ...client,
        To: 'ada@example.org',
        Subject: 'x',
        HtmlTemplate: '<body>Hi</body>',
        ...more,
      });
      const { parsed } = await smtp.arrived((mail) => mail.parsed.messageId === body.MessageId);
      return { id: body.Id, html: String(parsed.html), text: parsed.text ?? '' };
    };
    expect((await send({})).html).toBe('<body>Hi</body>');
    const tracked = await send({ TrackOpens: true });
    const pixel = new URL(/<img src="([^"]+)"/.exec(tracked.html)?.[1] ?? '');
    expect(tracked.html).toEndWith('</body>');
    expect(tracked.text).not.toContain('/opens/');
    const open = (path: string, headers: Record<string, string>) => posthouse.fetch(path, { headers });
    const browser = { 'User-Agent': 'Mozilla/5.0 (X11; Linux)', 'X-Forwarded-For': '193.99.144.80' };
    const picture = await open(pixel.pathname, browser);
    expect([
      picture.status,
      picture.headers.get('Content-Type'),
      picture.headers.get('Cache-Control'),
    ]).toEqual([200, 'image/gif', 'no-store, private']);
    await open(pixel.pathname, {
      'User-Agent': 'Mozilla/5.0 (via ggpht.com GoogleImageProxy)',
      'X-Forwarded-For': '8.8.8.8',
    });
    await open(pixel.pathname, { ...browser, 'Sec-Purpose': 'prefetch' });
    for (const wrong of [
      `${pixel.pathname}x`,
      pixel.pathname.slice(0, -1),
      '/mail/opens/x',
      `/mail/opens/${NOWHERE}.x`,
    ])
      expect((await open(wrong, browser)).status).toBe(200);
    const opens = await until(async () => {
      const answer = await posthouse.fetch(`/messages/${tracked.id}`, { headers: basic(client) });
      const { Opens } = (await answer.json()) as { Opens: unknown[] };
      return Opens.length >= 3 && Opens;
    });
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(opens).toHaveLength(3);
    expect(opens).toEqual(
      expect.arrayContaining([
        { Time: time, Country: 'Germany', Region: null, Automatic: false },
        { Time: time, Country: 'United States', Region: null, Automatic: true },
        { Time: time, Country: 'Germany', Region: null, Automatic: true },
      ]),
    );
    expect(await everythingStored(settings)).not.toContain('193.99.144.80');
  });

  test('spam is stored, and can be sent or deleted', async () => {
    const client = await makeClient('form', { contactTo: ['owner@example.org'], contactAcknowledges: true });
    const form = {
      ...client,
      Email: 'visitor@example.org',
      Message: 'really not spam',
      Website: 'https://example.org',
    };
    await post(posthouse, '/sendcontactusform', form);
    await post(posthouse, '/sendcontactusform', { ...form, Message: 'really spam' });
    const kept = JSON.parse((await call('GET', '/spam')).text) as {
      id: string;
      reason: string;
      form: { request: { Message: string } };
    }[];
    expect(kept.map(({ reason, form: { request } }) => [reason, request.Message])).toEqual([
      ['honeypot', 'really spam'],
      ['honeypot', 'really not spam'],
    ]);
    expect(JSON.stringify(kept)).not.toContain(client.ClientSecret);
    expect((await call('DELETE', `/spam/${kept[0]?.id}`)).status).toBe(204);
    expect((await call('POST', `/spam/${kept[1]?.id}/release`)).status).toBe(202);
    const letter = await smtp.arrived(({ to }) => to[0] === 'owner@example.org');
    expect([letter.parsed.replyTo?.value[0]?.address, letter.parsed.text]).toEqual([
      'visitor@example.org',
      expect.stringContaining('really not spam'),
    ]);
    const thanks = await smtp.arrived(({ to }) => to[0] === 'visitor@example.org');
    expect(thanks.parsed.headers.get('auto-submitted')).toBe('auto-replied');
    expect(thanks.raw).not.toContain('really');
    expect((await call('POST', `/spam/${kept[1]?.id}/release`)).status).toBe(404);
    expect(JSON.parse((await call('GET', '/spam')).text)).toEqual([]);
  });

  test('the confirmation of a form is in the language of the visitor', async () => {
    const client = await makeClient('Laden', { contactTo: ['owner@example.org'], contactAcknowledges: true });
    const send = (Email: string, language: string, more: Record<string, unknown> = {}) =>
      post(
        posthouse,
        '/sendcontactusform',
        { ...client, Email, Message: 'Hallo', ...more },
        { 'Accept-Language': language },
      );
    await send('english@example.org', 'fr');
    await send('german@example.org', 'de-AT, en;q=0.5');
    await send('relayed@example.org', 'en', { SystemInfo: { Language: 'de' } });
    await send('blocked@example.org', 'de', { Website: 'https://example.org' });
    const [blocked] = JSON.parse((await call('GET', '/spam')).text) as { id: string }[];
    await call('POST', `/spam/${blocked?.id}/release`);
    const confirmation = async (address: string) => {
      const { parsed } = await smtp.arrived(({ to }) => to[0] === address);
      return [parsed.subject, parsed.text];
    };
    expect(await confirmation('english@example.org')).toEqual([
      'We have your message',
      'Thank you. Your message to Laden has arrived, and somebody will answer it.\n',
    ]);
    for (const name of ['german', 'relayed', 'blocked'])
      expect(await confirmation(`${name}@example.org`)).toEqual([
        'Ihre Nachricht ist angekommen',
        'Danke. Ihre Nachricht an Laden ist angekommen und wird beantwortet.\n',
      ]);
  });

  test('a form is sent in the language of the client, with the template of that language', async () => {
    const client = await makeClient('languages', { contactTo: ['languages@example.org'] });
    const choose = (contactLanguage: string) => call('PATCH', `/clients/${client.id}`, { contactLanguage });
    const subjectOf = async () => {
      const form = { ...client, Email: 'ada@example.org', Message: 'Hello' };
      const { body } = await post(posthouse, '/sendcontactusform', form, { 'Accept-Language': 'de' });
      return (await smtp.arrived(({ parsed }) => parsed.messageId === body.MessageId)).parsed.subject;
    };
    const saveTemplate = (name: string, subject: string) =>
      call('PUT', `/templates/${name}`, { subject, html: null, text: 'x', sample: {} });
    expect(await subjectOf()).toBe('Message from ada@example.org');
    expect((await choose('de')).body.contactLanguage).toBe('de');
    expect(await subjectOf()).toBe('Nachricht von ada@example.org');
    await saveTemplate('contact-form', 'Changed');
    expect(await subjectOf()).toBe('Nachricht von ada@example.org');
    await saveTemplate('contact-form.de', 'Geändert');
    expect(await subjectOf()).toBe('Geändert');
    await choose('en');
    expect(await subjectOf()).toBe('Changed');
    for (const name of ['contact-form', 'contact-form.de']) await call('DELETE', `/templates/${name}`);
    expect(await subjectOf()).toBe('Message from ada@example.org');
  });

  test('confirmations of forms do not flood a mailbox', async () => {
    const client = await makeClient('flood', {
      contactTo: ['flooded@example.org'],
      contactAcknowledges: true,
    });
    const send = (Email: string) =>
      post(posthouse, '/sendcontactusform', { ...client, Email, Message: 'Hello' });
    for (const name of ['victim', 'Victim', 'vic.tim', 'victim+1', 'victim+2', 'v.i.c.t.i.m+3'])
      expect((await send(`${name}@example.org`)).status).toBe(200);
    expect((await send('other@example.org')).status).toBe(200);
    const countOf = (address: RegExp) => smtp.mails.filter(({ to }) => address.test(to[0] ?? '')).length;
    const VICTIM = /^v\.?i\.?c\.?t\.?i\.?m/i;
    await smtp.arrived(({ to }) => to[0] === 'other@example.org');
    await until(() => countOf(/^flooded@/) === 7 && countOf(VICTIM) >= 3);
    expect(countOf(VICTIM)).toBe(3);
  });

  test('only accepted forms count towards the confirmations of a mailbox', async () => {
    const client = await makeClient('repeated', {
      contactTo: ['repeated@example.org'],
      contactAcknowledges: true,
    });
    const send = (Message: string, key: string) =>
      post(
        posthouse,
        '/sendcontactusform',
        { ...client, Email: 'patient@example.org', Message },
        { 'Idempotency-Key': key },
      );
    const statuses = [];
    for (const [text, key] of [
      ['1', 'a'],
      ['1', 'a'],
      ['another', 'a'],
      ['1', 'a'],
      ['2', 'b'],
      ['3', 'c'],
    ] as const)
      statuses.push((await send(text, key)).status);
    expect(statuses).toEqual([200, 200, 409, 200, 200, 200]);
    await until(() => smtp.mails.filter(({ to }) => to[0] === 'patient@example.org').length === 3);
  });

  test('a challenge is verified at the client’s provider', async () => {
    const asked: URLSearchParams[] = [];
    const verifier = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        const form = new URLSearchParams(await request.text());
        asked.push(form);
        return Response.json({ success: form.get('response') === 'good' });
      },
    });
    const client = await makeClient('challenged', {
      contactTo: ['owner@example.org'],
      challengeUrl: `http://127.0.0.1:${verifier.port}/siteverify`,
      challengeSecret: 'the secret of the site',
    });
    const send = (more: Record<string, unknown>) =>
      post(posthouse, '/sendcontactusform', { ...client, Email: 'v@example.org', Message: 'x', ...more });
    expect((await send({})).body.errors?.[0]?.path).toBe('ChallengeToken');
    expect((await send({ ChallengeToken: 'bad' })).body.errors?.[0]?.path).toBe('ChallengeToken');
    expect((await send({ ChallengeToken: 'good' })).status).toBe(200);
    expect(asked.map((form) => [form.get('secret'), form.get('response'), form.get('remoteip')])).toEqual([
      ['the secret of the site', 'bad', '127.0.0.1'],
      ['the secret of the site', 'good', '127.0.0.1'],
    ]);
    await verifier.stop(true);
  });
});
