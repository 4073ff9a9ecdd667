import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BACKENDS, type Backend, freshSettings } from './harness/backends.ts';
import { openBrowser } from './harness/browser.ts';
import { startIssuer, type TestIssuer } from './harness/issuer.ts';
import { freePort } from './harness/peers.ts';
import { type Posthouse, runCommand, runJson, startPosthouse } from './harness/posthouse.ts';

const SERVER = 'https://posthouse.example';

async function startWith(backend: Backend, issuer: TestIssuer, settings: Record<string, string> = {}) {
  const posthouse = await startPosthouse({
    ...(await freshSettings(backend)),
    ...issuer.settings,
    POSTHOUSE_PUBLIC_URL: SERVER,
    ...settings,
  });
  const browse = () => openBrowser(SERVER, (url) => (url.origin === SERVER ? posthouse.url : url.origin));
  return { posthouse, browse };
}

describe.each(BACKENDS)('signing in at an external issuer on %s', (backend) => {
  let issuer: TestIssuer;
  let posthouse: Posthouse;
  let browse: Awaited<ReturnType<typeof startWith>>['browse'];
  beforeAll(async () => {
    issuer = await startIssuer([SERVER]);
    ({ posthouse, browse } = await startWith(backend, issuer, {
      POSTHOUSE_OIDC_ALLOW: 'ada@example.org, @allowed.example',
      POSTHOUSE_ADMIN_EMAIL: 'boss@example.org',
    }));
  });
  afterAll(async () => {
    await posthouse.stop();
    await issuer.stop();
  });

  async function enter(person: TestIssuer['person']) {
    issuer.person = person;
    const browser = browse();
    const page = await browser.visit('/login?returnTo=/api/me');
    return {
      browser,
      page,
      me: page.status === 200 ? (JSON.parse(page.text) as { id: string; email: string; name: string; role: string }) : null,
    };
  }

  test('those whom the operator allows have an account at their first login, and the same at the next', async () => {
    const first = await enter({ sub: 'a-1', email: 'Ada@Example.org', email_verified: true, name: 'Ada' });
    expect(first.me).toMatchObject({ email: 'ada@example.org', name: 'Ada', role: 'user' });
    expect(first.page.way.some((url) => url.startsWith(issuer.url))).toBe(true);
    const again = await enter({ sub: 'a-1', email: 'ada.new@example.org', email_verified: true, name: 'Ada K.' });
    expect(again.me).toMatchObject({ id: first.me?.id, email: 'ada.new@example.org', name: 'Ada K.' });
    expect((await enter({ sub: 'd-1', email: 'somebody@allowed.example', email_verified: true })).me).toMatchObject({ role: 'user' });
  });

  test('an address that passed to somebody else does not give them the account', async () => {
    const first = await enter({ sub: 'b-1', email: 'shared@allowed.example', email_verified: true });
    const second = await enter({ sub: 'b-2', email: 'shared@allowed.example', email_verified: true });
    expect(second.me?.id).not.toBe(first.me?.id);
  });

  test.each([
    ['an address that nobody allowed', { sub: 'c-1', email: 'eve@example.org', email_verified: true }],
    ['an address of a longer domain', { sub: 'c-2', email: 'eve@not.allowed.example', email_verified: true }],
    ['an address that is not verified', { sub: 'c-3', email: 'eve@allowed.example', email_verified: false }],
    ['an address of which the issuer does not say', { sub: 'c-4', email: 'eve@allowed.example' }],
    ['the administrator’s address, not verified', { sub: 'c-5', email: 'boss@example.org', email_verified: false }],
    ['no address', { sub: 'c-6' }],
  ] as [string, TestIssuer['person']][])('%s gets no account', async (_, person) => {
    const { page, browser } = await enter(person);
    expect([page.status, new URL(page.url).pathname]).toEqual([403, '/auth/callback']);
    expect(page.headers.get('Content-Type')).toStartWith('text/html');
    expect(page.text).toContain('No account for this person');
    expect(browser.cookiesFor(SERVER)).not.toContain('__Host-posthouse=');
    const { users } = await runJson<{ users: { email: string }[] }>(posthouse.settings, 'user', 'list');
    expect(users.map(({ email }) => email)).not.toContain(person.email ?? '');
  });

  test('a script is told the same as a problem', async () => {
    issuer.person = { sub: 'c-7', email: 'eve@example.org', email_verified: true };
    const page = await browse().visit('/login', { headers: { Accept: 'application/json' } });
    expect(page.status).toBe(403);
    expect(JSON.parse(page.text)).toMatchObject({ code: 'account_not_allowed' });
  });

  test('the administrator’s address makes an administrator, and invitations the role they name', async () => {
    expect((await enter({ sub: 'boss', email: 'boss@example.org', email_verified: true })).me).toMatchObject({ role: 'admin' });
    const invited = await runJson<{ id: string }>(posthouse.settings, 'user', 'add', '--email', 'Guest@else.example', '--admin');
    expect((await enter({ sub: 'e-0', email: 'guest@else.example', email_verified: false })).page.status).toBe(403);
    expect((await enter({ sub: 'e-1', email: 'guest@else.example', email_verified: true })).me).toMatchObject({
      id: invited.id,
      role: 'admin',
    });
    // An invitation is for one person.
    expect((await enter({ sub: 'e-2', email: 'guest@else.example', email_verified: true })).page.status).toBe(403);
  });

  test('a disabled account cannot sign in', async () => {
    const person = { sub: 'f-1', email: 'off@allowed.example', email_verified: true };
    const { browser } = await enter(person);
    await runJson(posthouse.settings, 'user', 'disable', '--email', person.email);
    expect((await browser.fetch('/api/me')).status).toBe(401);
    expect((await enter(person)).page.status).toBe(403);
  });

  test('signing out ends the session here and leads to the issuer’s logout', async () => {
    const { browser } = await enter({ sub: 'g-1', email: 'out@allowed.example', email_verified: true });
    const cookie = browser.cookiesFor(SERVER);
    const answer = await browser.fetch('/logout', { method: 'POST', headers: { Accept: 'text/html' } });
    expect(answer.status).toBe(303);
    const target = new URL(answer.headers.get('Location') ?? '');
    expect(target.origin).toBe(issuer.url);
    expect(target.searchParams.get('post_logout_redirect_uri')).toBe(`${SERVER}/`);
    expect((await posthouse.fetch('/api/me', { headers: { Cookie: cookie } })).status).toBe(401);
    expect((await browser.visit(target.href)).text).toContain('<form');

    const script = await enter({ sub: 'g-1', email: 'out@allowed.example', email_verified: true });
    const told = await script.browser.fetch('/logout', { method: 'POST', headers: { Accept: 'application/json' } });
    expect(((await told.json()) as { location: string }).location).toStartWith(issuer.url);
  });

  test('passwords and the terminal’s link have no place here', async () => {
    expect(posthouse.output()).not.toContain('/setup/');
    expect((await posthouse.fetch('/setup/anything')).status).toBe(404);
    expect((await posthouse.fetch('/oidc/auth')).status).toBe(404);
    const refused = await runCommand(
      posthouse.settings,
      'user',
      'set-password',
      '--email',
      'boss@example.org',
      '--password',
      'long enough',
    );
    expect([refused.status, refused.stderr.includes('signs in at')]).toEqual([1, true]);
  });
});

test('a client that was registered to send its secret in the body can sign in', async () => {
  const issuer = await startIssuer([SERVER], { authentication: 'client_secret_post', logout: false });
  const { posthouse, browse } = await startWith('sqlite+local', issuer, { POSTHOUSE_OIDC_ALLOW: '@example.org' });
  issuer.person = { sub: '1', email: 'ada@example.org', email_verified: true };
  const browser = browse();
  expect((await browser.visit('/login?returnTo=/api/me')).status).toBe(200);
  // Without a logout of the issuer's the first page is next.
  const out = await browser.fetch('/logout', { method: 'POST', headers: { Accept: 'text/html' } });
  expect(out.headers.get('Location')).toBe('/');
  await posthouse.stop();
  await issuer.stop();
});

test('an issuer that does not answer is told, and tried again', async () => {
  const port = await freePort();
  const { posthouse } = await startWith('sqlite+local', {
    url: '',
    person: { sub: '' },
    stop: async () => {},
    settings: {
      POSTHOUSE_OIDC_ISSUER: `http://127.0.0.1:${port}`,
      POSTHOUSE_OIDC_CLIENT_ID: 'posthouse',
      POSTHOUSE_OIDC_CLIENT_SECRET: 'the client secret that no log may have',
    },
  });
  for (const accept of ['application/json', 'text/html']) {
    const answer = await posthouse.fetch('/login', { headers: { Accept: accept } });
    expect(answer.status).toBe(502);
    const text = await answer.text();
    expect(text).toContain('cannot be reached');
    expect(text.includes('"issuer_unreachable"')).toBe(accept === 'application/json');
  }
  expect(posthouse.output()).not.toContain('the client secret that no log may have');
  await posthouse.stop();
});
