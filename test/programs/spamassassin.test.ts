import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { join } from 'node:path';
import { BUNDLED } from '../../src/mail/templates/bundled.ts';
import { BACKENDS, freshDirectory, freshSettings } from '../harness/backends.ts';
import { addMailClient, type MailClient, post } from '../harness/mail.ts';
import { type Posthouse, startPosthouse } from '../harness/posthouse.ts';
import { runProgram, testWith } from '../harness/programs.ts';
import { type SmtpStandIn, startSmtpStandIn } from '../stand-ins/smtp.ts';

/** E-mails are spam from 5.0 on. The rule for HTML e-mails has no points. */
const HIGHEST = 0.5;

describe('bundled templates', () => {
  let smtp: SmtpStandIn;
  let posthouse: Posthouse;
  let client: MailClient;
  beforeAll(async () => {
    smtp = await startSmtpStandIn();
    posthouse = await startPosthouse({
      ...(await freshSettings(BACKENDS[0])),
      POSTHOUSE_SMTP_URL: `smtp://${smtp.host}:${smtp.port}?tls=none`,
      POSTHOUSE_MAIL_FROM: 'Posthouse <post@example.org>',
    });
    client = await addMailClient(posthouse.settings, 'app', '--services', 'email');
  });
  afterAll(async () => {
    await posthouse.stop();
    await smtp.stop();
  });

  testWith('spamassassin', 'finds no fault in them', async () => {
    const mails: string[] = [];
    for (const [name, { sample }] of BUNDLED) {
      const { body } = await post(posthouse, '/requestemail', {
        ...client,
        To: 'Ada <ada@example.net>',
        TemplateName: name,
        TemplateData: sample,
      });
      const { raw } = await smtp.arrived(({ parsed }) => parsed.messageId === body.MessageId);
      mails.push(raw.replaceAll('\r\n', '\n').replace(/^From /gm, '>From '));
    }
    // One mailbox, since the program takes seconds to start.
    const file = join(freshDirectory(), 'mails.mbox');
    await Bun.write(
      file,
      mails.map((mail) => `From post@example.org Thu Jan  1 00:00:00 2026\n${mail}\n`).join(''),
    );
    const checked = await runProgram('spamassassin', '-L', '-t', '--mbox', file);
    const found = [
      ...checked.matchAll(
        /X-Spam-Status: \w+, score=(?<score>[-\d.]+) [\s\S]*?tests=(?<tests>[\w,\s]*?)\s+\w+=/g,
      ),
    ];
    const results = [...BUNDLED.keys()].map((name, index) => {
      const { score = 'none', tests } = found[index]?.groups ?? {};
      return { name, tests, score: Number(score) };
    });
    expect(results.filter(({ score }) => !(score <= HIGHEST))).toEqual([]);
  });
});
