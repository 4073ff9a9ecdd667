import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { freshSettings, ONE_BACKEND } from './harness/backends.ts';
import { addMailClient, type MailClient, post } from './harness/mail.ts';
import { type Posthouse, startPosthouse } from './harness/posthouse.ts';
import { everythingStored } from './harness/stored.ts';
import { type ArrivedMail, type SmtpStandIn, startSmtpStandIn } from './stand-ins/smtp.ts';

/** The e-mail to the recipients of a form, by the language of its client. */
const MAILS = {
  en: {
    subject: 'Message from Ada',
    title: 'A message from Ada',
    text: `Hello

Name: Ada
E-mail: ada@example.org
Phone: +49 1
Company: Engines

System information
Address: 193.99.144.80
Place: Germany
User agent: Browser
Language: fr
Referrer: https://site.example.org/contact
Time: NOW
IP Geolocation by DB-IP (https://db-ip.com)
`,
  },
  de: {
    subject: 'Nachricht von Ada',
    title: 'Eine Nachricht von Ada',
    text: `Hello

Name: Ada
E-Mail: ada@example.org
Telefon: +49 1
Company: Engines

Systeminformationen
IP-Adresse: 193.99.144.80
Standort: Deutschland
Browserkennung: Browser
Sprache: fr
Verweisende Seite: https://site.example.org/contact
Zeit: NOW
IP Geolocation by DB-IP (https://db-ip.com)
`,
  },
};

const domainOf = (messageId: string | null) => messageId?.split('@')[1];

describe.each(ONE_BACKEND)('sendcontactusform on %s', (backend) => {
  let smtp: SmtpStandIn;
  let posthouse: Posthouse;
  let settings: Record<string, string>;
  let client: MailClient;
  let visitors = 0;
  /** Header fields with a different address for each visitor, sent as a trusted proxy. */
  const visitor = () => ({
    'X-Forwarded-For': `198.18.${Math.floor(++visitors / 250)}.${(visitors % 250) + 1}`,
  });
  const send = (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
    post(
      posthouse,
      '/sendcontactusform',
      { ...client, Email: 'ada@example.org', Message: 'Hello', ...body },
      { ...visitor(), ...headers },
    );
  const mailOf = (messageId: string | null): Promise<ArrivedMail> =>
    smtp.arrived(({ parsed }) => parsed.messageId === messageId);

  beforeAll(async () => {
    smtp = await startSmtpStandIn();
    settings = {
      ...(await freshSettings(backend)),
      POSTHOUSE_SMTP_URL: `smtp://${smtp.host}:${smtp.port}?tls=none`,
      POSTHOUSE_MAIL_FROM: 'Post <post@example.org>',
      POSTHOUSE_TRUSTED_PROXIES: '127.0.0.1',
    };
    posthouse = await startPosthouse(settings);
    client = await addMailClient(
      settings,
      'site',
      '--services',
      'contact',
      '--contact-to',
      'owner@example.org,Team <team@example.org>',
      '--origins',
      'https://site.example.org',
    );
  });
  afterAll(async () => {
    await posthouse.stop();
    await smtp.stop();
  });

  test('a message without a subject gets one with its sender', async () => {
    for (const [body, expected] of [
      [{ Name: 'Ada' }, 'Message from Ada'],
      [{ Subject: ' ' }, 'Message from ada@example.org'],
    ] as const) {
      const { body: answer } = await send(body);
      expect((await mailOf(answer.MessageId)).parsed.subject).toBe(expected);
    }
  });

  test('a message goes to the client’s recipients, replies go to the visitor', async () => {
    const { status, body } = await send({
      name: 'Ada <b>Lovelace</b>, Countess',
      Phone: '+44 1',
      Subject: 'A “question”',
      Message: 'Line 1 <script>alert(1)</script>\nLine 2 {{ email }}',
      Fields: { Company: 'A & B', '<i>key</i>': '"x"', Number: 7, List: [1, 2] },
      To: 'eve@example.org',
      Recipients: ['eve@example.org'],
    });
    expect([status, body.Status]).toEqual([200, 'Sent']);
    expect(body.Recipients).toEqual([]);
    const { parsed, to, from } = await mailOf(body.MessageId);
    expect([from, to]).toEqual(['post@example.org', ['owner@example.org', 'team@example.org']]);
    expect(parsed.replyTo?.value).toEqual([
      { address: 'ada@example.org', name: 'Ada <b>Lovelace</b>, Countess' },
    ]);
    expect(parsed.subject).toBe('A “question”');
    const html = String(parsed.html);
    for (const escaped of [
      'Line 1 &lt;script&gt;alert(1)&lt;/script&gt;',
      'Line 2 {{ email }}',
      'A &amp; B',
      '&lt;i&gt;key&lt;/i&gt;',
      '&lt;b&gt;Lovelace',
    ])
      expect(html).toContain(escaped);
    expect(html).not.toContain('<script');
    expect(html).not.toContain('System information');
    expect(parsed.text).toContain('Line 1 <script>alert(1)</script>\nLine 2 {{ email }}');
    expect(parsed.text).toContain('Company: A & B');
    expect(parsed.text).toContain('Number: 7');
    expect(parsed.text).toContain('Phone: +44 1');
  });

  test('system information, with the place looked up offline', async () => {
    const { body } = await send(
      { IncludeSystemInfo: true },
      {
        'X-Forwarded-For': '193.99.144.80',
        'User-Agent': 'Browser <x>',
        'Accept-Language': 'de-DE',
        Referer: 'https://site.example.org/contact',
      },
    );
    const { parsed } = await mailOf(body.MessageId);
    for (const line of [
      'Address: 193.99.144.80',
      'Place: Germany',
      'User agent: Browser <x>',
      'Language: de-DE',
      'Referrer: https://site.example.org/contact',
    ])
      expect(parsed.text).toContain(line);
    expect(parsed.text).toMatch(/Time: \d{4}-\d\d-\d\dT/);
    expect(parsed.text).not.toContain('reported');
    expect(parsed.html).toContain('Browser &lt;x&gt;');
    expect(parsed.html).toContain('https://db-ip.com');
  });

  test('a back end that relays the form can describe its visitor', async () => {
    const { body } = await send(
      {
        IncludeSystemInfo: true,
        SystemInfo: { IpAddress: '133.1.1.1', userAgent: 'Phone', Screen: '<b>1x1</b>', __proto__: { x: 1 } },
      },
      { 'User-Agent': 'relay/1.0' },
    );
    const { parsed } = await mailOf(body.MessageId);
    for (const line of [
      'Address (reported): 133.1.1.1',
      'Place (reported): Japan',
      'User agent (reported): Phone',
      'Screen (reported): <b>1x1</b>',
    ])
      expect(parsed.text).toContain(line);
    expect(parsed.text).not.toContain('relay/1.0');
    expect(parsed.html).toContain('&lt;b&gt;1x1&lt;/b&gt;');
  });

  test('a value of a visitor looks like no row of the e-mail', async () => {
    const value = 'x\nAddress: 8.8.8.8';
    const SystemInfo = { UserAgent: value, Language: value, [value]: value };
    const { body } = await send({ IncludeSystemInfo: true, SystemInfo, Fields: { [value]: value } });
    const lines = (await mailOf(body.MessageId)).parsed.text?.split('\n') ?? [];
    expect(lines.filter((line) => line.includes('8.8.8.8'))).toEqual([
      'x Address: 8.8.8.8: x',
      '    Address: 8.8.8.8',
      'User agent (reported): x Address: 8.8.8.8',
      'Language (reported): x Address: 8.8.8.8',
      'x Address: 8.8.8.8 (reported): x Address: 8.8.8.8',
    ]);
  });

  test.each(['en', 'de'] as const)('the e-mail to the recipients of a client in %s', async (language) => {
    const reader = await addMailClient(
      settings,
      `site in ${language}`,
      ...['--services', 'contact', '--contact-to', 'owner@example.org', '--contact-language', language],
    );
    const form = { ...reader, Name: 'Ada', IncludeSystemInfo: true };
    const { body } = await send(
      { ...form, Phone: '+49 1', Fields: { Company: 'Engines' } },
      {
        'X-Forwarded-For': '193.99.144.80',
        'User-Agent': 'Browser',
        'Accept-Language': 'fr',
        Referer: 'https://site.example.org/contact',
      },
    );
    const { parsed } = await mailOf(body.MessageId);
    const { subject, title, text } = MAILS[language];
    expect([parsed.subject, parsed.text?.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, 'NOW')]).toEqual([
      subject,
      text,
    ]);
    const html = String(parsed.html);
    for (const row of text.matchAll(/^[\p{L} -]+(?=: (?!NOW))/gmu)) expect(html).toContain(`>${row[0]}</td>`);
    expect(html).toContain(`>${title}</div>`);

    const reported = await send({ ...form, SystemInfo: { IpAddress: '192.0.2.1' } });
    expect((await mailOf(reported.body.MessageId)).parsed.text).toContain(
      { en: 'Address (reported): 192.0.2.1', de: 'IP-Adresse (ungeprüft): 192.0.2.1' }[language],
    );
  });

  test('a page can post its form', async () => {
    const form = new URLSearchParams({
      clientid: client.ClientId,
      ClientSecret: client.ClientSecret,
      email: 'ada@example.org',
      Message: 'From a form',
      'Fields[Company]': 'Engines',
      'Fields.Size': 'big',
      IncludeSystemInfo: 'on',
      Website: '',
    });
    const multipart = new FormData();
    for (const [name, value] of form) multipart.append(name, value);
    for (const body of [form, multipart]) {
      const answer = await posthouse.fetch('/sendcontactusform', {
        method: 'POST',
        body,
        headers: { Origin: 'https://site.example.org', ...visitor() },
      });
      expect([answer.status, answer.headers.get('Access-Control-Allow-Origin')]).toEqual([
        200,
        'https://site.example.org',
      ]);
      const sent = (await answer.json()) as { MessageId: string; Recipients: unknown[] };
      // The recipients are not revealed to visitors.
      expect(sent.Recipients).toEqual([]);
      const { parsed } = await mailOf(sent.MessageId);
      for (const line of ['From a form', 'Company: Engines', 'Size: big', 'System information'])
        expect(parsed.text).toContain(line);
    }
  });

  test('files of a form are named as ignored', async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries({
      ...client,
      Email: 'ada@example.org',
      Message: 'With a file',
    }))
      form.append(name, value);
    form.append('Fields[photo]', new Blob(['bytes']), 'photo.png');
    const sent = (body: FormData, headers = {}) =>
      posthouse.fetch('/sendcontactusform', {
        method: 'POST',
        body,
        headers: { Origin: 'https://site.example.org', ...visitor(), ...headers },
      });
    const answer = await sent(form);
    expect([answer.status, answer.headers.get('Posthouse-Ignored-Fields')]).toEqual([200, '"Fields[photo]"']);
    expect((await sent(form, { Prefer: 'handling=strict' })).status).toBe(400);
    form.set('Message', new Blob(['bytes']), 'message.txt');
    expect(await (await sent(form)).json()).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: 'Message' }],
    });
  });

  test('a form with thousands of names is refused before it is parsed', async () => {
    const Fields = Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`f${n}`, n]));
    const { status, body } = await send({ Fields });
    expect([status, body.errors]).toEqual([
      400,
      [{ path: 'body', message: 'must have at most 1000 names in its objects' }],
    ]);
  });

  test('IncludeSystemInfo of a form is a word for true or false', async () => {
    const status = async (word: string) => (await send({ IncludeSystemInfo: word })).status;
    expect([await status('on'), await status('FALSE'), await status('maybe')]).toEqual([200, 200, 400]);
  });

  test('pages of other origins and clients of other services are rejected', async () => {
    expect((await send({}, { Origin: new URL(posthouse.url).origin })).status).toBe(200);
    const arrived = smtp.mails.length;
    expect((await send({}, { Origin: 'https://evil.example.org' })).body.code).toBe('cross_site_request');
    expect((await send({ ClientSecret: 'x' })).body.code).toBe('bad_client');
    const mailOnly = await addMailClient(
      settings,
      'mail only',
      '--services',
      'email',
      '--contact-to',
      'owner@example.org',
    );
    expect((await send({ ...mailOnly })).body.code).toBe('service_not_allowed');
    expect(smtp.mails.length).toBe(arrived);
  });

  test('a filled honeypot gets the usual response and is never sent', async () => {
    const arrived = smtp.mails.length;
    const { status, body } = await send({
      Website: 'https://spam.example',
      Message: 'canary of the honeypot',
    });
    expect([status, body.Status, Object.keys(body).sort()]).toEqual([
      200,
      'Sent',
      ['Id', 'MessageId', 'Recipients', 'Status'],
    ]);
    const { status: after, body: real } = await send({});
    expect([after, smtp.mails.length]).toEqual([200, arrived + 1]);
    expect(domainOf(body.MessageId)).toBe(domainOf(real.MessageId));
    expect(await everythingStored(settings)).toContain('canary of the honeypot');
  });

  test('neither the response nor the state of a message shows the recipients to the credentials of a page', async () => {
    const credentials = btoa(`${client.ClientId}:${client.ClientSecret}`);
    const sent = await send({});
    const state = await posthouse.fetch(`/messages/${sent.body.Id}`, {
      headers: { Authorization: `Basic ${credentials}` },
    });
    const shown = await state.text();
    expect([state.status, JSON.parse(shown).Recipients]).toEqual([200, []]);
    expect(shown + JSON.stringify(sent.body)).not.toMatch(/owner@|team@/);
  });

  test('the limit of one address affects no other', async () => {
    const from = { 'X-Forwarded-For': '198.51.100.9' };
    const statuses = [];
    for (let i = 0; i < 21; i++) statuses.push((await send({ Website: 'x' }, from)).status);
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(200));
    const limited = await send({}, from);
    expect([limited.status, limited.body.code]).toEqual([429, 'rate_limited']);
    expect(Number(limited.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await send({ SystemInfo: { IpAddress: '198.51.100.9' } }, from)).status).toBe(429);
    expect((await send({})).status).toBe(200);
  });

  test('callers that report the address of another visitor do not use up its limit', async () => {
    const reported = { SystemInfo: { IpAddress: '198.51.100.11' }, Website: 'x' };
    const from = { 'X-Forwarded-For': '198.51.100.12' };
    for (let i = 0; i < 20; i++) expect((await send(reported, from)).status).toBe(200);
    expect((await send(reported, from)).status).toBe(429);
    expect((await send({ Website: 'x' }, { 'X-Forwarded-For': '198.51.100.11' })).status).toBe(200);
  });

  test('made-up addresses of visitors do not lift the limit of the caller', async () => {
    const from = { 'X-Forwarded-For': '198.51.100.10' };
    const madeUp = (i: number) =>
      send({ Website: 'x', SystemInfo: { IpAddress: `198.18.${i >> 8}.${i & 255}` } }, from);
    for (let i = 0; i < 200; i++) expect((await madeUp(i)).status).toBe(200);
    // The limit grows by one a second meanwhile.
    let status = 200;
    for (let i = 200; status === 200; i++) ({ status } = await madeUp(i));
    expect(status).toBe(429);
    // Each address that a caller reports has its own limit, too.
    expect((await send({ SystemInfo: { IpAddress: '203.0.113.77' } })).status).toBe(200);
  });

  test.each<[string, Record<string, unknown>]>([
    ['Email', { Email: undefined }],
    ['Email', { Email: 'ada' }],
    ['Email', { Email: 'ada@example.org\r\nBcc: eve@example.org' }],
    ['Email', { Email: 'ada@example.org, eve@example.org' }],
    ['Message', { Message: undefined }],
    ['Message', { Message: '  ' }],
    ['Message', { Message: 'x'.repeat(100_001) }],
    ['Name', { Name: 'Ada\r\nBcc: eve@example.org' }],
    ['Phone', { Phone: '1\n2' }],
    ['Subject', { Subject: 'x\r\nBcc: eve@example.org' }],
    ['Fields', { Fields: 'x' }],
    ['SystemInfo', { SystemInfo: [1] }],
    ['IncludeSystemInfo', { IncludeSystemInfo: 7 }],
    ['Email', { email: 'ada@example.org' }],
  ])('%s is rejected by name', async (path, fields) => {
    const arrived = smtp.mails.length;
    const { status, body } = await send(fields);
    expect([status, body.code, body.errors?.[0]?.path]).toEqual([400, 'invalid_request', path]);
    expect(smtp.mails.length).toBe(arrived);
  });

  test('another media type is rejected', async () => {
    const { status, body } = await post(posthouse, '/sendcontactusform', 'x', {
      'Content-Type': 'text/plain',
    });
    expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
  });

  test('a repeat with an idempotency key sends once', async () => {
    const key = { 'Idempotency-Key': crypto.randomUUID() };
    const first = await send({ Subject: 'once only' }, key);
    expect((await send({ Subject: 'once only' }, key)).body).toEqual(first.body);
    expect(smtp.mails.filter(({ parsed }) => parsed.subject === 'once only')).toHaveLength(1);
  });
});
