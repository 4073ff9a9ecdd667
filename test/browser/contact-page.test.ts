import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { findViolations, TWO_LOOKS } from '../harness/accessibility.ts';
import { BACKENDS, freshSettings } from '../harness/backends.ts';
import { newVisitor } from '../harness/chromium.ts';
import { postJson } from '../harness/json.ts';
import { addMailClient, type MailClient } from '../harness/mail.ts';
import { addAdmin, type Posthouse, startPosthouse } from '../harness/posthouse.ts';
import { openApp } from '../harness/web.ts';
import { type SmtpStandIn, startSmtpStandIn } from '../stand-ins/smtp.ts';

/** A site on another origin with the pages `content`, by path. */
function startSite(content: Map<string, string>) {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => {
      const body = content.get(new URL(url).pathname);
      const head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Site</title><h1>Site</h1>';
      return body === undefined
        ? new Response(null, { status: 404 })
        : new Response(head + body, { headers: { 'Content-Type': 'text/html' } });
    },
  });
  return { origin: `http://localhost:${server.port}`, stop: () => server.stop(true) };
}

describe('contact forms of pages', () => {
  const pages = new Map([['/thanks', '<p>Thank you from the site']]);
  let site: ReturnType<typeof startSite>;
  let smtp: SmtpStandIn;
  let posthouse: Posthouse;
  let client: MailClient;

  beforeAll(async () => {
    site = startSite(pages);
    smtp = await startSmtpStandIn();
    const settings = {
      ...(await freshSettings(BACKENDS[0])),
      POSTHOUSE_SMTP_URL: `smtp://${smtp.host}:${smtp.port}?tls=none`,
      POSTHOUSE_MAIL_FROM: 'post@example.org',
    };
    posthouse = await startPosthouse(settings);
    await addAdmin(settings);
    client = await addClient('plain', '--origins', site.origin);
  });
  afterAll(async () => {
    await posthouse.stop();
    await smtp.stop();
    site.stop();
  });

  const addClient = (name: string, ...flags: string[]) =>
    addMailClient(
      posthouse.settings,
      name,
      '--services',
      'contact',
      '--contact-to',
      'owner@example.org',
      ...flags,
    );
  const NAVIGATION = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
  const FORM = { Email: 'v@example.org', Message: 'Hello' };
  /** Posts the form as a browser does that opens the response. */
  const navigate = (fields: Record<string, string>, headers: Record<string, string> = NAVIGATION) =>
    posthouse.fetch('/sendcontactusform', {
      method: 'POST',
      redirect: 'manual',
      headers: {
        Origin: site.origin,
        Referer: `${site.origin}/contact?x=1`,
        ...headers,
      },
      body: new URLSearchParams({ ...client, ...fields }),
    });
  const typeOf = (answer: Response) => answer.headers.get('Content-Type');

  test('a browser gets a page with a way back, a program JSON', async () => {
    const answer = await navigate(FORM);
    expect([answer.status, typeOf(answer)]).toEqual([200, 'text/html; charset=utf-8']);
    const html = await answer.text();
    expect(html).toContain('Your message is on its way.');
    expect(html).toContain(`href="${site.origin}/contact?x=1"`);
    expect(html).not.toMatch(/owner@|01[0-9a-f]{6}-/);
    const old = await navigate(FORM, {
      Accept: 'text/html,*/*;q=0.8',
    });
    expect(typeOf(old)).toBe('text/html; charset=utf-8');
    const script = await navigate(FORM, { 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' });
    expect([typeOf(script), ((await script.json()) as { Status: string }).Status]).toEqual([
      'application/json',
      'Sent',
    ]);
  });

  test('an error is a page with a way back and without the secret', async () => {
    const { ClientSecret } = client;
    for (const [fields, status, text] of [
      [{ ...FORM, Email: 'nobody' }, 400, 'Email: '],
      [{ ...FORM, ClientSecret: `${ClientSecret}x` }, 401, ''],
    ] as const) {
      const answer = await navigate(fields);
      const html = await answer.text();
      expect([answer.status, typeOf(answer)]).toEqual([status, 'text/html; charset=utf-8']);
      expect(html).toContain(text);
      expect(html).toContain(`href="${site.origin}/contact?x=1"`);
      expect(html).toContain('Back button');
      expect(html).not.toContain(ClientSecret);
      expect(html).not.toContain('href="/"');
    }
    const foreign = await navigate(FORM, {
      ...NAVIGATION,
      Origin: 'https://evil.example',
      Referer: 'https://evil.example/x',
    });
    expect([foreign.status, await foreign.text()]).toEqual([
      403,
      expect.not.stringContaining('evil.example'),
    ]);
  });

  test('RedirectUrl leads the visitor to the site, also after a form that a spam bot has filled in', async () => {
    const redirectUrl = `${site.origin}/thanks`;
    const redirected = await addClient('redirected', '--origins', site.origin, '--redirect-url', redirectUrl);
    for (const fields of [FORM, { ...FORM, Website: 'https://spam.example' }]) {
      const answer = await navigate({ ...redirected, ...fields });
      expect([answer.status, answer.headers.get('Location'), await answer.text()]).toEqual([
        303,
        redirectUrl,
        '',
      ]);
    }
    expect((await navigate({ ...redirected, Email: 'v@example.org' })).status).toBe(400);
  });

  test('a client without origins refuses every page, and serves programs', async () => {
    const server = await addClient('server only');
    const answer = await navigate({ ...server, ...FORM });
    expect([answer.status, await answer.text()]).toEqual([
      403,
      expect.stringContaining('no allowed origins'),
    ]);
    const program = await postJson(posthouse, '/sendcontactusform', { ...server, ...FORM });
    expect(program.status).toBe(200);
  });

  describe('with the HTML that the web app offers', () => {
    const RECIPIENTS = 'Recipients of contact messages';

    beforeAll(async () => {
      const seat = await openApp(posthouse, 'ada@example.org', '/admin/mail');
      await seat.page.getByRole('button', { name: 'New client' }).click();
      const dialog = seat.page.getByRole('dialog');
      await dialog.getByLabel(/^Name/).fill('Website');
      await dialog.getByLabel('Contact form', { exact: true }).check();
      await dialog.getByLabel(RECIPIENTS).fill('owner@example.org');
      await dialog.getByLabel('Allowed origins').fill(site.origin);
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.waitFor({ state: 'detached' });
      await seat.page.getByRole('button', { name: 'Form for Website' }).click();
      pages.set('/contact', (await seat.page.locator('.code-block').textContent()) ?? '');
      await seat.leave();
    });

    /** Opens the page with the form, and fills it in. */
    async function openForm(message: string, javaScript: boolean): Promise<Page> {
      const page = await (await newVisitor(site.origin, { javaScript })).newPage();
      await page.goto('/contact');
      await page.getByLabel('Name').fill('Grace');
      await page.getByLabel('E-mail').fill('grace@example.org');
      await page.getByLabel('Message').fill(message);
      return page;
    }
    const sentTo = (name: string) => smtp.arrived(({ parsed }) => parsed.text?.includes(name) === true);

    test('the form shows the result in place', async () => {
      const page = await openForm('by script', true);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      const status = page.getByRole('status');
      await status.getByText('Thank you.').waitFor();
      expect([new URL(page.url()).pathname, await page.getByLabel('Message').inputValue()]).toEqual([
        '/contact',
        '',
      ]);
      expect(await status.evaluate((element) => element.matches(':focus'))).toBe(true);
      expect((await sentTo('by script')).to).toEqual(['owner@example.org']);
      await page.context().close();
    });

    test('the form explains a refusal at its field, and keeps the text', async () => {
      const page = await openForm('by script', true);
      await page.getByLabel('E-mail').fill('grace@example..org');
      await page.getByLabel('E-mail').evaluate((input) => input.setAttribute('type', 'text'));
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('Your message was not sent: Email: ').waitFor();
      expect(await page.getByLabel('E-mail').evaluate((element) => element.matches(':focus'))).toBe(true);
      expect(await page.getByLabel('Message').inputValue()).toBe('by script');
      await page.context().close();
    });

    test('the form works without script', async () => {
      const page = await openForm('without script', false);
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('heading', { name: 'Message sent' }).waitFor();
      expect((await sentTo('without script')).to).toEqual(['owner@example.org']);
      await page.getByRole('link', { name: 'Back to localhost' }).click();
      await page.waitForURL(`${site.origin}/**`);
      await page.context().close();
    });

    test('people neither see nor reach the honeypot', async () => {
      const page = await openForm('x', true);
      const trap = await page.locator('.contact-trap').boundingBox();
      expect([trap?.width, trap?.height]).toEqual([1, 1]);
      expect(await page.getByRole('textbox').count()).toBe(3);
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Send');
      await page.context().close();
    });

    test('neither the form nor the pages that follow it have serious accessibility faults', async () => {
      const page = await openForm('accessible', true);
      expect(await findViolations(page, TWO_LOOKS)).toEqual([]);
      await page.getByLabel('E-mail').fill('grace@example.org');
      await page.evaluate("document.querySelector('.contact-form').submit()");
      await page.getByRole('heading', { name: 'Message sent' }).waitFor();
      expect(await findViolations(page, TWO_LOOKS)).toEqual([]);
      await page.goBack();
      await page.getByLabel('E-mail').fill('nobody');
      await page.evaluate("document.querySelector('.contact-form').submit()");
      await page.getByText('Back button').waitFor();
      expect(await findViolations(page, TWO_LOOKS)).toEqual([]);
      await page.context().close();
    });
  });
});
