import { describe, expect, test } from 'bun:test';
import { BACKENDS } from './harness/backends.ts';
import { type MailClient, messageState, post } from './harness/mail.ts';
import { mailAdmin } from './harness/mail-admin.ts';
import { everythingStored } from './harness/stored.ts';
import { startSmtpStandIn } from './stand-ins/smtp.ts';

const SITE = 'https://www.example.org';
const NOWHERE = '00000000-0000-7000-8000-000000000000';

describe.each(BACKENDS)('clients of mail on %s', (backend) => {
  const { posthouse, smtp, telegram, call, createClient } = mailAdmin(backend);

  test('are created, changed, rotated and deleted', async () => {
    const own = await startSmtpStandIn({ user: { name: 'own', password: 'canary-client-smtp' } });
    const client = await createClient('shop', {
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
    // Nor through a provider that takes recipients from a header field, also over the caller's server.
    const viaProvider = await send({
      Headers: { 'X-SMTPAPI': '{"to":["bob@evil.example"]}' },
      SmtpConfiguration: { Host: own.host, Port: own.port },
    });
    expect(viaProvider.body.errors?.[0]?.path).toBe('Headers.X-SMTPAPI');

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
      recipientsAllowed: null,
      sendersAllowed: [],
      sender: null,
    });
    expect(changed.body).toMatchObject({
      name: 'shop',
      has: { telegramToken: true, smtp: false, challengeSecret: true },
      recipientsAllowed: [],
      sendersAllowed: ['@news.example'],
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
    expect(await everythingStored(posthouse.settings)).not.toContain('canary-client');
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
    const bot = await createClient('bot', { services: ['telegram'] });
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

  test('contact combined with another service is confirmed with withContact', async () => {
    const change = async (id: string, body: Record<string, unknown>) => {
      const answer = await call('PATCH', `/clients/${id}`, body);
      return [answer.status, answer.body.errors?.[0]?.path];
    };
    const servicesOf = async (id: string) =>
      (JSON.parse((await call('GET', '/clients')).text) as { id: string; services: string[] }[]).find(
        (client) => client.id === id,
      )?.services;
    const { id } = await createClient('page', { services: ['contact', 'contact'], withContact: undefined });
    expect(await change(id, { services: ['contact', 'email'] })).toEqual([400, 'services']);
    expect(await servicesOf(id)).toEqual(['contact']);
    expect(await change(id, { services: ['email', 'telegram'] })).toEqual([200, undefined]);
    expect(await change(id, { services: ['telegram', 'contact'] })).toEqual([400, 'services']);
    expect(await change(id, { services: ['email', 'contact'], withContact: true })).toEqual([200, undefined]);
    // The confirmation applies to one request; the confirmed services may be kept or reduced, but not extended.
    expect(await change(id, { contactTo: ['team@example.org'] })).toEqual([200, undefined]);
    expect(await change(id, { services: ['contact', 'email'] })).toEqual([200, undefined]);
    expect(await change(id, { services: ['email', 'telegram', 'contact'] })).toEqual([400, 'services']);
    expect(await change(id, { services: ['contact'] })).toEqual([200, undefined]);
    expect(await change(id, { services: ['contact', 'email'] })).toEqual([400, 'services']);
  });

  test('contact always has a recipient, and a redirect stays on the origins of the client', async () => {
    const { id } = await createClient('own form', {
      services: ['contact'],
      contactTo: ['owner@example.org'],
    });
    const change = async (body: Record<string, unknown>) => {
      const answer = await call('PATCH', `/clients/${id}`, body);
      return [answer.status, answer.body.errors?.[0]?.path];
    };
    const redirectUrl = `${SITE}/thanks?a=b`;
    expect(await change({ contactTo: null })).toEqual([400, 'contactTo']);
    expect(await change({ contactTo: [] })).toEqual([200, undefined]);
    expect(await change({ redirectUrl })).toEqual([400, 'redirectUrl']);
    expect(await change({ origins: [SITE], redirectUrl })).toEqual([200, undefined]);
    expect(await change({ origins: ['https://else.example.org'] })).toEqual([400, 'redirectUrl']);
    const local = 'http://localhost:8080';
    expect(await change({ origins: [local], redirectUrl: `${local}/` })).toEqual([200, undefined]);
    expect(await change({ redirectUrl: null, origins: null })).toEqual([200, undefined]);
    const { id: other } = await createClient('no form', { services: ['email'], contactTo: [] });
    const widened = await call('PATCH', `/clients/${other}`, { services: ['contact'] });
    expect(widened.body.errors?.[0]?.path).toBe('contactTo');
  });

  test('have unique names', async () => {
    await createClient('unique');
    expect((await call('POST', '/clients', { name: 'unique', services: ['email'] })).body.code).toBe(
      'name_taken',
    );
  });

  test('limits apply, are reported, and end on their own', async () => {
    const second = await createClient('one a second', { limits: { second: 1, hour: null, day: null } });
    const send = (client: MailClient) =>
      post(posthouse, '/requestemail', { ...client, To: 'ada@example.org', Subject: 'x', Body: 'y' });
    const started = performance.now();
    expect((await Promise.all([send(second), send(second)])).map(({ status }) => status)).toEqual([200, 200]);
    expect(performance.now() - started).toBeGreaterThan(900);

    const sendFour = async (name: string) => {
      const client = await createClient(name, { limits: { second: null, hour: 2, day: 100 } });
      const hour = new Date().getUTCHours();
      const four = await Promise.all([send(client), send(client), send(client), send(client)]);
      return { client, four, isOneHour: hour === new Date().getUTCHours() };
    };
    let sent = await sendFour('two an hour');
    // Each hour has its own count.
    if (!sent.isOneHour) sent = await sendFour('two in the next hour');
    const { client: hour, four } = sent;
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
