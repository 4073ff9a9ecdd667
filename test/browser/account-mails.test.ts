import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { freshSettings } from '../harness/backends.ts';
import { newVisitor } from '../harness/chromium.ts';
import { addAdmin, type Posthouse, startPosthouse } from '../harness/posthouse.ts';
import { openApp } from '../harness/web.ts';
import { type SmtpStandIn, startSmtpStandIn } from '../stand-ins/smtp.ts';

describe('e-mails about accounts in the browser', () => {
  let smtp: SmtpStandIn;
  let posthouse: Posthouse;
  beforeAll(async () => {
    smtp = await startSmtpStandIn({ tls: 'none' });
    posthouse = await startPosthouse({
      ...(await freshSettings('sqlite+local')),
      POSTHOUSE_SMTP_URL: `smtp://${smtp.host}:${smtp.port}`,
      POSTHOUSE_MAIL_FROM: 'posthouse@example.org',
    });
    await addAdmin(posthouse.settings);
  });
  afterAll(async () => {
    await posthouse.stop();
    await smtp.stop();
  });

  test('the page for a forgotten password has the address typed at the sign-in, once', async () => {
    const visitor = await newVisitor(posthouse.url);
    const page = await visitor.newPage();
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    const address = page.getByLabel('E-mail address');
    await page.goto('/login');
    await address.fill('mia@example.org');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.waitForURL('**/forgot-password');
    expect(await address.inputValue()).toBe('mia@example.org');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('mia@example.org').waitFor();
    expect(addresses.filter((each) => each.includes('mia'))).toEqual([]);
    await page.goto('/forgot-password');
    expect(await address.inputValue()).toBe('');
    await visitor.close();
  });

  test('a person is invited by mail, and gets a new password by mail without script', async () => {
    const seat = await openApp(posthouse, 'ada@example.org', '/admin/people');
    const { page } = seat;
    await page.getByRole('button', { name: 'Invite person' }).click();
    await page.getByLabel('E-mail address').fill('mia@example.org');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText('Sent an e-mail to mia@example.org').waitFor();
    expect(await page.getByTestId('Link').count()).toBe(0);
    const linkIn = async (subject: RegExp) => {
      const { parsed } = await smtp.arrived(
        (mail) => mail.to.includes('mia@example.org') && subject.test(mail.parsed.subject ?? ''),
      );
      return /\/password\/\S+/.exec(parsed.text ?? '')?.[0] ?? '';
    };
    const mia = await newVisitor(posthouse.url, { javaScript: false });
    const hers = await mia.newPage();
    await hers.goto(await linkIn(/Your account/));
    await hers.getByLabel('New password').fill('a very good password');
    await hers.getByRole('button').click();
    await hers.waitForURL((url) => ['/', '/files'].includes(url.pathname));
    expect((await mia.request.get('/api/me')).status()).toBe(200);

    await mia.clearCookies();
    await hers.goto('/login');
    await hers.getByRole('link', { name: 'Forgot your password?' }).click();
    await hers.getByLabel('E-mail address').fill('mia@example.org');
    await hers.getByRole('button', { name: 'Send the link' }).click();
    await hers.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
    await hers.goto(await linkIn(/Choose a new password/));
    await hers.getByLabel('New password').fill('an even better one');
    await hers.getByRole('button').click();
    await hers.getByRole('heading', { name: 'Your password is set' }).waitFor();
    await hers.getByRole('link', { name: 'Sign in' }).click();
    await hers.getByLabel('E-mail address').fill('mia@example.org');
    await hers.getByLabel('Password').fill('an even better one');
    await hers.getByRole('button').click();
    await hers.waitForURL((url) => ['/', '/files'].includes(url.pathname));
    await mia.close();

    const row = page.getByRole('listitem').filter({ hasText: 'mia@example.org' });
    await page.reload();
    await row.getByRole('button', { name: 'Actions for mia' }).click();
    await page.getByRole('menuitem', { name: 'E-mail password link' }).click();
    await page.getByText('Sent an e-mail to mia@example.org').waitFor();
    await seat.leave();
  });
});
