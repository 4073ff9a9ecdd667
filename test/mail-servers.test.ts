import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { freshSettings } from './harness/backends.ts';
import { runJson } from './harness/command.ts';
import { addMailClient, type MailClient, messageState, post, untilAttempted } from './harness/mail.ts';
import { type Posthouse, signInAdmin, startPosthouse } from './harness/posthouse.ts';
import { until } from './harness/until.ts';
import { type SmtpStandIn, startSmtpStandIn } from './stand-ins/smtp.ts';

const MB = 1_048_576;

describe('mail servers', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  let smtp: SmtpStandIn;
  let posthouse: Posthouse;
  let settings: Record<string, string>;
  let client: MailClient;
  const started: SmtpStandIn[] = [];
  const standIn = async (options: Parameters<typeof startSmtpStandIn>[0] = {}) => {
    const server = await startSmtpStandIn(options);
    started.push(server);
    return server;
  };
  const send = (body: Record<string, unknown> = {}) =>
    post(posthouse, '/requestemail', { ...client, To: 'ada@example.org', Subject: 'x', Body: 'x', ...body });
  const over = ({ host, port }: SmtpStandIn, more: object = {}) => ({
    SmtpConfiguration: { Host: host, Port: port, Security: 'None', ...more },
  });

  beforeAll(async () => {
    smtp = await standIn();
    settings = {
      ...(await freshSettings()),
      POSTHOUSE_SMTP_URL: `smtp://${smtp.host}:${smtp.port}?tls=none`,
      POSTHOUSE_SMTP_NAME: 'mail.example.org',
      POSTHOUSE_MAIL_FROM: 'post@example.org',
      POSTHOUSE_ALLOW_PRIVATE_HOSTS: 'true',
      POSTHOUSE_DKIM_DOMAIN: 'example.org',
      POSTHOUSE_DKIM_SELECTOR: 's1',
      POSTHOUSE_DKIM_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    };
    posthouse = await startPosthouse(settings);
    client = await addMailClient(settings, 'app', '--services', 'email');
  });
  afterAll(async () => {
    await posthouse.stop();
    for (const server of started) await server.stop();
  });

  test('hanging servers of callers leave connections to the configured server', async () => {
    const hanging = await Promise.all(Array.from({ length: 4 }, () => standIn()));
    const hostile = await addMailClient(settings, 'hostile', '--services', 'email');
    const mails = hanging.flatMap((server) => Array.from({ length: 10 }, () => server));
    for (const server of mails) server.trouble({ at: 'data', hang: true });
    for (const server of mails) {
      const body = { ...hostile, To: 'ada@example.org', Subject: 'x', Body: 'x', ...over(server) };
      const { status } = await post(posthouse, '/requestemail', body, { Prefer: 'respond-async' });
      expect(status).toBe(202);
    }
    const arrived = () => hanging.reduce((sum, server) => sum + server.mails.length, 0);
    await until(() => arrived() >= 10);
    expect((await send()).status).toBe(200);
    expect(arrived()).toBe(10);
    for (const server of hanging) server.clearTroubles();
    for (const server of hanging) server.release();
  });

  test('the address of the configured server in settings of callers does not count against it', async () => {
    const hostile = await addMailClient(settings, 'impostor', '--services', 'email');
    const sendOver = async (more: object) => {
      const body = { ...hostile, To: 'ada@example.org', Subject: 'hostile', Body: 'x', ...over(smtp, more) };
      expect((await post(posthouse, '/requestemail', body, { Prefer: 'respond-async' })).status).toBe(202);
    };
    for (let count = 0; count < 2; count++) smtp.trouble({ at: 'data', hang: true });
    for (let count = 0; count < 2; count++) await sendOver({});
    await until(() => smtp.mails.filter(({ acknowledged }) => !acknowledged).length === 2);
    // The server offers no TLS, so that these fail because of the server.
    for (let count = 0; count < 3; count++) {
      const body = { ...hostile, To: 'ada@example.org', Subject: 'x', Body: 'x' };
      const { body: sent } = await post(posthouse, '/requestemail', {
        ...body,
        ...over(smtp, { Security: 'StartTls' }),
      });
      expect(sent.Status).toBe('Queued');
    }
    expect((await send()).status).toBe(200);
    smtp.release();
  });

  test('of a long reply, the beginning is kept for each recipient', async () => {
    const hostile = await standIn();
    const text = `4.2.1 ${'later '.repeat(8_000)}`;
    const recipients = ['a@example.org', 'b@example.org'];
    for (const address of recipients) hostile.refuse(address, { code: 450, text });
    const { status, body } = await send({ To: recipients, ...over(hostile) });
    expect([status, body.Status]).toEqual([202, 'Queued']);
    for (const { Error: error } of body.Recipients) expect(error).toBe(`450 ${text}`.slice(0, 500));
  });

  test('a reply that is cut within a password contains no part of it', async () => {
    const user = { name: 'ada', password: 'canary-password-of-ada' };
    const server = await standIn({ user });
    const cut = `450 4.2.1 ${'x'.repeat(480)}`;
    server.refuse('ada@example.org', { code: 450, text: `${cut.slice(4)}${user.password}` });
    const { body } = await send(over(server, { Username: user.name, Password: user.password }));
    expect(body.Recipients[0]?.Error).toBe(cut);
  });

  test('an e-mail with credentials is not sent to a server that offers no sign-in', async () => {
    const server = await standIn();
    const { status, body } = await send(over(server, { Username: 'robot', Password: 'secret' }));
    expect([status, body.code]).toEqual([502, 'platform_rejected']);
    expect(server.mails).toEqual([]);
    const checks = await runJson<{ parts: { name: string; ok: boolean }[] }>(
      { ...settings, POSTHOUSE_SMTP_URL: `smtp://robot:secret@${server.host}:${server.port}?tls=none` },
      'doctor',
    ).catch((error: Error) => error);
    expect(String(checks)).toContain('smtp');
  });

  test('the server introduces itself by POSTHOUSE_SMTP_NAME, and announces the size', async () => {
    const server = await standIn({ extensions: { size: MB } });
    const { body } = await send({ ...over(server), Body: 'x'.repeat(10_000) });
    const mail = await server.arrived(({ parsed }) => parsed.messageId === body.MessageId);
    expect(mail.ehlo).toBe('mail.example.org');
    expect(Number(mail.parameters.SIZE)).toBeGreaterThan(10_000);
    expect(Number(mail.parameters.SIZE)).toBeLessThan(12_000);
  });

  test('an e-mail that is larger than the server accepts fails permanently', async () => {
    const server = await standIn({ extensions: { size: MB } });
    const { status, body } = await send({ ...over(server), Body: 'x'.repeat(MB) });
    expect([status, body.code]).toEqual([502, 'platform_rejected']);
    expect(server.mails).toEqual([]);
  });

  test.each([
    ['connect', 554, '5.7.1 your address is blocked'],
    ['mail', 550, '5.7.1 your account is suspended'],
  ] as const)('a refusal of all mails at %s pauses the account, and loses none', async (at, code, text) => {
    const server = await standIn();
    const other = await startPosthouse({
      ...(await freshSettings()),
      POSTHOUSE_SMTP_URL: `smtp://${server.host}:${server.port}?tls=none`,
      POSTHOUSE_MAIL_FROM: 'post@example.org',
    });
    try {
      const own = await addMailClient(other.settings, 'app', '--services', 'email');
      const news = await addMailClient(
        other.settings,
        'news',
        '--services',
        'email',
        '--from',
        'news@example.org',
      );
      const queue = async (Subject: string) =>
        (await post(other, '/requestemail', { ...own, To: 'ada@example.org', Subject, Body: 'x' })).body;
      server.trouble({ at, code, text });
      const first = await queue('first');
      expect(first.Status).toBe('Queued');
      expect((await untilAttempted(other, own, first.Id)).LastError).toContain('refuses this account');
      const second = await queue('second');
      expect(await messageState(other, own, second.Id)).toMatchObject({ Status: 'Queued', Attempts: 0 });
      expect(server.connections()).toBe(1);
      const ofOther = { ...news, To: 'ada@example.org', Subject: 'x', Body: 'x' };
      const fromOther = await post(other, '/requestemail', ofOther);
      expect(fromOther.body.Status).toBe(at === 'mail' ? 'Sent' : 'Queued');
      const { headers } = await signInAdmin(other);
      for (const { Id } of [first, second]) {
        const shown = await (await other.fetch(`/api/admin/messages/${Id}`, { headers })).text();
        expect(shown).toContain(text);
        expect(JSON.stringify(await messageState(other, own, Id))).not.toContain(text);
      }
    } finally {
      await other.stop();
    }
  });

  test('an address with other characters than ASCII needs a server with SMTPUTF8', async () => {
    const server = await standIn({ extensions: { hideSMTPUTF8: true } });
    const { status, body } = await send({ ...over(server), To: ['jürgen@example.org', 'ada@example.org'] });
    expect([status, body.Recipients.map(({ Status }) => Status)]).toEqual([200, ['Failed', 'Sent']]);
    expect(body.Recipients[0]?.Error).toContain('SMTPUTF8');
    expect(server.mails.map(({ to }) => to)).toEqual([['ada@example.org']]);
    expect((await send({ ...over(server), To: 'jürgen@example.org' })).status).toBe(502);
    const capable = await send({ To: 'jürgen@example.org' });
    expect(capable.body.Status).toBe('Sent');
  });

  test('the signature covers one-click unsubscription', async () => {
    const { body } = await send({
      ListUnsubscribe: ['https://example.org/unsubscribe'],
      Headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    });
    const mail = await smtp.arrived(({ parsed }) => parsed.messageId === body.MessageId);
    const signature = /^DKIM-Signature:(?:.|\r\n[ \t])*/im.exec(mail.raw)?.[0].replace(/\s+/g, '') ?? '';
    const signed = /;h=([^;]+)/i.exec(signature)?.[1]?.toLowerCase().split(':');
    expect(signed).toContain('list-unsubscribe');
    expect(signed).toContain('list-unsubscribe-post');
  });

  test('attachments arrive unchanged with any name and type', async () => {
    const bytes = Buffer.from(Array.from({ length: 1_024 }, (_, index) => index % 256));
    const Content = bytes.toString('base64');
    const types = {
      'x.eml': undefined,
      'x.mhtml': undefined,
      'x.pdf': undefined,
      'invite.ics': 'text/calendar; method=REQUEST',
    };
    const { body } = await send({
      Attachments: Object.entries(types).map(([FileName, ContentType]) => ({
        FileName,
        ContentType,
        Content,
      })),
    });
    const mail = await smtp.arrived(({ parsed }) => parsed.messageId === body.MessageId);
    const digest = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');
    expect(mail.parsed.attachments.map(({ filename, content }) => [filename, digest(content)])).toEqual(
      Object.keys(types).map((name) => [name, digest(bytes)]),
    );
    expect(mail.raw).toContain('method=REQUEST');
    const media = [...mail.raw.matchAll(/^Content-Type: (\S+); (?:method=REQUEST; )?name=/gim)];
    expect(media.map(([, type]) => type)).toEqual([
      'application/octet-stream',
      'application/octet-stream',
      'application/pdf',
      'text/calendar',
    ]);
  });
});
