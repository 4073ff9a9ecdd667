import { describe, expect, test } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { endWaits } from './harness/foundation.ts';
import { addMailClient, post, untilAttempted } from './harness/mail.ts';
import { startPosthouse, startProcess } from './harness/posthouse.ts';
import { startSmtpStandIn } from './stand-ins/smtp.ts';

const FORMS = 12;

/**
 * `mail-smtp.test.ts` and `mail-telegram.test.ts` test kills with e-mails and Telegram messages; `npm run
 * test:faults` kills repeatedly.
 */
describe.each(BACKENDS)('contact forms on a server that is killed, on %s', (backend) => {
  test('are delivered, whether sent or queued at the kill, and a repeat still gets the first response', async () => {
    const smtp = await startSmtpStandIn();
    const settings = {
      ...(await freshSettings(backend)),
      POSTHOUSE_SMTP_URL: `smtp://${smtp.host}:${smtp.port}?tls=none`,
      POSTHOUSE_MAIL_FROM: 'post@example.org',
    };
    const first = await startProcess(settings);
    const client = await addMailClient(
      settings,
      'site',
      '--services',
      'contact',
      '--contact-to',
      'owner@example.org',
    );
    const form = (number: number) => ({
      ...client,
      Email: 'ada@example.org',
      Message: `form number ${number}.`,
    });
    const key = (number: number) => ({ 'Idempotency-Key': `form ${number}` });

    const sent = await post(first, '/sendcontactusform', form(0), key(0));
    expect([sent.status, sent.body.Status]).toEqual([200, 'Sent']);
    // The mail server accepts nothing until the server is killed.
    smtp.trouble(
      ...Array.from({ length: FORMS * 100 }, () => ({ at: 'mail', code: 451, text: 'not now' }) as const),
    );
    const waiting = await Promise.all(
      Array.from({ length: FORMS }, (_, index) =>
        post(first, '/sendcontactusform', form(index + 1), { ...key(index + 1), Prefer: 'respond-async' }),
      ),
    );
    expect(new Set(waiting.map(({ status }) => status))).toEqual(new Set([202]));
    for (const { body } of waiting) await untilAttempted(first, client, body.Id);
    await first.kill();
    await endWaits(settings);
    smtp.clearTroubles();

    const second = await startPosthouse(settings);
    for (const { body } of waiting) await smtp.arrived(({ parsed }) => parsed.messageId === body.MessageId);
    expect((await post(second, '/sendcontactusform', form(0), key(0))).body).toEqual(sent.body);
    expect((await post(second, '/sendcontactusform', form(1), key(1))).body.Id).toBe(
      waiting[0]?.body.Id ?? '',
    );
    const texts = smtp.mails.map(({ parsed }) => /form number \d+\./.exec(parsed.text ?? '')?.[0]).sort();
    expect(texts).toEqual(Array.from({ length: FORMS + 1 }, (_, index) => `form number ${index}.`).sort());
    expect(await second.stop()).toBe(0);
    await smtp.stop();
  });
});
