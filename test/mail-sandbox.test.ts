import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { freshSettings, ONE_BACKEND } from './harness/backends.ts';
import { addMailClient, basic, type MailClient, messageState, post } from './harness/mail.ts';
import { type Posthouse, startPosthouse } from './harness/posthouse.ts';
import { everythingStored } from './harness/stored.ts';
import { type SmtpStandIn, startSmtpStandIn } from './stand-ins/smtp.ts';

describe.each(ONE_BACKEND)('mail with nothing configured, on %s', (backend) => {
  let posthouse: Posthouse;
  let settings: Record<string, string>;
  let client: MailClient;
  const send = (body: Record<string, unknown> = {}) =>
    post(posthouse, '/requestemail', {
      ...client,
      To: 'ada@example.org',
      Subject: 'Hello',
      Body: 'Text',
      ...body,
    });

  beforeAll(async () => {
    settings = { ...(await freshSettings(backend)), POSTHOUSE_LOG_LEVEL: 'trace' };
    posthouse = await startPosthouse(settings);
    client = await addMailClient(
      settings,
      'app',
      '--services',
      'email,telegram',
      '--from',
      'App <app@example.org>',
    );
  });
  afterAll(() => posthouse.stop());

  test('goes to the sandbox, as the response states', async () => {
    const { status, body } = await send();
    expect([status, body.Status, body.sandbox, body.Recipients]).toEqual([
      200,
      'Sent',
      true,
      [{ Address: 'ada@example.org', Status: 'Sent', Error: null }],
    ]);
    expect(await messageState(posthouse, client, body.Id)).toMatchObject({ Status: 'Sent', sandbox: true });
    expect((await send({ SendAt: new Date(Date.now() + 60_000).toISOString() })).body).toMatchObject({
      Status: 'Scheduled',
      sandbox: true,
    });
  });

  test('From must be one of the client’s senders', async () => {
    expect((await send({ From: 'Other Name <APP@example.org>' })).status).toBe(200);
    expect((await send({ From: 'eve@example.org' })).body.errors?.[0]?.path).toBe('From');
    const nobody = await addMailClient(settings, 'without sender', '--services', 'email');
    expect(
      (await post(posthouse, '/requestemail', { ...nobody, To: 'a@example.org', Subject: 'x', Body: 'y' }))
        .body.MessageId,
    ).toEndWith('@localhost>');
  });

  test('private hosts and unusual ports of callers are rejected alike, before anything is stored', async () => {
    const hosts = [
      ['127.0.0.1', 587],
      ['localhost', 587],
      ['0x7f.1', 25],
      ['2130706433', 25],
      ['[::1]', 25],
      ['::ffff:127.0.0.1', 25],
      ['64:ff9b::7f00:1', 25],
      ['2002:7f00:1::', 25],
      ['169.254.169.254', 587],
      ['10.0.0.1', 465],
      ['no-such-host.invalid', 587],
      ['192.0.2.1', 22],
      ['8.8.8.8', 6379],
      ['a b', 25],
      ['127.0.0.1\r\nX', 25],
    ] as const;
    const answers = await Promise.all(
      hosts.map(([Host, Port]) =>
        send({ SmtpConfiguration: { Host, Port, Username: 'u', Password: 'canary-never-stored' } }),
      ),
    );
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      hosts.map(() => [400, 'host_not_allowed']),
    );
    expect(new Set(answers.map(({ body }) => JSON.stringify([body.detail, body.errors]))).size).toBe(1);
    expect(await everythingStored(settings)).not.toContain('canary-never-stored');
  });
});

describe.each(ONE_BACKEND)('secrets of mail on %s', (backend) => {
  let posthouse: Posthouse;
  let smtp: SmtpStandIn;
  const canary = (name: string) => `canary-${name}-${crypto.randomUUID()}`;

  afterAll(async () => {
    await posthouse.stop();
    await smtp.stop();
  });

  test('appear in no log, response or database page', async () => {
    const secrets = { smtp: canary('server-smtp'), caller: canary('caller-smtp'), guess: canary('guess') };
    smtp = await startSmtpStandIn({ user: { name: 'posthouse', password: secrets.smtp } });
    const settings = {
      ...(await freshSettings(backend)),
      POSTHOUSE_SMTP_URL: `smtp://posthouse:${secrets.smtp}@${smtp.host}:${smtp.port}?tls=none`,
      POSTHOUSE_MAIL_FROM: 'post@example.org',
      POSTHOUSE_ALLOW_PRIVATE_HOSTS: 'true',
      POSTHOUSE_LOG_LEVEL: 'trace',
      POSTHOUSE_METRICS_TOKEN: 'the metrics token of this test',
    };
    posthouse = await startPosthouse(settings);
    const client = await addMailClient(settings, 'app', '--services', 'email');
    const answers: string[] = [];
    const send = async (body: unknown, headers: Record<string, string> = {}) => {
      const answer = await post(posthouse, '/requestemail', body, headers);
      answers.push(JSON.stringify(answer.body));
      return answer;
    };
    const mail = { ...client, To: 'ada@example.org', Subject: 'x', Body: 'y' };
    const own = (Port: number, Password: string) => ({
      Host: smtp.host,
      Port,
      Security: 'None',
      Username: 'posthouse',
      Password,
    });

    expect((await send(mail)).status).toBe(200);
    // One waits, one is rejected and one is sent, each with its password.
    const waiting = await send(
      { ...mail, SmtpConfiguration: own(1, secrets.caller) },
      { 'Idempotency-Key': 'k' },
    );
    expect(waiting.status).toBe(202);
    expect((await send({ ...mail, SmtpConfiguration: own(smtp.port, secrets.caller) })).status).toBe(502);
    expect((await send({ ...mail, SmtpConfiguration: own(smtp.port, secrets.smtp) })).status).toBe(200);
    expect((await send({ ...mail, ClientSecret: secrets.guess })).status).toBe(401);
    expect((await send(`{"ClientId":"${client.ClientId}","ClientSecret":"${secrets.guess}"`)).status).toBe(
      400,
    );
    expect((await send({ ...mail, SmtpConfiguration: { Password: secrets.caller } })).status).toBe(400);
    await posthouse.fetch(`/messages/${waiting.body.Id}`, {
      headers: basic({ ...client, ClientSecret: secrets.guess }),
    });
    answers.push(JSON.stringify(await messageState(posthouse, client, waiting.body.Id)));
    answers.push(
      await (
        await posthouse.fetch('/metrics', {
          headers: { Authorization: `Bearer ${settings.POSTHOUSE_METRICS_TOKEN}` },
        })
      ).text(),
    );

    const places = {
      answers: answers.join('\n'),
      output: posthouse.output(),
      stored: await everythingStored(settings),
    };
    for (const [secretName, secret] of Object.entries({ ...secrets, client: client.ClientSecret })) {
      for (const form of [secret, btoa(secret), btoa(`\0posthouse\0${secret}`)]) {
        for (const [place, text] of Object.entries(places))
          expect([secretName, place, text.includes(form)]).toEqual([secretName, place, false]);
      }
    }
    // The searched texts contain the other values.
    expect(places.stored).toContain('ada@example.org');
    expect(places.output).toContain(waiting.body.Id);
  });
});
