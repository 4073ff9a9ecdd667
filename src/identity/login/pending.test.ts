import { expect, test } from 'bun:test';
import { HOUR } from '../../kernel/clock.ts';
import { createVault } from '../../kernel/crypto/vault.ts';
import { createApp } from '../../kernel/http/context.ts';
import { createPendingLogins, type PendingLogin } from './pending.ts';

const LOGIN: PendingLogin = {
  state: 'state',
  nonce: 'nonce',
  codeVerifier: 'verifier',
  origin: 'https://posthouse.example',
  returnTo: '/files',
};

function setUp() {
  const time = { now: 0 };
  const pending = createPendingLogins({
    vault: createVault(Buffer.alloc(32, 1)),
    clock: { now: () => time.now },
    secure: true,
  });
  const app = createApp();
  app.get('/begin/:state', (c) => {
    pending.store(c, { ...LOGIN, state: c.req.param('state') });
    return c.text('');
  });
  app.get('/end/:state', (c) => c.json(pending.take(c, c.req.param('state'))));
  const begin = async (state: string, Cookie = '') =>
    (await app.request(`/begin/${state}`, { headers: { Cookie } })).headers.getSetCookie();
  const end = async (state: string, Cookie: string) =>
    (await app.request(`/end/${state}`, { headers: { Cookie } })).json();
  return { time, begin, end };
}

const pairOf = (line = '') => line.slice(0, line.indexOf(';'));

/** Changes the first character of the sealed bytes: of the last one, base64url may ignore some bits. */
const withOtherBytes = (pair: string) =>
  pair.replace(/\.(.)/, (_, first: string) => (first === 'A' ? '.B' : '.A'));

test('stores a login in a sealed cookie, for an hour and for its state only', async () => {
  const { time, begin, end } = setUp();
  const [line = ''] = await begin('state');
  expect(line).toMatch(
    /^__Host-posthouse-login-[\w-]{10}=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=3600; Secure$/,
  );
  expect(line).not.toContain('verifier');
  const cookie = pairOf(line);
  expect(await end('state', cookie)).toEqual(LOGIN);
  expect(await end('another', cookie)).toBeNull();
  expect(await end('state', withOtherBytes(cookie))).toBeNull();
  // A cookie of another login under this one's name.
  const [other = ''] = await begin('another');
  expect(
    await end('state', cookie.split('=')[0] + pairOf(other).slice(pairOf(other).indexOf('='))),
  ).toBeNull();
  time.now = HOUR;
  expect(await end('state', cookie)).toBeNull();
});

test('limits the cookies of abandoned logins', async () => {
  const { begin } = setUp();
  const kept = new Map<string, string>();
  for (let login = 0; login < 30; login++) {
    for (const line of await begin(`state${login}`, [...kept].map((pair) => pair.join('=')).join('; '))) {
      const [name = '', value = ''] = pairOf(line).split('=');
      if (value) kept.set(name, value);
      else kept.delete(name);
    }
    expect(kept.size).toBeLessThanOrEqual(5);
    expect([...kept].join().length).toBeLessThan(4_000);
  }
});
