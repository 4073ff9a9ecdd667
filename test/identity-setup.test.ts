import { describe, expect, test } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { openBrowser, signIn } from './harness/browser.ts';
import { addAdmin, type Posthouse, runJson, startPosthouse } from './harness/posthouse.ts';

const ADMIN = { name: 'Ada Lovelace', email: 'ada@example.org', password: 'correct horse battery' };

const linkOf = (posthouse: Posthouse) =>
  /^Create the administrator account: (http:\S+\/setup\/[\w-]{32})$/m.exec(posthouse.output())?.[1] ?? '';
const form = (fields: Record<string, string>) => ({
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});
const needsFirstAccount = async (posthouse: Posthouse) => (await posthouse.fetch('/api/welcome')).json();

describe.each(BACKENDS)('the first administrator on %s', (backend) => {
  test('is created by the one-time link of the terminal', async () => {
    const settings = await freshSettings(backend);
    const first = await startPosthouse(settings);
    expect(await needsFirstAccount(first)).toMatchObject({ needsFirstAccount: true });
    const [path] = linkOf(first).match(/\/setup\/.*/) ?? [''];
    await first.stop();

    // The link of any start is that of all nodes, and ends with its use only.
    const posthouse = await startPosthouse(settings);
    const link = linkOf(posthouse);
    expect(new URL(link).pathname).toBe(path);
    const browser = openBrowser(link);
    for (const wrong of [`${path.slice(0, -1)}`, '/setup/nothing', `/setup/${'a'.repeat(32)}`]) {
      expect((await browser.visit(new URL(wrong, link).href)).status).toBe(404);
      expect(
        (await browser.visit(new URL(wrong, link).href, { method: 'POST', ...form(ADMIN) })).status,
      ).toBe(404);
    }

    const page = await browser.visit(link);
    expect(page.status).toBe(200);
    const short = await browser.submit(page, { ...ADMIN, password: 'short' });
    expect(short.status).toBe(400);
    expect(short.text).toContain('must have at least 8 characters');
    expect(short.text).toContain('value="Ada Lovelace"');
    expect(short.text).not.toContain('value="short"');
    const crooked = await browser.submit(page, { ...ADMIN, email: 'ada' });
    expect([crooked.status, crooked.text.includes('must be an e-mail address')]).toEqual([400, true]);

    // Of two simultaneous uses, one creates an account.
    const others = [openBrowser(link), openBrowser(link)];
    const made = await Promise.all(
      others.map((other, n) =>
        other.fetch(link, { method: 'POST', ...form({ ...ADMIN, email: `ada${n}@example.org` }) }),
      ),
    );
    expect(made.map(({ status }) => status).sort()).toEqual([303, 404]);
    const winner = others[made.findIndex(({ status }) => status === 303)];
    const me = await (await winner?.fetch('/api/me'))?.json();
    expect(me).toMatchObject({ name: 'Ada Lovelace', role: 'admin' });
    expect((await browser.visit(link)).status).toBe(404);
    expect(await needsFirstAccount(posthouse)).toMatchObject({ needsFirstAccount: false });
    await posthouse.stop();

    const after = await startPosthouse(settings);
    expect(linkOf(after)).toBe('');
    expect((await after.fetch(new URL(link).pathname)).status).toBe(404);
    await after.stop();
  });

  test('can be created by a command, which ends the link', async () => {
    const settings = await freshSettings(backend);
    const posthouse = await startPosthouse(settings);
    await runJson(settings, 'user', 'add', '--email', 'user@example.org', '--password', ADMIN.password);
    expect((await openBrowser(linkOf(posthouse)).visit(linkOf(posthouse))).status).toBe(200);
    await addAdmin(settings, ADMIN.email, ADMIN.password);
    expect((await openBrowser(linkOf(posthouse)).visit(linkOf(posthouse))).status).toBe(404);
    expect((await signIn(posthouse, ADMIN.email)).me.role).toBe('admin');
    await posthouse.stop();
  });
});

test('refuses the form from a page of another site', async () => {
  const posthouse = await startPosthouse(await freshSettings('sqlite+local'));
  const link = linkOf(posthouse);
  const answer = await posthouse.fetch(new URL(link).pathname, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'cross-site' },
    body: new URLSearchParams(ADMIN).toString(),
  });
  expect(answer.status).toBe(403);
  expect(await answer.json()).toMatchObject({ code: 'cross_site_request' });
  expect(await needsFirstAccount(posthouse)).toMatchObject({ needsFirstAccount: true });
  await posthouse.stop();
});
