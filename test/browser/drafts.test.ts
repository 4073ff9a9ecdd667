import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { freshSettings } from '../harness/backends.ts';
import { addAdmin, type Posthouse, startPosthouse } from '../harness/posthouse.ts';
import { openApp } from '../harness/web.ts';

const EMAIL = 'ada@example.org';
const PASSWORD = 'correct horse battery';

let posthouse: Posthouse;
beforeAll(async () => {
  posthouse = await startPosthouse(await freshSettings('sqlite+local'));
  await addAdmin(posthouse.settings, EMAIL);
});
afterAll(() => posthouse.stop());

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();
const storedIn = (page: Page) => page.evaluate<string>('JSON.stringify({ ...sessionStorage })');

async function signInAgain(page: Page, words: { email: string; password: string; signIn: string }) {
  await page.getByRole('link', { name: words.signIn }).click();
  await page.getByLabel(words.email).fill(EMAIL);
  await page.getByLabel(words.password).fill(PASSWORD);
  await page.getByRole('button', { name: words.signIn }).click();
}
const ENGLISH = { email: 'E-mail address', password: 'Password', signIn: 'Sign in' };

describe('input that is unsaved when the session ends', () => {
  test.each([
    {
      ...ENGLISH,
      locale: 'en-GB',
      ended: 'Your session has ended',
      kept: 'Your unsaved changes are restored when you open the form again.',
      subject: 'Subject',
      unsaved: 'Unsaved changes',
      save: 'Save new version',
      saved: 'Template saved',
    },
    {
      locale: 'de-DE',
      email: 'E-Mail-Adresse',
      password: 'Passwort',
      signIn: 'Anmelden',
      ended: 'Ihre Sitzung wurde beendet',
      kept: 'Nicht gespeicherte Änderungen sind wieder da, sobald Sie das Formular öffnen.',
      subject: 'Betreff',
      unsaved: 'Nicht gespeicherte Änderungen',
      save: 'Neue Version speichern',
      saved: 'Vorlage gespeichert',
    },
  ])('is restored in the template editor: $locale', async ({ locale, ...words }) => {
    const { page, context, leave } = await openApp(posthouse, EMAIL, '/admin/mail/templates/welcome', {
      locale,
    });
    const subject = page.getByLabel(words.subject);
    await subject.waitFor();
    const typed = `Welcome, ${locale}`;
    await context.clearCookies();
    // The preview of the changed template is the first request without a session.
    await subject.fill(typed);
    await page.getByRole('heading', { name: words.ended }).waitFor();
    await page.getByText(words.kept).waitFor();
    await signInAgain(page, words);
    await page.getByText(words.unsaved, { exact: true }).waitFor();
    expect(await subject.inputValue()).toBe(typed);
    await page.getByRole('button', { name: words.save }).click();
    await page.getByText(words.saved).waitFor();
    await page.reload();
    await subject.waitFor();
    expect(await page.getByText(words.unsaved, { exact: true }).count()).toBe(0);
    expect(await storedIn(page)).not.toContain(typed);
    await leave();
  });

  test('is restored in the form of a mail client, without its secrets', async () => {
    const { page, context, leave } = await openApp(posthouse, EMAIL, '/admin/mail');
    const open = async () => {
      await button(page, 'New client').click();
      const dialog = page.getByRole('dialog');
      return { dialog, name: dialog.getByLabel(/^Name/), token: dialog.getByLabel('Bot token') };
    };
    const form = await open();
    await form.name.fill('a long form');
    await form.dialog.getByLabel('Telegram', { exact: true }).check();
    await form.token.fill('12:secret-token');
    await form.dialog.getByLabel('Use a separate mail server').check();
    await form.dialog.getByLabel('Host').fill('smtp.example.org');
    await form.dialog.getByLabel('Password', { exact: true }).fill('secret-password');
    await context.clearCookies();
    await form.dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    const stored = await storedIn(page);
    expect(stored).toContain('smtp.example.org');
    expect(stored).not.toContain('secret-');
    await signInAgain(page, ENGLISH);
    const again = await open();
    await again.token.waitFor();
    expect(await again.name.inputValue()).toBe('a long form');
    expect(await again.token.inputValue()).toBe('');
    expect(await again.dialog.getByLabel('Host').inputValue()).toBe('smtp.example.org');
    await leave();
  });

  test('is removed by a sign-out', async () => {
    const { page, context, leave } = await openApp(posthouse, EMAIL, '/admin/mail/templates/welcome');
    await page.getByLabel('Subject').waitFor();
    await context.clearCookies();
    await page.getByLabel('Subject').fill('not for the next person');
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await page.goto('/login?returnTo=/account');
    await page.getByLabel('E-mail address').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await button(page, 'Sign out').waitFor();
    expect(await storedIn(page)).toContain('not for the next person');
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    expect(await storedIn(page)).not.toContain('not for the next person');
    await leave();
  });
});
