import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { join } from 'node:path';
import { freshSettings, ONE_BACKEND } from './harness/backends.ts';
import { endWaits } from './harness/foundation.ts';
import {
  addMailClient,
  type MailClient,
  messageState,
  post,
  untilAttempted,
  untilStatus,
} from './harness/mail.ts';
import { type Posthouse, startPosthouse, startProcess } from './harness/posthouse.ts';
import { type SmtpStandIn, startSmtpStandIn, type Trouble } from './stand-ins/smtp.ts';

const TRUSTED = join(import.meta.dir, 'stand-ins/certificates/localhost.pem');

describe.each(ONE_BACKEND)('delivery over SMTP on %s', (backend) => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  let smtp: SmtpStandIn;
  let posthouse: Posthouse;
  let settings: Record<string, string>;
  let client: MailClient;
  const standIns: SmtpStandIn[] = [];
  const send = (body: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
    post(
      posthouse,
      '/requestemail',
      { ...client, To: 'ada@example.org', Subject: 'Hello', Body: 'Text', ...body },
      headers,
    );
  const arrivals = (messageId: string | null) =>
    smtp.mails.filter(({ parsed }) => parsed.messageId === messageId);
  const standIn = async (options: Parameters<typeof startSmtpStandIn>[0]) => {
    const started = await startSmtpStandIn(options);
    standIns.push(started);
    return started;
  };

  beforeAll(async () => {
    smtp = await standIn({ tls: 'starttls' });
    settings = {
      ...(await freshSettings(backend)),
      POSTHOUSE_SMTP_URL: `smtp://localhost:${smtp.port}`,
      POSTHOUSE_MAIL_FROM: 'post@example.org',
      POSTHOUSE_ALLOW_PRIVATE_HOSTS: 'true',
      POSTHOUSE_DKIM_DOMAIN: 'example.org',
      POSTHOUSE_DKIM_SELECTOR: 's1',
      POSTHOUSE_DKIM_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    };
    posthouse = await startProcess({ ...settings, NODE_EXTRA_CA_CERTS: TRUSTED });
    client = await addMailClient(settings, 'app', '--services', 'email');
  });
  afterAll(async () => {
    await posthouse.stop();
    for (const each of standIns) await each.stop();
  });

  test('encrypts when the server offers it, and signs', async () => {
    const { body } = await send({ Subject: 'Signed ✓', HtmlTemplate: '<p>x</p>' });
    expect(body.Status).toBe('Sent');
    const [mail] = arrivals(body.MessageId);
    expect(mail?.secure).toBe(true);
    expect(dkimHolds(mail?.raw ?? '', publicKey)).toBe(true);
    expect(dkimHolds((mail?.raw ?? '').replace('<p>x</p>', '<p>y</p>'), publicKey)).toBe(false);
  });

  test('a temporary failure is retried with the same Message-ID', async () => {
    const troubles: Trouble[] = [
      { at: 'connect', code: 421, text: '4.3.2 closing' },
      { at: 'mail', code: 451, text: '4.3.0 try later' },
      { at: 'data', code: 452, text: '4.3.1 no space' },
      { at: 'data', drop: true },
    ];
    await Promise.all(
      troubles.map(async (trouble) => {
        const server = await standIn({});
        server.trouble(trouble);
        const { status, body } = await send({ SmtpConfiguration: { Host: server.host, Port: server.port } });
        expect([trouble, status, body.Status, body.Recipients[0]?.Status]).toEqual([
          trouble,
          202,
          'Queued',
          'Queued',
        ]);
        if ('code' in trouble && trouble.at !== 'connect')
          expect(body.Recipients[0]?.Error).toContain(trouble.text);
        const mail = await server.arrived(({ acknowledged }) => acknowledged);
        expect(mail.parsed.messageId).toBe(body.MessageId ?? '');
        expect(await untilStatus(posthouse, client, body.Id, 'Sent')).toMatchObject({
          Attempts: 2,
          LastError: null,
        });
        expect(server.mails.map(({ parsed }) => parsed.messageId)).toEqual(
          Array(server.mails.length).fill(body.MessageId),
        );
      }),
    );
  });

  test('a server that does not respond after the data is retried after a time-out', async () => {
    const server = await standIn({});
    server.trouble({ at: 'data', hang: true });
    const { body } = await send(
      { SmtpConfiguration: { Host: server.host, Port: server.port } },
      { Prefer: 'respond-async' },
    );
    await server.arrived(({ acknowledged }) => !acknowledged);
    expect((await messageState(posthouse, client, body.Id)).Status).toBe('Queued');
    server.release();
    const mail = await server.arrived(({ acknowledged }) => acknowledged);
    expect(mail.parsed.messageId).toBe(body.MessageId ?? '');
    expect(server.mails).toHaveLength(2);
  });

  test.each(['OK queued as 12345\r\n', '<html>\r\n', '\r\n', '999999 what\r\n'])(
    'an e-mail is retried with the same Message-ID after the reply %j to the data, which has no code',
    async (raw) => {
      const server = await standIn({});
      server.trouble({ at: 'data', raw });
      const { status, body } = await send({ SmtpConfiguration: { Host: server.host, Port: server.port } });
      expect([status, body.Status]).toEqual([202, 'Queued']);
      await untilStatus(posthouse, client, body.Id, 'Sent');
      expect(server.mails.map(({ parsed }) => parsed.messageId)).toEqual(Array(2).fill(body.MessageId));
    },
  );

  test('a permanent failure is reported at once, with the server’s response', async () => {
    smtp.refuse('nobody@example.org', { code: 550, text: '5.1.1 no such user here' });
    const all = await send({ To: 'nobody@example.org' });
    expect([all.status, all.body.code]).toEqual([502, 'platform_rejected']);
    expect(all.body.detail).toContain('no such user here');
    expect(all.body.errors).toEqual([
      { path: 'nobody@example.org', message: expect.stringContaining('5.1.1 no such user here') },
    ]);

    smtp.trouble({ at: 'data', code: 554, text: '5.7.1 looks like spam' });
    expect((await send({})).body).toMatchObject({
      code: 'platform_rejected',
      detail: expect.stringContaining('looks like spam'),
    });
    smtp.trouble({ at: 'mail', code: 553, text: '5.7.1 not from you' });
    expect((await send({})).body).toMatchObject({
      code: 'platform_rejected',
      detail: expect.stringContaining('not from you'),
    });
    expect((await send({})).status).toBe(200);
  });

  test('some recipients rejected: sent, with the status of each', async () => {
    smtp.refuse('nobody@example.org', { code: 550, text: '5.1.1 no such user here' });
    const { status, body } = await send({
      To: ['ada@example.org', 'nobody@example.org'],
      Bcc: 'bob@example.org',
    });
    expect([status, body.Status]).toEqual([200, 'Sent']);
    expect(body.Recipients).toEqual([
      { Address: 'ada@example.org', Status: 'Sent', Error: null },
      {
        Address: 'nobody@example.org',
        Status: 'Failed',
        Error: expect.stringContaining('no such user here'),
      },
      { Address: 'bob@example.org', Status: 'Sent', Error: null },
    ]);
    expect((await messageState(posthouse, client, body.Id)).Recipients).toEqual(body.Recipients);
  });

  test('some recipients deferred: only those are retried', async () => {
    smtp.refuse('busy@example.org', { code: 450, text: '4.2.1 greylisted' });
    smtp.refuse('nobody@example.org', { code: 550, text: '5.1.1 no such user here' });
    const { status, body } = await send({
      To: ['ada@example.org', 'busy@example.org', 'nobody@example.org'],
    });
    smtp.refuse('busy@example.org', null);
    expect([status, body.Status]).toEqual([202, 'Queued']);
    expect(body.Recipients.map(({ Status }) => Status)).toEqual(['Sent', 'Queued', 'Failed']);
    expect(body.Recipients[1]?.Error).toContain('greylisted');
    const state = await untilStatus(posthouse, client, body.Id, 'Sent');
    expect(state.Recipients.map(({ Status }) => Status)).toEqual(['Sent', 'Sent', 'Failed']);
    expect(arrivals(body.MessageId).map(({ to }) => to)).toEqual([['ada@example.org'], ['busy@example.org']]);
  });

  describe('a caller’s own server', () => {
    test('gets the caller’s credentials and any From, and never ours', async () => {
      const own = await standIn({ tls: 'tls', user: { name: 'caller', password: 'p4ss word' } });
      const configuration = {
        Host: 'localhost',
        Port: own.port,
        Security: 'Tls',
        Username: 'caller',
        Password: 'p4ss word',
        From: 'me@caller.example',
      };
      const { status, body } = await send({ SmtpConfiguration: configuration });
      expect([status, body.Status]).toEqual([200, 'Sent']);
      const [mail] = own.mails;
      expect([mail?.from, mail?.user, mail?.secure]).toEqual(['me@caller.example', 'caller', true]);
      expect(mail?.raw).not.toContain('DKIM-Signature');
      expect(body.MessageId).toEndWith('@caller.example>');

      const wrong = await send({
        SmtpConfiguration: { ...configuration, Password: 'canary-wrong-password' },
      });
      expect([wrong.status, wrong.body.code]).toEqual([502, 'platform_rejected']);
      expect(JSON.stringify(wrong.body)).not.toContain('canary-wrong-password');
      expect(posthouse.output()).not.toContain('canary-wrong-password');

      const anonymous = await standIn({});
      expect(
        (await send({ SmtpConfiguration: { Host: anonymous.host, Port: anonymous.port, Security: 'None' } }))
          .status,
      ).toBe(200);
      expect(anonymous.mails[0]?.user).toBeNull();
    });

    test('requires encryption and a valid certificate', async () => {
      const plain = await standIn({ tls: 'none' });
      const stranger = await standIn({ tls: 'starttls', certificate: 'stranger' });
      const strangerTls = await standIn({ tls: 'tls', certificate: 'stranger' });
      const trusted = await standIn({ tls: 'starttls' });
      const configurations = [
        { Host: 'localhost', Port: plain.port, Security: 'StartTls' },
        { Host: 'localhost', Port: stranger.port, Security: 'StartTls' },
        { Host: 'localhost', Port: stranger.port },
        { Host: 'localhost', Port: strangerTls.port, Security: 'Tls' },
      ];
      for (const SmtpConfiguration of configurations) {
        const { status, body } = await send({ SmtpConfiguration });
        expect([SmtpConfiguration, status, body.Recipients[0]?.Status]).toEqual([
          SmtpConfiguration,
          202,
          'Queued',
        ]);
        expect(body.Recipients[0]?.Error).toBeString();
      }
      expect([plain, stranger, strangerTls].flatMap(({ mails }) => mails)).toEqual([]);
      expect(
        (await send({ SmtpConfiguration: { Host: 'localhost', Port: trusted.port, Security: 'StartTls' } }))
          .status,
      ).toBe(200);
      expect(trusted.mails[0]?.secure).toBe(true);
    });

    test('does not delay others when it is down', async () => {
      const down = { Host: '127.0.0.1', Port: 1 };
      await Promise.all(
        Array.from({ length: 60 }, () => send({ SmtpConfiguration: down }, { Prefer: 'respond-async' })),
      );
      const { status, body } = await send({ SmtpConfiguration: down });
      expect([status, body.Status]).toEqual([202, 'Queued']);
      expect((await send({})).status).toBe(200);
    });
  });

  test('the certificate of the configured server is verified unless disabled, those of others always', async () => {
    for (const [tls, scheme] of [
      ['starttls', 'smtp'],
      ['tls', 'smtps'],
    ] as const) {
      const stranger = await standIn({ tls, certificate: 'stranger' });
      const own = {
        ...settings,
        ...(await freshSettings(backend)),
        POSTHOUSE_SMTP_URL: `${scheme}://localhost:${stranger.port}`,
      };
      const strict = await startPosthouse(own);
      const sender = await addMailClient(own, 'app', '--services', 'email');
      const mail = { ...sender, To: 'ada@example.org', Subject: 'x', Body: 'y' };
      const held = await post(strict, '/requestemail', mail);
      expect([tls, held.status, held.body.Status]).toEqual([tls, 202, 'Queued']);
      expect(await strict.stop()).toBe(0);
      expect(stranger.mails).toEqual([]);

      const lenient = await startPosthouse({ ...own, POSTHOUSE_SMTP_TLS_VERIFY: 'false' });
      expect((await post(lenient, '/requestemail', mail)).status).toBe(200);
      const late = await stranger.arrived(({ parsed }) => parsed.messageId === held.body.MessageId);
      expect(late.secure).toBe(true);
      const SmtpConfiguration = {
        Host: 'localhost',
        Port: stranger.port,
        Security: tls === 'tls' ? 'Tls' : 'StartTls',
      };
      expect((await post(lenient, '/requestemail', { ...mail, SmtpConfiguration })).status).toBe(202);
      expect(stranger.mails).toHaveLength(2);
      expect(await lenient.stop()).toBe(0);
    }
  });

  test('connections are reused', async () => {
    const before = smtp.connections();
    const answers = await Promise.all(Array.from({ length: 60 }, () => send({})));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(smtp.connections() - before).toBeLessThanOrEqual(10);
  });

  test('acknowledged e-mails survive a SIGKILL', async () => {
    const server = await standIn({});
    const own = {
      ...settings,
      ...(await freshSettings(backend)),
      POSTHOUSE_SMTP_URL: `smtp://127.0.0.1:${server.port}?tls=none`,
    };
    // The mail server accepts nothing until the server is killed.
    server.trouble(
      ...Array.from({ length: 1_000 }, () => ({ at: 'mail', code: 451, text: 'not now' }) as const),
    );
    const first = await startProcess(own);
    const sender = await addMailClient(own, 'app', '--services', 'email');
    const mail = { ...sender, To: 'ada@example.org', Subject: 'x', Body: 'y' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post(first, '/requestemail', mail, { Prefer: 'respond-async' })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    for (const { body } of answers) await untilAttempted(first, sender, body.Id);
    await first.kill();
    await endWaits(own);
    server.clearTroubles();
    const second = await startPosthouse(own);
    for (const { body } of answers) await server.arrived(({ parsed }) => parsed.messageId === body.MessageId);
    expect(await second.stop()).toBe(0);
  });
});

/** Checks a relaxed/relaxed rsa-sha256 signature (RFC 6376 §3.4, §3.7). */
function dkimHolds(raw: string, publicKey: KeyObject): boolean {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  const fields = head.replace(/\r\n(?=[ \t])/g, '').split('\r\n');
  const relaxed = (field: string) => {
    const colon = field.indexOf(':');
    return `${field.slice(0, colon).trim().toLowerCase()}:${field
      .slice(colon + 1)
      .replace(/[ \t]+/g, ' ')
      .trim()}`;
  };
  const signature = fields.find((field) => /^dkim-signature:/i.test(field));
  if (!signature) return false;
  const tags = new Map(
    signature
      .slice(signature.indexOf(':') + 1)
      .split(';')
      .map((tag): [string, string] => [
        tag.slice(0, tag.indexOf('=')).trim(),
        tag.slice(tag.indexOf('=') + 1).replace(/\s+/g, ''),
      ]),
  );
  const relaxedBody = `${body
    .split('\r\n')
    .map((line) => line.replace(/[ \t]+/g, ' ').trimEnd())
    .join('\r\n')
    .replace(/(?:\r\n)*$/, '')}\r\n`;
  if (createHash('sha256').update(relaxedBody, 'latin1').digest('base64') !== tags.get('bh')) return false;
  const signed = (tags.get('h') ?? '').split(':').flatMap((name) => {
    const field = fields.find(
      (candidate) => candidate.slice(0, candidate.indexOf(':')).trim().toLowerCase() === name.toLowerCase(),
    );
    return field ? [relaxed(field)] : [];
  });
  const text = `${signed.join('\r\n')}\r\n${relaxed(signature)
    .replace(/(\bb=)[^;]*$/, '$1')
    .replace(/(; ?b=)[^;]*/, '$1')}`;
  return (
    tags.get('d') === 'example.org' &&
    verify('sha256', Buffer.from(text, 'latin1'), publicKey, Buffer.from(tags.get('b') ?? '', 'base64'))
  );
}
