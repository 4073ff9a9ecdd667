import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BACKENDS, type Backend, freshSettings, ONE_BACKEND } from './harness/backends.ts';
import { openBrowser, signIn } from './harness/browser.ts';
import { startIssuer, type TestIssuer } from './harness/issuer.ts';
import { freePort } from './harness/peers.ts';
import { addPerson, type Posthouse, runCommand, runJson, startPosthouse } from './harness/posthouse.ts';

const SERVER = 'https://posthouse.example';

async function startWith(
  backend: Backend,
  issuer: Pick<TestIssuer, 'settings'>,
  settings: Record<string, string> = {},
) {
  const posthouse = await startPosthouse({
    ...(await freshSettings(backend)),
    ...issuer.settings,
    POSTHOUSE_PUBLIC_URL: SERVER,
    ...settings,
  });
  const browse = () => openBrowser(SERVER, (url) => (url.origin === SERVER ? posthouse.url : url.origin));
  return { posthouse, browse };
}

describe.each(ONE_BACKEND)('sign-in at an external issuer on %s', (backend) => {
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
      me:
        page.status === 200
          ? (JSON.parse(page.text) as { id: string; email: string; name: string; role: string })
          : null,
    };
  }

  test('creates an account for an allowed address at the first sign-in, and uses it at the next', async () => {
    const first = await enter({ sub: 'a-1', email: 'Ada@Example.org', email_verified: true, name: 'Ada' });
    expect(first.me).toMatchObject({ email: 'ada@example.org', name: 'Ada', role: 'user' });
    expect(first.page.visited.some((url) => url.startsWith(issuer.url))).toBe(true);
    const again = await enter({
      sub: 'a-1',
      email: 'ada.new@example.org',
      email_verified: true,
      name: 'Ada K.',
    });
    expect(again.me).toMatchObject({ id: first.me?.id, email: 'ada.new@example.org', name: 'Ada K.' });
    expect(
      (await enter({ sub: 'd-1', email: 'somebody@allowed.example', email_verified: true })).me,
    ).toMatchObject({ role: 'user' });
  });

  test('keeps the account when another person gets its address', async () => {
    const first = await enter({ sub: 'b-1', email: 'shared@allowed.example', email_verified: true });
    const second = await enter({ sub: 'b-2', email: 'shared@allowed.example', email_verified: true });
    expect(second.me?.id).not.toBe(first.me?.id);
  });

  test.each([
    ['an address that is not allowed', { sub: 'c-1', email: 'eve@example.org', email_verified: true }],
    ['an address of a longer domain', { sub: 'c-2', email: 'eve@not.allowed.example', email_verified: true }],
    ['an address that is not verified', { sub: 'c-3', email: 'eve@allowed.example', email_verified: false }],
    ['an address without a statement of the issuer', { sub: 'c-4', email: 'eve@allowed.example' }],
    [
      'the administrator’s address, not verified',
      { sub: 'c-5', email: 'boss@example.org', email_verified: false },
    ],
    ['no address', { sub: 'c-6' }],
  ] as [string, TestIssuer['person']][])('creates no account for %s', async (_, person) => {
    const { page, browser } = await enter(person);
    expect([page.status, new URL(page.url).pathname]).toEqual([403, '/auth/callback']);
    expect(page.headers.get('Content-Type')).toStartWith('text/html');
    expect(page.text).toContain('Account not allowed');
    expect(browser.cookiesFor(SERVER)).not.toContain('__Host-posthouse=');
    const { users } = await runJson<{ users: { email: string }[] }>(posthouse.settings, 'user', 'list');
    expect(users.map(({ email }) => email)).not.toContain(person.email ?? '');
  });

  test('responds to scripts with a problem', async () => {
    issuer.person = { sub: 'c-7', email: 'eve@example.org', email_verified: true };
    const page = await browse().visit('/login', { headers: { Accept: 'application/json' } });
    expect(page.status).toBe(403);
    expect(JSON.parse(page.text)).toMatchObject({ code: 'account_not_allowed' });
  });

  test('creates an administrator for the configured address, and invited people with their role', async () => {
    expect((await enter({ sub: 'boss', email: 'boss@example.org', email_verified: true })).me).toMatchObject({
      role: 'admin',
    });
    const invited = await runJson<{ id: string }>(
      posthouse.settings,
      'user',
      'add',
      '--email',
      'Guest@else.example',
      '--admin',
    );
    expect(
      (await enter({ sub: 'e-0', email: 'guest@else.example', email_verified: false })).page.status,
    ).toBe(403);
    expect((await enter({ sub: 'e-1', email: 'guest@else.example', email_verified: true })).me).toMatchObject(
      {
        id: invited.id,
        role: 'admin',
      },
    );
    // An invitation is for one person.
    expect((await enter({ sub: 'e-2', email: 'guest@else.example', email_verified: true })).page.status).toBe(
      403,
    );
  });

  test('bounds the values of the issuer', async () => {
    const long = 'x\n'.repeat(50_000);
    const person = { sub: 'l-1', email: 'long@allowed.example', email_verified: true, name: long };
    expect((await enter(person)).me).toMatchObject({ email: person.email, name: 'x '.repeat(50).trim() });
    for (const refused of [
      { sub: 'l-2', email: `${'a'.repeat(300)}@allowed.example` },
      { sub: 'l-3', email: 'a b@allowed.example' },
      { sub: 'l'.repeat(300), email: 'subject@allowed.example' },
    ])
      expect((await enter({ ...refused, email_verified: true })).page.status).toBeOneOf([400, 403]);
  });

  test('refuses a disabled account', async () => {
    const person = { sub: 'f-1', email: 'off@allowed.example', email_verified: true };
    const { browser } = await enter(person);
    await runJson(posthouse.settings, 'user', 'disable', '--email', person.email);
    expect((await browser.fetch('/api/me')).status).toBe(401);
    expect((await enter(person)).page.status).toBe(403);
  });

  test('ends the session and redirects to the issuer’s logout', async () => {
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
    const forScript = await script.browser.fetch('/logout', {
      method: 'POST',
      headers: { Accept: 'application/json' },
    });
    expect(((await forScript.json()) as { location: string }).location).toStartWith(issuer.url);
  });

  test('offers neither passwords nor the setup link', async () => {
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

test.each(BACKENDS)('ends sessions and tokens of accounts of an earlier issuer on %s', async (backend) => {
  const issuer = await startIssuer([SERVER]);
  const settings = await freshSettings(backend);
  const local = await startPosthouse(settings);
  await addPerson(settings, 'ada@example.org');
  const { cookie } = await signIn(local, 'ada@example.org');
  const add = ['token', 'add', '--email', 'ada@example.org', '--name', 'script'];
  const { token } = await runJson<{ token: string }>(settings, ...add);
  const credentials: Record<string, string>[] = [{ Cookie: cookie }, { Authorization: `Bearer ${token}` }];
  const statuses = async ({ fetch }: Posthouse) =>
    await Promise.all(credentials.map(async (headers) => (await fetch('/api/me', { headers })).status));
  expect(await statuses(local)).toEqual([200, 200]);
  await local.stop();
  const external = await startPosthouse({ ...settings, ...issuer.settings });
  expect(await statuses(external)).toEqual([401, 401]);
  await external.stop();
  await issuer.stop();
});

test('an issuer whose response does not end is refused, and takes no memory', async () => {
  let sent = 0;
  const endless = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            sent += 65_536;
            controller.enqueue(Buffer.alloc(65_536, ' '));
          },
        }),
        { headers: { 'Content-Type': 'application/json' } },
      ),
  });
  const settings = { POSTHOUSE_OIDC_CLIENT_ID: 'a', POSTHOUSE_OIDC_CLIENT_SECRET: 'b' };
  const issuer = { settings: { ...settings, POSTHOUSE_OIDC_ISSUER: `http://127.0.0.1:${endless.port}` } };
  const { posthouse } = await startWith('sqlite+local', issuer);
  const answer = await posthouse.fetch('/login', { headers: { Host: 'posthouse.example' } });
  expect([answer.status, sent < 50_000_000]).toEqual([502, true]);
  await posthouse.stop();
  await endless.stop(true);
});

/** A sign-in at a new server with `issuer`. */
async function signInAt(issuer: TestIssuer) {
  const { posthouse, browse } = await startWith('sqlite+local', issuer, {
    POSTHOUSE_OIDC_ALLOW: '@example.org',
  });
  const signIn = async (person: Partial<TestIssuer['person']> = {}) => {
    issuer.person = { sub: '1', email: 'ada@example.org', email_verified: true, ...person };
    return (await browse().visit('/login?returnTo=/api/me')).status;
  };
  return { posthouse, signIn, stop: async () => void (await Promise.all([posthouse.stop(), issuer.stop()])) };
}

// Every character that a secret may contain (RFC 6749 §A.2), except letters and digits.
const SIGNS = '! "#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

test.each([
  ['any secret, decoded as RFC 6749 requires', { secret: SIGNS }],
  ['a secret of unreserved letters, compared as it was sent', { secret: 'a-b_c.d~e', header: 'raw' }],
  [
    'a secret that the issuer only understands in the body',
    { secret: SIGNS, header: 'raw', authentication: 'client_secret_post' },
  ],
  ['a challenge of HTTP authentication', { authentication: 'client_secret_post', header: 'challenged' }],
] as const)('authenticates at the issuer with %s', async (_, options) => {
  const issuer = await startIssuer([SERVER], options);
  const { signIn, stop } = await signInAt(issuer);
  expect(await signIn()).toBe(200);
  await stop();
});

test('requests the configured scopes, at an issuer that refuses others', async () => {
  const scope = 'openid email identify';
  const issuer = await startIssuer([SERVER], { scope, logout: false });
  const usual = await signInAt(issuer);
  expect(await usual.signIn()).toBe(400);
  await usual.posthouse.stop();
  const configured = await signInAt({
    ...issuer,
    settings: { ...issuer.settings, POSTHOUSE_OIDC_SCOPES: scope },
  });
  expect(await configured.signIn()).toBe(200);
  await configured.stop();
});

test('uses the newest keys of the issuer at once, also under the id of an earlier one', async () => {
  const issuer = await startIssuer([SERVER]);
  const { signIn, stop } = await signInAt(issuer);
  for (const kid of ['first', 'second', 'second']) {
    issuer.rotate(kid);
    expect(await signIn()).toBe(200);
  }
  expect(issuer.requests).toEqual({ keys: 3, metadata: 1 });
  await stop();
});

test('reads the metadata of the issuer once for sign-ins that begin at the same time', async () => {
  const issuer = await startIssuer([SERVER]);
  const { posthouse, stop } = await signInAt(issuer);
  const headers = { Host: new URL(SERVER).host };
  const begun = await Promise.all(Array.from({ length: 10 }, () => posthouse.fetch('/login', { headers })));
  expect(new Set(begun.map(({ status }) => status))).toEqual(new Set([302]));
  expect(issuer.requests.metadata).toBe(1);
  await stop();
});

test('accepts an address that Microsoft’s claim states as verified', async () => {
  const issuer = await startIssuer([SERVER]);
  const { signIn, stop } = await signInAt(issuer);
  expect(await signIn({ email_verified: undefined })).toBe(403);
  expect(await signIn({ email_verified: undefined, xms_edov: false })).toBe(403);
  expect(await signIn({ email_verified: false, xms_edov: true })).toBe(403);
  expect(await signIn({ email_verified: undefined, xms_edov: '1' })).toBe(200);
  await stop();
});

test('signs in with a client that is registered to send its secret in the body', async () => {
  const issuer = await startIssuer([SERVER], { authentication: 'client_secret_post', logout: false });
  const { posthouse, browse } = await startWith('sqlite+local', issuer, {
    POSTHOUSE_OIDC_ALLOW: '@example.org',
  });
  issuer.person = { sub: '1', email: 'ada@example.org', email_verified: true };
  const browser = browse();
  expect((await browser.visit('/login?returnTo=/api/me')).status).toBe(200);
  // For an issuer without logout, the start page follows.
  const out = await browser.fetch('/logout', { method: 'POST', headers: { Accept: 'text/html' } });
  expect(out.headers.get('Location')).toBe('/');
  await posthouse.stop();
  await issuer.stop();
});

test('reports an issuer that does not respond, and retries', async () => {
  const port = await freePort();
  const { posthouse } = await startWith('sqlite+local', {
    settings: {
      POSTHOUSE_OIDC_ISSUER: `http://127.0.0.1:${port}`,
      POSTHOUSE_OIDC_CLIENT_ID: 'posthouse',
      POSTHOUSE_OIDC_CLIENT_SECRET: 'the client secret that no log may have',
    },
  });
  for (const accept of ['application/json', 'text/html']) {
    const answer = await posthouse.fetch('/login?moved=1', { headers: { Accept: accept } });
    expect(answer.status).toBe(502);
    const text = await answer.text();
    expect(text).toContain('cannot be reached');
    expect(text.includes('"issuer_unreachable"')).toBe(accept === 'application/json');
  }
  expect(posthouse.output()).not.toContain('the client secret that no log may have');
  await posthouse.stop();
});
