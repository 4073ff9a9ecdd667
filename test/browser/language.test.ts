import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { freshSettings } from '../harness/backends.ts';
import { addMailClient, post } from '../harness/mail.ts';
import { addAdmin, type Posthouse, startPosthouse } from '../harness/posthouse.ts';
import { openApp } from '../harness/web.ts';
import { type SmtpStandIn, startSmtpStandIn } from '../stand-ins/smtp.ts';

describe('the web app in German', () => {
  let smtp: SmtpStandIn;
  let posthouse: Posthouse;
  beforeAll(async () => {
    smtp = await startSmtpStandIn();
    posthouse = await startPosthouse({
      ...(await freshSettings('sqlite+local')),
      POSTHOUSE_SMTP_URL: `smtp://${smtp.host}:${smtp.port}?tls=none`,
      POSTHOUSE_MAIL_FROM: 'posthouse@example.org',
    });
    await addAdmin(posthouse.settings, 'admin@example.org');
  });
  afterAll(async () => {
    await posthouse.stop();
    await smtp.stop();
  });

  test('is chosen by the browser, or in the account', async () => {
    const seat = await openApp(posthouse, 'admin@example.org', '/', { locale: 'de-DE' });
    const { page } = seat;
    await page.getByRole('heading', { name: 'Start', exact: true }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    for (const [link, heading] of [
      ['Dateien', 'Meine Dateien'],
      ['Chat', 'Chat'],
      ['E-Mail', 'E-Mail'],
      ['Nachrichten', 'Nachrichten'],
      ['Personen', 'Personen'],
      ['Arbeitsbereiche', 'Arbeitsbereiche'],
    ] as const) {
      await page.getByRole('link', { name: link, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    }
    await page.getByRole('button', { name: 'Suchen Strg K' }).waitFor();
    await page.goto('/account');
    await page.getByRole('button', { name: 'Passwort anzeigen oder verbergen' }).first().waitFor();
    await page.getByRole('combobox', { name: 'Sprache' }).selectOption({ label: 'English' });
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Language' }).selectOption({ label: 'Browser language' });
    await page.getByRole('heading', { name: 'Konto', exact: true }).waitFor();
    await seat.leave();
  });

  test('offers a contact form with German words', async () => {
    await addMailClient(
      posthouse.settings,
      'Laden',
      ...['--services', 'contact', '--contact-to', 'owner@example.org', '--origins', 'https://example.org'],
    );
    const seat = await openApp(posthouse, 'admin@example.org', '/admin/mail', { locale: 'de-DE' });
    await seat.page.getByRole('button', { name: 'Formular für Laden' }).click();
    const html = (await seat.page.locator('.code-block').textContent()) ?? '';
    const page = await seat.context.newPage();
    await page.setContent(html);
    expect(await page.getByLabel('E-Mail').count()).toBe(1);
    expect(await page.getByLabel('Nachricht').count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Senden' }).count()).toBe(1);
    expect(html).toContain('Danke. Ihre Nachricht ist unterwegs.');
    expect(html).not.toMatch(/E-mail|Leave|>Message|>Send<|Sending|Thank|Your message|people/);
    await seat.leave();
  });

  test('reports a test e-mail as delivered', async () => {
    const seat = await openApp(posthouse, 'admin@example.org', '/admin/mail/settings', { locale: 'de-DE' });
    await seat.page.getByLabel('An', { exact: true }).fill('ada@example.org');
    await seat.page.getByRole('button', { name: 'Test senden' }).first().click();
    await seat.page.getByText('Zugestellt.').waitFor();
    await seat.leave();
  });

  test('names roles and reasons', async () => {
    const client = await addMailClient(
      posthouse.settings,
      'Post',
      ...['--services', 'contact', '--contact-to', 'owner@example.org', '--origins', 'https://example.org'],
    );
    const form = {
      ...client,
      Email: 'eve@example.org',
      Message: 'Jetzt kaufen',
      Website: 'https://spam.example',
    };
    await post(posthouse, '/sendcontactusform', form);
    const seat = await openApp(posthouse, 'admin@example.org', '/admin/mail/spam', { locale: 'de-DE' });
    const { page } = seat;
    await page.getByRole('listitem').getByText('Verstecktes Feld ausgefüllt').waitFor();
    await page.goto('/admin/people');
    await page.getByRole('button', { name: 'Person einladen' }).click();
    await page.getByRole('radiogroup', { name: 'Rolle' }).getByText('Benutzer', { exact: true }).waitFor();
    await page.goto('/share');
    await page.getByText('Die Bilder erscheinen dann hier.').waitFor();
    await seat.leave();
  });

  test('a preference that is no language tag is ignored', async () => {
    const seat = await openApp(posthouse, 'admin@example.org', '/');
    await seat.page.addInitScript(
      "Object.defineProperty(navigator, 'languages', { get: () => ['en-US@posix', 'en'] })",
    );
    await seat.page.reload();
    await seat.page.getByRole('heading', { name: 'Home', exact: true }).waitFor();
    await seat.leave();
  });
});
