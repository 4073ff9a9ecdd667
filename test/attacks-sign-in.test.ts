import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { freshSettings } from './harness/backends.ts';
import { openBrowser, signIn } from './harness/browser.ts';
import { type HostileIssuer, type Lies, startHostileIssuer } from './harness/hostile-issuer.ts';
import { addPerson, type Posthouse, startPosthouse } from './harness/posthouse.ts';

/* Attacks by OpenID providers, and by links to the sign-in. */

const SERVER = 'https://posthouse.example';

/** Starts a server that uses `issuer`, behind a proxy with HTTPS. */
const startAt = (issuer: HostileIssuer, settings: Record<string, string>) =>
  startPosthouse({
    ...settings,
    ...issuer.settings,
    POSTHOUSE_PUBLIC_URL: SERVER,
    POSTHOUSE_OIDC_ALLOW: 'ada@example.org',
    POSTHOUSE_TRUSTED_PROXIES: '127.0.0.1',
  });

const browserOf = (posthouse: Posthouse) =>
  openBrowser(SERVER, (url) => (url.origin === SERVER ? posthouse.url : url.origin));

async function enterAt(posthouse: Posthouse) {
  const browser = browserOf(posthouse);
  const page = await browser.visit('/login?returnTo=/api/me');
  return { page, isSignedIn: browser.cookiesFor(SERVER).includes('__Host-posthouse=') };
}

describe('a hostile OpenID provider', () => {
  let issuer: HostileIssuer;
  let posthouse: Posthouse;
  beforeAll(async () => {
    issuer = startHostileIssuer();
    posthouse = await startAt(issuer, await freshSettings());
  });
  afterAll(async () => {
    expect(posthouse.output()).not.toContain('unexpected error');
    await posthouse.stop();
    await issuer.stop();
  });
  beforeEach(() => {
    issuer.lies = {};
  });

  const browse = () => browserOf(posthouse);
  const enter = () => enterAt(posthouse);

  // Before the first sign-in, which caches the metadata.
  test('cannot name another issuer', async () => {
    issuer.lies = { metadata: { issuer: 'https://issuer.example' } };
    expect((await browse().visit('/login')).status).toBe(502);
  });

  test('that behaves correctly can sign people in', async () => {
    const { page, isSignedIn } = await enter();
    expect([page.status, isSignedIn]).toEqual([200, true]);
  });

  const ADA = { email: 'ada@example.org', email_verified: true };
  const PAST = Math.floor(Date.now() / 1_000) - 3_600;
  test.each<[string, Lies]>([
    ['an unsigned token', { signature: 'none' }],
    ['a token signed with the secret of the client', { signature: 'secret' }],
    ['a token signed with an unpublished key', { signature: 'stranger' }],
    ['a token for another sign-in', { claims: { nonce: 'of another sign-in' } }],
    ['a token for no sign-in', { claims: { nonce: undefined } }],
    ['a token of another issuer', { claims: { iss: 'https://issuer.example' } }],
    ['a token for another client', { claims: { aud: 'another' } }],
    ['a token for several clients', { claims: { aud: ['posthouse', 'another'], azp: 'another' } }],
    ['an expired token', { claims: { exp: PAST } }],
    ['a token without an end', { claims: { exp: undefined } }],
    ['a token of nobody', { claims: { sub: '' } }],
    ['a subject with U+0000', { claims: { ...ADA, sub: 'a\0' } }],
    ['a subject with half of a surrogate pair', { claims: { ...ADA, sub: 'a\ud800' } }],
    ['the profile of another person', { userinfo: { sub: '2' } }],
    ['the state of another sign-in', { callback: { state: 'of another sign-in' } }],
    ['a code of another issuer', { callback: { iss: 'https://issuer.example' } }],
    ['an error beside a code', { callback: { error: 'access_denied' } }],
  ])('cannot sign in with %s', async (_, lies) => {
    issuer.lies = lies;
    const { page, isSignedIn } = await enter();
    expect([page.status, isSignedIn]).toEqual([400, false]);
  });

  test('cannot have the code of a sign-in, or the secret, sent elsewhere', async () => {
    const seen: string[] = [];
    const elsewhere = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch(request) {
        seen.push(request.url);
        return new Response(null, { status: 404 });
      },
    });
    const location = `http://127.0.0.1:${elsewhere.port}/`;
    for (const path of ['/token', '/jwks', '/me']) {
      issuer.lies = {
        answers: { [path]: () => new Response(null, { status: 307, headers: { Location: location } }) },
      };
      const { page, isSignedIn } = await enter();
      expect([path, page.status < 500, isSignedIn, seen]).toEqual([path, true, false, []]);
    }
    await elsewhere.stop(true);
  });

  test('is refused with the reason when its response is too large', async () => {
    issuer.lies = { answers: { '/token': () => new Response(' '.repeat(2_000_000)) } };
    const { page, isSignedIn } = await enter();
    expect([page.status, isSignedIn]).toEqual([502, false]);
    expect(page.text).toContain('is too large');
  });

  test('receives few requests from a browser that repeats the callback of one sign-in', async () => {
    let exchanges = 0;
    const refuse = () => {
      exchanges++;
      return Response.json({ error: 'invalid_grant' }, { status: 400 });
    };
    issuer.lies = { answers: { '/token': refuse } };
    const attacker = browse();
    const start = await attacker.fetch('/login');
    const back = await attacker.fetch(start.headers.get('Location') ?? '');
    const { pathname, search, host } = new URL(back.headers.get('Location') ?? '');
    const headers = { Cookie: attacker.cookiesFor(SERVER), Host: host, 'X-Forwarded-For': '192.0.2.7' };
    const repeat = () => posthouse.fetch(pathname + search, { headers });
    const statuses: number[] = [];
    // Each node counts its requests separately, so three nodes accept three times as many.
    while (!statuses.includes(429)) {
      const answers = await Promise.all(Array.from({ length: 50 }, repeat));
      statuses.push(...answers.map(({ status }) => status));
    }
    expect([...new Set(statuses)].sort()).toEqual([400, 429]);
    expect(exchanges).toBe(statuses.filter((status) => status === 400).length);
  });

  test('cannot make a browser continue the sign-in of another one', async () => {
    const attacker = browse();
    const start = await attacker.fetch('/login');
    const back = await attacker.fetch(start.headers.get('Location') ?? '');
    const callback = back.headers.get('Location') ?? '';
    const victim = browse();
    await victim.fetch('/login');
    expect((await victim.fetch(callback)).status).toBe(400);
    expect(victim.cookiesFor(SERVER)).not.toContain('__Host-posthouse=');
    expect((await attacker.fetch(callback)).status).toBe(302);
    expect((await attacker.fetch(callback)).status).toBe(400);
  });
});

// Each node remembers the metadata.
test.each<[string, Record<string, unknown>]>([
  ['without an address for sign-ins', { authorization_endpoint: undefined }],
  ['with a script as the address for sign-ins', { authorization_endpoint: 'javascript:alert(1)' }],
  ['with a number as the address for tokens', { token_endpoint: 7 }],
  ['without an address of its keys', { jwks_uri: undefined }],
  ['with a wrong address for tokens', { token_endpoint: 'http://127.0.0.1:1/token' }],
  ['with a relative address for tokens', { token_endpoint: '/none' }],
])('metadata of an OpenID provider %s are not remembered', async (_, metadata) => {
  const issuer = startHostileIssuer();
  const posthouse = await startAt(issuer, await freshSettings('sqlite+local'));
  issuer.lies = { metadata };
  const failed = await enterAt(posthouse);
  expect([failed.page.status >= 400, failed.isSignedIn]).toEqual([true, false]);
  issuer.lies = {};
  const { page, isSignedIn } = await enterAt(posthouse);
  expect([page.status, isSignedIn]).toEqual([200, true]);
  await posthouse.stop();
  await issuer.stop();
});

test('an OpenID provider cannot send browsers to another scheme', async () => {
  const issuer = startHostileIssuer();
  issuer.lies = { metadata: { authorization_endpoint: 'javascript:alert(1)' } };
  const posthouse = await startPosthouse({ ...(await freshSettings()), ...issuer.settings });
  const answer = await posthouse.fetch('/login?moved=1', { headers: { Accept: 'application/json' } });
  expect([answer.status, await answer.text()]).toEqual([
    502,
    expect.stringContaining('"issuer_unreachable"'),
  ]);
  expect(posthouse.output()).not.toContain('unexpected error');
  await posthouse.stop();
  await issuer.stop();
});

describe('the page after a sign-in', () => {
  let posthouse: Posthouse;
  let Cookie: string;
  beforeAll(async () => {
    posthouse = await startPosthouse({ ...(await freshSettings()) });
    await addPerson(posthouse.settings, 'ada@example.org');
    Cookie = (await signIn(posthouse, 'ada@example.org')).cookie;
  });
  afterAll(() => posthouse.stop());

  test.each([
    '//evil.example',
    '%2F%2Fevil.example',
    '/%5Cevil.example',
    '%5C%5Cevil.example',
    '/%09/evil.example',
    '/%0A/evil.example',
    '/%0D%0ALocation:%20https://evil.example',
    '%09//evil.example',
    '%20//evil.example',
    '%E3%80%80//evil.example',
    '/.//evil.example',
    '/%2e//evil.example',
    '/a/..//evil.example',
    'https://evil.example',
    'https:evil.example',
    'https:/evil.example',
    'HTTPS:%5Cevil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '@evil.example',
    '.evil.example',
    ':80@evil.example',
    '//user:secret@evil.example',
    '/&returnTo=//evil.example',
    '/&RETURNTO=//evil.example',
    '%252F%252Fevil.example',
    '/%252F/evil.example',
    '/%2F/evil.example',
    '/%C0%AF/evil.example',
    '/%00/evil.example',
    '/;//evil.example',
    '/#//evil.example',
    '/?//evil.example',
  ])('is on this server after %s', async (returnTo) => {
    const { port } = new URL(posthouse.url);
    const own = [posthouse.url, `http://localhost:${port}`];
    const callers: Record<string, string>[] = [{ Cookie }, {}, { Host: 'evil.example' }];
    for (const headers of callers) {
      const answer = await posthouse.fetch(`/login?returnTo=${returnTo}`, { headers });
      const location = answer.headers.get('Location');
      expect([400, 302]).toContain(answer.status);
      if (location !== null) expect(own).toContain(new URL(location, posthouse.url).origin);
      expect(answer.status === 302).toBe(location !== null);
    }
  });
});
