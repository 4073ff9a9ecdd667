import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BACKENDS, describeOnce, freshSettings } from './harness/backends.ts';
import { foundationOf } from './harness/foundation.ts';
import { addMailClient, basic, type MailClient, messageState, post, untilStatus } from './harness/mail.ts';
import { type Posthouse, runCommand, runJson, startPosthouse } from './harness/posthouse.ts';
import { refusal } from './harness/refusal.ts';
import { served } from './harness/until.ts';
import { type SmtpStandIn, startSmtpStandIn } from './stand-ins/smtp.ts';

const USER = { name: 'posthouse', password: 'canary-smtp-password-1' };

describe.each(BACKENDS)('requestemail on %s', (backend) => {
  let smtp: SmtpStandIn;
  let posthouse: Posthouse;
  let settings: Record<string, string>;
  let client: MailClient;
  const send = (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
    post(
      posthouse,
      '/requestemail',
      { ...client, To: 'ada@example.org', Subject: 'Hello', Body: 'Text', ...body },
      headers,
    );
  /** Returns the only mail of a response. */
  const mailOf = (messageId: string | null) => smtp.arrived(({ parsed }) => parsed.messageId === messageId);

  beforeAll(async () => {
    smtp = await startSmtpStandIn({ user: USER });
    settings = {
      ...(await freshSettings(backend)),
      POSTHOUSE_SMTP_URL: `smtp://${USER.name}:${USER.password}@${smtp.host}:${smtp.port}?tls=none`,
      POSTHOUSE_MAIL_FROM: 'Post <post@example.org>',
      POSTHOUSE_ALLOW_PRIVATE_HOSTS: 'true',
      POSTHOUSE_CORS_ORIGINS: 'https://always.example.org',
    };
    posthouse = await startPosthouse(settings);
    client = await addMailClient(
      settings,
      'app',
      '--services',
      'email',
      '--origins',
      'https://app.example.org',
    );
  });
  afterAll(async () => {
    await posthouse.stop();
    await smtp.stop();
  });

  test('responds to Ping', async () => {
    const answer = await posthouse.fetch('/Ping');
    expect([answer.status, await answer.text(), answer.headers.get('Content-Type')]).toEqual([
      200,
      'Pong',
      'text/plain;charset=utf-8',
    ]);
  });

  test('a text e-mail is sent and acknowledged', async () => {
    const { status, body } = await send({
      Subject: 'Grüße, {{ name }}',
      Body: 'Zeile 1\nZeile 2 {{ name }}\n.\n..x',
    });
    expect(status).toBe(200);
    expect<unknown>(body).toEqual({
      Id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      Status: 'Sent',
      MessageId: expect.stringMatching(/^<[^<>@\s]+@example\.org>$/),
      Recipients: [{ Address: 'ada@example.org', Status: 'Sent', Error: null }],
    });
    const { parsed, from, to, user } = await mailOf(body.MessageId);
    expect([from, to, user]).toEqual(['post@example.org', ['ada@example.org'], USER.name]);
    expect(parsed.from?.value).toEqual([{ address: 'post@example.org', name: 'Post' }]);
    expect(parsed.subject).toBe('Grüße, {{ name }}');
    expect(parsed.text?.trimEnd()).toBe('Zeile 1\nZeile 2 {{ name }}\n.\n..x');
    expect(parsed.html).toBe(false);
    expect(Math.abs(Date.now() - (parsed.date?.getTime() ?? 0))).toBeLessThan(60_000);
  });

  test('every field is used', async () => {
    const picture = Buffer.from('89504e470d0a1a0a00', 'hex');
    const { status, body } = await send({
      To: ['Ada Lovelace <ada@example.org>', 'bob@bücher.example'],
      Cc: '"Doe, John" <john@example.org>',
      Bcc: ['secret@example.org', 'ADA@example.org'],
      Subject: 'Order {{ order.id }}',
      Body: undefined,
      HtmlTemplate:
        '<h1>{{ order.title }}</h1>{% for i in order.items %}<p>{{ i }}</p>{% endfor %}<img src="cid:logo@x">{{ order.safe | raw }}',
      TemplateData: {
        order: { id: 7, title: '<script>alert(1)</script>', items: ['a & b', 'c'], safe: '<b>ok</b>' },
      },
      FromName: 'Shop, Inc.',
      ReplyTo: 'Help <help@example.org>',
      Attachments: [
        {
          FileName: '../../Rechnung für dich.pdf',
          ContentType: 'application/pdf',
          Content: Buffer.from('%PDF-').toString('base64'),
        },
        { FileName: 'logo.png', Content: picture.toString('base64'), ContentId: 'logo@x' },
      ],
      Headers: { 'X-Order': '7', 'In-Reply-To': '<x@example.org>' },
      ListUnsubscribe: ['https://example.org/u?a=1', 'mailto:u@example.org'],
    });
    expect(status).toBe(200);
    expect(body.Recipients.map(({ Address }) => Address)).toEqual([
      'ada@example.org',
      'bob@xn--bcher-kva.example',
      'john@example.org',
      'secret@example.org',
    ]);
    const { parsed, to, raw } = await mailOf(body.MessageId);
    // smtp-server decodes the domain xn--bcher-kva.
    expect(to.sort()).toEqual([
      'ada@example.org',
      'bob@bücher.example',
      'john@example.org',
      'secret@example.org',
    ]);
    expect(raw).not.toContain('secret@example.org');
    const values = (field: typeof parsed.to) => [field].flat().flatMap((group) => group?.value ?? []);
    expect(values(parsed.to).map(({ name }) => name)).toEqual(['Ada Lovelace', '']);
    expect(values(parsed.cc)).toEqual([{ name: 'Doe, John', address: 'john@example.org' }]);
    expect(parsed.from?.value).toEqual([{ address: 'post@example.org', name: 'Shop, Inc.' }]);
    expect(parsed.replyTo?.value[0]?.address).toBe('help@example.org');
    expect(parsed.subject).toBe('Order 7');
    expect(parsed.html).toContain('<h1>&lt;script&gt;alert(1)&lt;/script&gt;</h1><p>a &amp; b</p><p>c</p>');
    expect(parsed.html).toContain('<b>ok</b>');
    expect(parsed.text).toContain('<script>alert(1)</script>');
    expect(parsed.text).toContain('a & b');
    expect(parsed.headers.get('x-order')).toBe('7');
    expect(parsed.inReplyTo).toBe('<x@example.org>');
    expect(raw).toContain('List-Unsubscribe: <https://example.org/u?a=1>, <mailto:u@example.org>');
    expect(
      parsed.attachments.map(({ filename, contentType, cid, content }) => [
        filename,
        contentType,
        cid,
        content.toString('hex'),
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['Rechnung für dich.pdf', 'application/pdf', undefined, Buffer.from('%PDF-').toString('hex')],
        ['logo.png', 'image/png', 'logo@x', picture.toString('hex')],
      ]),
    );
  });

  test('names match in any letter case; nulls and unknown fields are ignored', async () => {
    const { status, body } = await post(posthouse, '/requestemail', {
      clientid: client.ClientId.toUpperCase(),
      CLIENTSECRET: client.ClientSecret,
      to: ['ada@example.org'],
      cc: null,
      subject: '{{ Key }}{{ key }}',
      templateData: { Key: 'kept' },
      htmltemplate: '<p>x</p>',
      attachments: [{ filename: 'a.txt', CONTENT: 'eA==' }],
      whatever: { __proto__: 1 },
    });
    expect(status).toBe(200);
    const { parsed } = await mailOf(body.MessageId);
    expect(parsed.subject).toBe('kept');
    expect(parsed.attachments[0]?.content.toString()).toBe('x');
  });

  test('MJML nested too deeply is rejected, and later MJML is rendered', async () => {
    const wrappers = '<mj-wrapper>'.repeat(500) + '</mj-wrapper>'.repeat(500);
    const refused = await send({ HtmlTemplate: `<mjml><mj-body>${wrappers}</mj-body></mjml>` });
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_template']);
    expect((await send({ HtmlTemplate: '<mjml><mj-body></mj-body></mjml>' })).status).toBe(200);
  });

  test('MJML becomes HTML', async () => {
    const template =
      '<mjml><mj-body><mj-section><mj-column><mj-text>Dear {{ name }}</mj-text></mj-column></mj-section></mj-body></mjml>';
    const { body } = await send({ Body: undefined, HtmlTemplate: template, TemplateData: { name: '<i>' } });
    const { parsed } = await mailOf(body.MessageId);
    expect(parsed.html).toContain('Dear &lt;i&gt;');
    expect(parsed.html).not.toContain('mj-text');
    expect(parsed.html).not.toContain('fonts.googleapis');
    expect(parsed.text?.trim()).toBe('Dear <i>');
    expect((await send({ HtmlTemplate: '<mjml><mj-body><mj-section></mj-body></mjml>' })).body.code).toBe(
      'invalid_template',
    );
    expect(
      (await send({ HtmlTemplate: '<mjml><mj-body><mj-include path="/etc/passwd"/></mj-body></mjml>' })).body
        .code,
    ).toBe('invalid_template');
  });

  describe('credentials', () => {
    test('are checked before the rest', async () => {
      for (const [body, status, code] of [
        [{}, 400, 'invalid_request'],
        [{ ClientId: client.ClientId }, 400, 'invalid_request'],
        [{ ClientId: client.ClientId, ClientSecret: 7 }, 400, 'invalid_request'],
        [{ ...client, ClientSecret: `${client.ClientSecret}x`, To: 5 }, 401, 'bad_client'],
        [{ ...client, ClientSecret: 'x' }, 401, 'bad_client'],
        [{ ClientId: crypto.randomUUID(), ClientSecret: client.ClientSecret }, 401, 'bad_client'],
        [{ ClientId: "' or 1=1 --", ClientSecret: client.ClientSecret }, 401, 'bad_client'],
        [client, 400, 'invalid_request'],
        [[], 400, 'invalid_request'],
        ['"x"', 400, 'invalid_request'],
        ['{', 400, 'invalid_request'],
        [{ ...client, clientid: client.ClientId }, 400, 'invalid_request'],
      ] as const) {
        const answer = await post(posthouse, '/requestemail', body);
        expect([body, answer.status, answer.body.code]).toEqual([body, status, code]);
      }
      const wrongType = await post(posthouse, '/requestemail', 'To=x', {
        'Content-Type': 'application/x-www-form-urlencoded',
      });
      expect([wrongType.status, wrongType.body.code]).toEqual([415, 'unsupported_media_type']);
    });

    test('belong to services, and can be disabled and rotated', async () => {
      const other = await addMailClient(settings, 'telegram only', '--services', 'telegram');
      expect((await post(posthouse, '/requestemail', { ...other, To: 5 })).body.code).toBe(
        'service_not_allowed',
      );

      const app = await addMailClient(settings, 'rotating', '--services', 'email');
      const mail = { To: 'ada@example.org', Subject: 'x', Body: 'y' };
      const second = await runJson<MailClient>(settings, 'mail-client', 'rotate', '--name', 'rotating');
      const third = await runJson<MailClient>(settings, 'mail-client', 'rotate', '--name', app.ClientId);
      const statuses = await Promise.all(
        [app, second, third].map(
          async (c) => (await post(posthouse, '/requestemail', { ...c, ...mail })).status,
        ),
      );
      expect(statuses).toEqual([401, 200, 200]);
      await runJson(settings, 'mail-client', 'disable', '--name', 'rotating');
      expect((await post(posthouse, '/requestemail', { ...third, ...mail })).body.code).toBe('bad_client');

      const { clients } = await runJson<{ clients: { name: string }[] }>(settings, 'mail-client', 'list');
      expect(clients.map(({ name }) => name)).toEqual(['app', 'rotating', 'telegram only']);
      expect(JSON.stringify(clients)).not.toContain(third.ClientSecret);
      expect(
        (await runCommand(settings, 'mail-client', 'add', '--name', 'app', '--services', 'email')).status,
      ).toBe(1);
      expect(
        (await runCommand(settings, 'mail-client', 'add', '--name', 'x', '--services', 'mail')).stderr,
      ).toContain('--services');
    });

    test('are blocked for the client after 20 wrong ones', async () => {
      const app = await addMailClient(settings, 'guessed', '--services', 'email');
      const guess = () => post(posthouse, '/requestemail', { ...app, ClientSecret: 'wrong' });
      for (let i = 0; i < 20; i++) expect((await guess()).status).toBe(401);
      const blocked = await guess();
      expect([blocked.status, blocked.body.code]).toEqual([429, 'too_many_attempts']);
      expect(Number(blocked.headers.get('Retry-After'))).toBeGreaterThan(0);
      // The right secret is never refused.
      const right = { ...app, To: 'ada@example.org', Subject: 'x', Body: 'y' };
      expect((await post(posthouse, '/requestemail', right)).status).toBe(200);
    });
  });

  describeOnce(backend, 'is rejected with the name of the field', () => {
    const cases: [string, Record<string, unknown>, string?][] = [
      ['To', { To: undefined }],
      ['To', { To: [] }],
      ['To', { To: 7 }],
      ['To', { To: 'ada' }],
      ['To', { To: 'ada@example.org, eve' }],
      ['To', { To: ['ada@example.org', 'ada@@example.org'] }],
      ['To', { To: 'Ada <ada@example.org' }],
      ['To', { To: '"a b"@example.org' }],
      ['To', { To: 'ada@example.org\r\nBcc: eve@example.org' }],
      ['To', { To: 'Ada\r\nBcc: eve@example.org <ada@example.org>' }],
      ['To', { To: 'Ada\u0000 <ada@example.org>' }],
      ['To', { To: 'group: ada@example.org;' }],
      ['To', { To: '\ud800ada@example.org' }],
      ['To', { To: Array.from({ length: 101 }, (_, i) => `a${i}@example.org`) }],
      ['Cc', { Cc: 'x\ny@example.org' }],
      ['Bcc', { Bcc: ['eve@-example.org'] }],
      ['Subject', { Subject: undefined }],
      ['Subject', { Subject: '' }],
      ['Subject', { Subject: 'x\r\nBcc: eve@example.org' }],
      ['Subject', { Subject: '{{ s }}', TemplateData: { s: 'x\nBcc: eve@example.org' } }],
      ['Body', { Body: undefined }],
      ['Body', { Body: 7 }],
      ['HtmlTemplate', { HtmlTemplate: ['x'] }],
      ['TemplateName', { Body: undefined, TemplateName: 'no such template' }],
      ['TemplateName', { TemplateName: 'welcome' }],
      ['TemplateData', { TemplateData: [1] }],
      ['TemplateData', { TemplateData: 'x' }],
      ['StrictVariables', { StrictVariables: 'yes' }],
      ['From', { From: 'eve@example.com' }],
      ['From', { From: 'post@example.org\r\nX: y' }],
      ['FromName', { FromName: 'x\r\nBcc: eve@example.org' }],
      ['ReplyTo', { ReplyTo: 'x\r\n@example.org' }],
      ['ReplyTo', { ReplyTo: 'a@example.org, b@example.org' }],
      ['Attachments', { Attachments: {} }],
      ['Attachments.0.FileName', { Attachments: [{ Content: 'eA==' }] }],
      ['Attachments.0.FileName', { Attachments: [{ FileName: 'a\r\nX: y', Content: 'eA==' }] }],
      ['Attachments.0.Content', { Attachments: [{ FileName: 'a', Content: '*' }] }],
      ['Attachments.0.Content', { Attachments: [{ FileName: 'a', path: '/etc/passwd' }] }],
      ['Attachments.0.Content', { Attachments: [{ FileName: 'a', Content: { path: '/etc/passwd' } }] }],
      [
        'Attachments.0.ContentType',
        { Attachments: [{ FileName: 'a', Content: 'eA==', ContentType: 'text/plain\r\nX: y' }] },
      ],
      [
        'Attachments.0.ContentType',
        { Attachments: [{ FileName: 'a', Content: 'eA==', ContentType: 'multipart/mixed' }] },
      ],
      [
        'Attachments.0.ContentId',
        { Attachments: [{ FileName: 'a', Content: 'eA==', ContentId: 'x>\r\nX: y' }] },
      ],
      ['Headers.Bcc', { Headers: { Bcc: 'eve@example.org' } }],
      ['Headers.Content-Type', { Headers: { 'Content-Type': 'text/html' } }],
      ['Headers.DKIM-Signature', { Headers: { 'DKIM-Signature': 'x' } }],
      ['Headers.X-SMTPAPI', { Headers: { 'X-SMTPAPI': '{"to":["eve@example.com"]}' } }],
      ['Headers.x-msys-api', { Headers: { 'x-msys-api': '{"bcc":[]}' } }],
      ['Headers.X-MC-BccAddress', { Headers: { 'X-MC-BccAddress': 'eve@example.com' } }],
      ['Headers', { Headers: { 'X-A\r\nBcc': 'eve@example.org' } }],
      ['Headers.X-A', { Headers: { 'X-A': 'b\r\nBcc: eve@example.org' } }],
      ['Headers.X-A', { Headers: { 'X-A': { prepared: true, value: 'x' } } }],
      ['Headers.Keywords', { Headers: { Keywords: 'x'.repeat(996) } }],
      ['Headers.Keywords', { Headers: { Keywords: `a,${' '.repeat(76)}b` } }],
      ['Headers.In-Reply-To', { Headers: { 'In-Reply-To': `<${'x'.repeat(990)}@example.org>` } }],
      ['Headers.References', { Headers: { References: `<${'x '.repeat(990)}@example.org>` } }],
      ['ListUnsubscribe', { ListUnsubscribe: 'javascript:alert(1)' }],
      ['ListUnsubscribe', { ListUnsubscribe: `https://example.org/${'u'.repeat(975)}` }],
      ['ListUnsubscribe', { ListUnsubscribe: 'https://example.org/\r\nBcc: x' }],
      ['SendAt', { SendAt: 'tomorrow' }],
      ['SendAt', { SendAt: '2999-01-01T00:00:00Z' }],
      ['TrackOpens', { TrackOpens: 'x' }],
      ['SmtpConfiguration.Host', { SmtpConfiguration: {} }],
      ['SmtpConfiguration.Host', { SmtpConfiguration: { Host: 'localhost\r\nX: y' } }],
      ['SmtpConfiguration.Port', { SmtpConfiguration: { Host: 'localhost', Port: 'x' } }],
      ['SmtpConfiguration.Security', { SmtpConfiguration: { Host: 'localhost', Security: 'ssl' } }],
      ['SmtpConfiguration.Username', { SmtpConfiguration: { Host: 'localhost', Password: 'x' } }],
      ['SmtpConfiguration.From', { SmtpConfiguration: { Host: 'localhost', From: 'x\r\ny@example.org' } }],
      ['Subject', { subject: 'twice' }],
      ['SmtpConfiguration.Host', { SmtpConfiguration: { Host: 'a', host: 'b' } }],
      ['HtmlTemplate', { HtmlTemplate: '{% if %}' }, 'invalid_template'],
      ['HtmlTemplate', { HtmlTemplate: '{{ a.b }}', StrictVariables: true }, 'invalid_template'],
      ['Subject', { Subject: '{{ x | nope }}', TemplateData: {} }, 'invalid_template'],
      ['Body', { Body: "{% include 'x' %}", TemplateData: {} }, 'invalid_template'],
    ];
    test.each(cases.map((each, index) => [index, ...each] as const))(
      'case %d: %s',
      async (_, path, fields, code = 'invalid_request') => {
        const arrived = smtp.mails.length;
        const { status, body } = await send(fields);
        expect([status, body.code]).toEqual([400, code]);
        expect(body.errors?.map((error) => error.path)).toContain(path);
        expect(smtp.mails.length).toBe(arrived);
      },
    );

    test('attachments above 25 MB together', async () => {
      const content = 'A'.repeat(11.4 * 1024 * 1024);
      const { status, body } = await send({
        Attachments: [1, 2, 3].map(() => ({ FileName: 'a', Content: content })),
      });
      expect([status, body.errors?.[0]?.path]).toEqual([400, 'Attachments']);
    });

    test('a body above 36 MB', async () => {
      const { status, body } = await send({ Body: 'x'.repeat(36 * 1024 * 1024) });
      expect([status, body.code]).toEqual([413, 'body_too_large']);
    });
  });

  test('25 MB of attachments arrive whole', async () => {
    const parts = [0, 1, 2].map(() => crypto.getRandomValues(Buffer.alloc(65_536)));
    const content = Buffer.concat(Array.from({ length: 399 }, (_, i) => parts[i % 3] as Buffer));
    const attached = { Attachments: [{ FileName: 'big.bin', Content: content.toString('base64') }] };
    // 202 = the first attempt takes longer than a caller waits.
    const { status, body } = await served(() => send(attached));
    expect([200, 202]).toContain(status);
    const { parsed } = await mailOf(body.MessageId);
    expect(parsed.attachments[0]?.content.equals(content)).toBe(true);
    // The limit of the child is 75 s, which a busy machine may need several times.
  }, 400_000);

  test('an e-mail has as many names in its TemplateData as it needs', async () => {
    const rows = Array.from({ length: 10_001 }, (_, n) => ({ id: n, name: `n${n}` }));
    const { status, body } = await served(() =>
      send({ Subject: '{{ rows[10000].name }}', Body: 'x', TemplateData: { rows } }),
    );
    expect([200, 202]).toContain(status);
    expect((await mailOf(body.MessageId)).parsed.subject).toBe('n10000');
  });

  test('prototype keys at every depth change nothing', async () => {
    const evil =
      '{"__proto__":{"polluted":"yes","path":"/etc/passwd"},"constructor":{"prototype":{"polluted":"yes"}},"a":{"__proto__":{"polluted":"yes"}}}';
    const raw = `{"ClientId":"${client.ClientId}","ClientSecret":"${client.ClientSecret}","To":"ada@example.org","Subject":"x",
      "HtmlTemplate":"[{{ polluted }}{{ a.polluted }}{{ a.constructor.name }}]","TemplateData":${evil},"Headers":{"__proto__":"x"},"__proto__":{"Bcc":"eve@example.org"},
      "constructor":{"Bcc":"eve@example.org"},"Attachments":[{"FileName":"a","Content":"eA==","__proto__":{"path":"/etc/passwd"}}],
      "SmtpConfiguration":null}`;
    const { status, body } = await post(posthouse, '/requestemail', raw);
    expect(status).toBe(200);
    const { parsed, to } = await mailOf(body.MessageId);
    expect(parsed.html).toContain('[]');
    expect(to).toEqual(['ada@example.org']);
    expect(parsed.attachments.map(({ content }) => content.toString())).toEqual(['x']);
  });

  describe('idempotency', () => {
    test('a repeat gets the first response and sends once', async () => {
      const key = { 'Idempotency-Key': crypto.randomUUID() };
      const smtpConfiguration = {
        Host: smtp.host,
        Port: smtp.port,
        Security: 'None',
        Username: USER.name,
        Password: USER.password,
        From: 'a@example.org',
      };
      const first = await send({ Subject: 'once', SmtpConfiguration: smtpConfiguration }, key);
      const again = await send(
        { SmtpConfiguration: { ...smtpConfiguration, Password: 'another' }, Subject: 'once' },
        key,
      );
      expect([first.status, again.status]).toEqual([200, 200]);
      expect(again.body).toEqual(first.body);
      expect(smtp.mails.filter(({ parsed }) => parsed.subject === 'once')).toHaveLength(1);
      const conflict = await send({ Subject: 'twice' }, key);
      expect([conflict.status, conflict.body.code]).toEqual([409, 'idempotency_conflict']);
      expect((await send({}, { 'Idempotency-Key': 'x'.repeat(256) })).status).toBe(400);
    });

    test('concurrent repeats send one e-mail', async () => {
      const key = { 'Idempotency-Key': crypto.randomUUID() };
      const answers = await Promise.all(Array.from({ length: 5 }, () => send({ Subject: 'at once' }, key)));
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      await mailOf(answers[0]?.body.MessageId ?? null);
      expect(smtp.mails.filter(({ parsed }) => parsed.subject === 'at once')).toHaveLength(1);
    });

    test('a repeat of a large e-mail stores nothing', async () => {
      const { database } = await foundationOf(settings);
      const stored = async () =>
        (await database.read.selectFrom('mail_contents').select('id').execute()).length;
      const key = { 'Idempotency-Key': crypto.randomUUID() };
      const large = { Subject: 'large', Body: 'x'.repeat(700_000) };
      const before = await stored();
      const first = await send(large, key);
      expect(first.status).toBe(200);
      expect((await send(large, key)).body).toEqual(first.body);
      expect((await stored()) - before).toBe(1);
    });
  });

  test('respond-async responds before the e-mail is sent', async () => {
    const { status, body } = await send({ Subject: 'later' }, { Prefer: 'respond-async' });
    expect([status, body.Status, body.Recipients[0]?.Status]).toEqual([202, 'Queued', 'Queued']);
    await mailOf(body.MessageId);
    expect((await untilStatus(posthouse, client, body.Id, 'Sent')).Attempts).toBe(1);
  });

  test('a scheduled e-mail waits and can be cancelled', async () => {
    const { status, body } = await send({ SendAt: new Date(Date.now() + 3_600_000).toISOString() });
    expect([status, body.Status]).toEqual([202, 'Scheduled']);
    expect((await messageState(posthouse, client, body.Id)).Status).toBe('Scheduled');
    const cancel = () =>
      posthouse.fetch(`/messages/${body.Id}`, { method: 'DELETE', headers: basic(client) });
    const cancelled = await cancel();
    expect([cancelled.status, ((await cancelled.json()) as { Status: string }).Status]).toEqual([
      200,
      'Cancelled',
    ]);
    expect((await cancel()).status).toBe(200);
    const soon = await send({ SendAt: new Date(Date.now() + 1_200).toISOString(), Subject: 'soon' });
    expect(soon.body.Status).toBe('Scheduled');
    await mailOf(soon.body.MessageId);
  });

  test('a message belongs to its client', async () => {
    const { body } = await send({});
    const state = await messageState(posthouse, client, body.Id);
    expect(state).toMatchObject({
      Id: body.Id,
      Status: 'Sent',
      MessageId: body.MessageId,
      Attempts: 1,
      LastError: null,
      NextAttempt: null,
    });
    const other = await addMailClient(settings, 'other', '--services', 'email');
    for (const method of ['GET', 'DELETE']) {
      const status = async (id: string, headers: Record<string, string>) =>
        (await posthouse.fetch(`/messages/${id}`, { method, headers })).status;
      expect(await status(body.Id, basic(other))).toBe(404);
      expect(await status(crypto.randomUUID(), basic(client))).toBe(404);
      expect(await status('x', basic(client))).toBe(404);
      expect(await status(body.Id, {})).toBe(401);
      expect(await status(body.Id, basic({ ...client, ClientSecret: 'x' }))).toBe(401);
    }
    const unsigned = await posthouse.fetch(`/messages/${body.Id}`);
    expect(unsigned.headers.get('WWW-Authenticate')).toStartWith('Basic');
    const late = await posthouse.fetch(`/messages/${body.Id}`, { method: 'DELETE', headers: basic(client) });
    expect(await refusal(late)).toEqual([409, 'not_cancellable']);
  });

  test('CORS for the settings’ origins and the client’s own', async () => {
    const preflight = (origin: string) =>
      posthouse.fetch('/requestemail', {
        method: 'OPTIONS',
        headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
      });
    for (const origin of ['https://always.example.org', 'https://app.example.org']) {
      const { status, headers } = await preflight(origin);
      expect([status, headers.get('Access-Control-Allow-Origin')]).toEqual([204, origin]);
      expect(headers.get('Access-Control-Allow-Headers')).toContain('Content-Type');
      const answer = await send({ To: 'x' }, { Origin: origin });
      expect([answer.status, answer.headers.get('Access-Control-Allow-Origin')]).toEqual([400, origin]);
      expect(answer.headers.get('Access-Control-Allow-Credentials')).toBeNull();
    }
    expect(
      (await preflight('https://evil.example.org')).headers.get('Access-Control-Allow-Origin'),
    ).toBeNull();
    expect(
      (await send({ To: 'x' }, { Origin: 'https://evil.example.org' })).headers.get(
        'Access-Control-Allow-Origin',
      ),
    ).toBeNull();
  });
});
