import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { freshSettings } from './harness/backends.ts';
import { openBrowser, signIn } from './harness/browser.ts';
import { postJson, sendJson } from './harness/json.ts';
import { addPerson, type Posthouse, signInAdmin, startPosthouse } from './harness/posthouse.ts';
import { until } from './harness/until.ts';
import { type SmtpStandIn, startSmtpStandIn } from './stand-ins/smtp.ts';

const PASSWORD = 'a better password';

describe('e-mails about accounts', () => {
  let smtp: SmtpStandIn;
  let posthouse: Posthouse;
  let admin: Record<string, string>;
  beforeAll(async () => {
    smtp = await startSmtpStandIn({ tls: 'none' });
    posthouse = await startPosthouse({
      ...(await freshSettings()),
      POSTHOUSE_SMTP_URL: `smtp://${smtp.host}:${smtp.port}`,
      POSTHOUSE_MAIL_FROM: 'Posthouse <posthouse@example.org>',
      POSTHOUSE_TRUSTED_PROXIES: '127.0.0.1',
    });
    admin = (await signInAdmin(posthouse)).headers;
  });
  afterAll(async () => {
    await posthouse.stop();
    await smtp.stop();
  });

  const arrived = async (to: string, subject: RegExp) => {
    const { parsed } = await smtp.arrived(
      (mail) => mail.to.includes(to) && subject.test(mail.parsed.subject ?? ''),
    );
    return { text: parsed.text ?? '', html: String(parsed.html) };
  };
  const linkIn = (text: string) => /http:\/\/\S+\/password\/(\S+)/.exec(text)?.[0] ?? '';
  const pathOf = (link: string) => new URL(link).pathname;
  let requests = 0;
  const forget = (email: string, from = `10.9.0.${++requests}`) =>
    posthouse.fetch('/forgot-password', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        Accept: 'text/html',
        'X-Forwarded-For': from,
      },
      body: new URLSearchParams({ email }).toString(),
    });

  test('are in the language of the request, or in the one that the person chose', async () => {
    const german = { 'Accept-Language': 'de' };
    const invite = (email: string) =>
      postJson(
        posthouse,
        '/api/admin/people',
        { email, name: 'Ida', sendMail: true },
        { ...admin, ...german },
      );
    await invite('ida@example.org');
    const invitation = await arrived('ida@example.org', /^Ihr Konto bei Posthouse/);
    expect(invitation.text).toContain('Hallo Ida,');
    expect(invitation.text).toContain('Der Link kann einmal verwendet werden und ist sieben Tage gültig.');
    await addPerson(posthouse.settings, 'olga@example.org');
    const olga = await signIn(posthouse, 'olga@example.org');
    await sendJson(olga.browser, 'PATCH', '/api/account', { language: 'de' });
    await forget('olga@example.org');
    await arrived('olga@example.org', /^Neues Passwort für Posthouse/);
  });

  test('invite a person, with a link in text and HTML', async () => {
    const made = await postJson(
      posthouse,
      '/api/admin/people',
      { email: 'mia@example.org', name: 'Mia', sendMail: true },
      admin,
    );
    const person = (await made.json()) as { passwordLink: string; mail: object };
    expect([made.status, person.mail]).toEqual([
      201,
      { id: expect.any(String), status: 'sent', reason: null },
    ]);
    const { text, html } = await arrived('mia@example.org', /Your account at Posthouse/);
    expect(linkIn(text)).toBe(person.passwordLink);
    expect(html).toContain(`href="${person.passwordLink}"`);
    expect(text).toContain('Hello Mia');

    const browser = openBrowser(posthouse.url);
    await browser.submit(await browser.visit(pathOf(linkIn(text))), { password: PASSWORD });
    expect((await browser.fetch('/api/me')).status).toBe(200);
  });

  test('report a refused e-mail, and leave the link to the administrator', async () => {
    smtp.refuse('gone@example.org', { code: 550, text: 'no such user' });
    const made = await postJson(
      posthouse,
      '/api/admin/people',
      { email: 'gone@example.org', sendMail: true },
      admin,
    );
    expect([made.status, await made.json()]).toMatchObject([
      201,
      { passwordLink: expect.any(String), mail: { id: null, status: 'failed', reason: '550 no such user' } },
    ]);
  });

  test('let a person choose a new password, once', async () => {
    const { headers: token } = await addPerson(posthouse.settings, 'ada@example.org');
    const session = await signIn(posthouse, 'ada@example.org');
    const signInPage = await openBrowser(posthouse.url).visit('/login');
    expect(signInPage.text).toContain(' href="/forgot-password">');
    expect((await forget('Ada@Example.org')).status).toBe(200);
    const { text } = await arrived('ada@example.org', /Choose a new password/);
    const path = pathOf(linkIn(text));
    const [id, expiresAt = '', signature] = path.slice('/password/'.length).split('.');
    expect(Number(expiresAt)).toBeLessThanOrEqual(Date.now() + 3_600_000);
    const longer = `/password/${id}.${Number(expiresAt) + 1000}.${signature}`;
    expect((await posthouse.fetch(longer)).status).toBe(404);

    const browser = openBrowser(posthouse.url);
    const form = await browser.visit(path);
    expect((await browser.submit(form, { password: 'short' })).status).toBe(400);
    const done = await browser.submit(form, { password: PASSWORD });
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('Your password is set')]);
    expect((await browser.fetch('/api/me')).status).toBe(401);
    for (const headers of [token, session.headers])
      expect((await posthouse.fetch('/api/me', { headers })).status).toBe(401);
    await signIn(posthouse, 'ada@example.org', PASSWORD);
    expect((await browser.submit(form, { password: 'another password' })).status).toBe(404);
    expect((await arrived('ada@example.org', /was changed/)).text).toContain('/forgot-password');
  });

  test('can be requested by anyone, without revealing which accounts exist', async () => {
    await addPerson(posthouse.settings, 'known@example.org');
    const answers = await Promise.all(
      ['known@example.org', 'other@example.org'].map(async (email) => {
        const answer = await forget(email);
        return [answer.status, (await answer.text()).replaceAll(email, '')];
      }),
    );
    expect(answers[0]).toEqual(answers[1] ?? []);
    await arrived('known@example.org', /Choose a new password/);
    expect((await forget('not an address')).status).toBe(400);
    expect(smtp.mails.flatMap(({ to }) => to)).not.toContain('other@example.org');
    const crossSite = await posthouse.fetch('/forgot-password', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'https://elsewhere.example' },
      body: 'email=known@example.org',
    });
    expect(crossSite.status).toBe(403);
  });

  test('have links to the public address for any host of the request', async () => {
    await addPerson(posthouse.settings, 'host@example.org');
    const answer = await posthouse.fetch('/forgot-password', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        Host: 'evil.example',
        'X-Forwarded-For': '10.9.1.1',
        'X-Forwarded-Host': 'evil.example',
        'X-Forwarded-Proto': 'https',
        Forwarded: 'for=10.9.1.1;host=evil.example;proto=https',
      },
      body: new URLSearchParams({ email: 'host@example.org' }).toString(),
    });
    expect(answer.status).toBe(200);
    const { text, html } = await arrived('host@example.org', /./);
    expect(new URL(linkIn(text)).port).toBe(new URL(posthouse.url).port);
    expect(text + html).not.toContain('evil');
  });

  test('are limited for each account', async () => {
    await addPerson(posthouse.settings, 'often@example.org');
    await addPerson(posthouse.settings, 'last@example.org');
    for (let number = 0; number < 5; number++) expect((await forget('often@example.org')).status).toBe(200);
    await forget('last@example.org');
    const mailsTo = async (to: string) => {
      const path = `/api/admin/messages?recipient=${encodeURIComponent(to)}`;
      return ((await (await posthouse.fetch(path, { headers: admin })).json()) as unknown[]).length;
    };
    // Requests are handled in their order.
    await until(async () => (await mailsTo('last@example.org')) === 1);
    expect(await mailsTo('often@example.org')).toBe(3);
  });

  test('an address may request a number of them, then it is refused', async () => {
    const statuses = [];
    for (let number = 0; number < 11; number++)
      statuses.push((await forget('nobody@example.org', '10.8.0.1')).status);
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
  });

  test('are not offered without the service mail', async () => {
    const alone = await startPosthouse({
      ...(await freshSettings()),
      POSTHOUSE_SERVICES: 'identity,storage',
    });
    const headers = (await signInAdmin(alone)).headers;
    expect((await openBrowser(alone.url).visit('/login')).text).not.toContain('forgot-password');
    expect((await alone.fetch('/forgot-password')).status).toBe(404);
    const invited = await postJson(
      alone,
      '/api/admin/people',
      { email: 'mia@example.org', sendMail: true },
      headers,
    );
    expect([invited.status, await invited.json()]).toMatchObject([400, { errors: [{ path: 'sendMail' }] }]);
    await alone.stop();
  });
});
