import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { digestOf } from '../src/kernel/crypto/digest.ts';
import { BACKENDS, describeOnce, freshSettings } from './harness/backends.ts';
import { type Browser, openBrowser, signIn } from './harness/browser.ts';
import { foundationOf } from './harness/foundation.ts';
import { postJson } from './harness/json.ts';
import { addPerson, type Posthouse, runJson, startPosthouse } from './harness/posthouse.ts';

const WRONG = 'The e-mail address or the password is wrong.';

describe.each(BACKENDS)('sign-in at the embedded issuer on %s', (backend) => {
  let posthouse: Posthouse;
  beforeAll(async () => {
    posthouse = await startPosthouse(await freshSettings(backend));
    await addPerson(posthouse.settings, 'ada@example.org');
  });
  afterAll(() => posthouse.stop());

  const me = (headers: Record<string, string>) => posthouse.fetch('/api/me', { headers });

  test('signs a person in and out', async () => {
    const browser = openBrowser(posthouse.url);
    const form = await browser.visit('/login?returnTo=/api/me');
    const issuer = new URL(form.visited[1] ?? '');
    expect(issuer.pathname).toBe('/oidc/auth');
    expect(issuer.searchParams.get('code_challenge_method')).toBe('S256');
    for (const name of ['code_challenge', 'state', 'nonce'])
      expect(issuer.searchParams.get(name)).toMatch(/^[\w-]{43}$/);

    const page = await browser.submit(form, { email: 'Ada@example.org', password: 'correct horse battery' });
    expect(page.status).toBe(200);
    expect(new URL(page.url).pathname).toBe('/api/me');
    const id = expect.stringMatching(/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/);
    expect(JSON.parse(page.text)).toEqual({
      id,
      email: 'ada@example.org',
      name: 'ada',
      role: 'user',
      workspaceId: id,
      rootFolderId: id,
      mayCreateWorkspaces: false,
      publicUrl: `http://localhost:${new URL(posthouse.url).port}`,
      language: null,
    });

    const cookie = browser.cookiesFor(posthouse.url);
    expect((await me({ Cookie: cookie })).status).toBe(200);
    const out = await browser.fetch('/logout', {
      method: 'POST',
      headers: { Accept: 'text/html', 'Sec-Fetch-Site': 'same-origin' },
    });
    expect([out.status, out.headers.get('Location')]).toEqual([303, '/']);
    expect(browser.cookiesFor(posthouse.url)).toMatch(/^posthouse-device=[\w.-]+$/);
    expect((await me({ Cookie: cookie })).status).toBe(401);

    // The issuer has no session either: the password is required again.
    const again = await browser.visit('/login');
    expect(again.text).toContain('name="password"');
  });

  test.each([
    ['ada@example.org', 'something else'],
    ['nobody@example.org', 'something else'],
    ['ada@example.org', ''],
  ])('refuses %s with the password “%s” with the same message', async (email, password) => {
    const browser = openBrowser(posthouse.url);
    const page = await browser.submit(await browser.visit('/login'), { email, password });
    expect(page.status).toBe(401);
    expect(page.text).toContain(WRONG);
    expect(page.text).toContain(`value="${email}"`);
    const next = await browser.submit(page, { email: 'ada@example.org', password: 'correct horse battery' });
    expect(new URL(next.url).pathname).toBe('/');
  });

  test('refuses the right password after ten wrong ones', async () => {
    await addPerson(posthouse.settings, 'grace@example.org');
    const browser = openBrowser(posthouse.url);
    let page = await browser.visit('/login');
    for (let attempt = 0; attempt < 10; attempt++) {
      page = await browser.submit(page, { email: 'grace@example.org', password: `wrong ${attempt}` });
      expect(page.status).toBe(401);
    }
    page = await browser.submit(page, { email: 'grace@example.org', password: 'correct horse battery' });
    expect(page.status).toBe(429);
    expect(Number(page.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(page.text).toContain('Too many');
    // Other accounts are not blocked.
    await signIn(posthouse, 'ada@example.org');
  });

  test('checks ten of sixty simultaneous wrong passwords', async () => {
    await addPerson(posthouse.settings, 'edith@example.org');
    const browser = openBrowser(posthouse.url);
    const form = await browser.visit('/login');
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async (_, attempt) => {
        const body = new URLSearchParams({ email: 'edith@example.org', password: `wrong ${attempt}` });
        return (await browser.fetch(form.url, { method: 'POST', body })).status;
      }),
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(50);
  });

  test('lets two tabs sign in at the same time', async () => {
    const browser = openBrowser(posthouse.url);
    const [one, two] = [
      await browser.visit('/login?returnTo=/one'),
      await browser.visit('/login?returnTo=/two'),
    ];
    const person = { email: 'ada@example.org', password: 'correct horse battery' };
    expect(new URL((await browser.submit(one, person)).url).pathname).toBe('/one');
    expect(new URL((await browser.submit(two, person)).url).pathname).toBe('/two');
  });

  test('accepts an authorization code once, and only in the browser that started', async () => {
    const browser = openBrowser(posthouse.url);
    const page = await browser.submit(await browser.visit('/login'), {
      email: 'ada@example.org',
      password: 'correct horse battery',
    });
    const callback = page.visited.find((url) => url.includes('/auth/callback')) ?? '';
    expect(callback).toContain('code=');
    const replayed = await browser.visit(callback);
    expect([replayed.status, new URL(replayed.url).pathname]).toEqual([400, '/auth/callback']);
    expect(replayed.text).toContain('href="/login"');
    const elsewhere = await posthouse.fetch(callback);
    expect(elsewhere.status).toBe(400);
    expect(await elsewhere.json()).toMatchObject({ code: 'login_failed' });
    expect(elsewhere.headers.getSetCookie().filter((line) => line.startsWith('posthouse='))).toEqual([]);
  });

  test('redirects signed-in callers at once, and ends the previous session at a sign-in', async () => {
    const { browser, cookie } = await signIn(posthouse, 'ada@example.org');
    const answer = await browser.fetch('/login?returnTo=/files?a=b');
    expect([answer.status, answer.headers.get('Location')]).toEqual([302, '/files?a=b']);

    const form = await openBrowser(posthouse.url).visit('/login');
    expect(form.text).toContain('name="password"');
    const second = openBrowser(posthouse.url);
    const begun = await second.visit('/login');
    await second.submit(begun, { email: 'ada@example.org', password: 'correct horse battery' });
    expect((await me({ Cookie: cookie })).status).toBe(200);
  });

  test('ends sessions and tokens after disabling, a new password and a new role', async () => {
    const email = 'edsger@example.org';
    await addPerson(posthouse.settings, email);
    const changes = [
      ['set-password', '--password', 'another good one'],
      ['set-role', '--role', 'admin'],
      ['disable'],
    ];
    let password = 'correct horse battery';
    for (const [command = '', ...flags] of changes) {
      const { headers } = await signIn(posthouse, email, password);
      const { token } = await runJson<{ token: string }>(
        posthouse.settings,
        'token',
        'add',
        '--email',
        email,
        '--name',
        'script',
      );
      const bearer = { Authorization: `Bearer ${token}` };
      expect([(await me(headers)).status, (await me(bearer)).status]).toEqual([200, 200]);
      await runJson(posthouse.settings, 'user', command, '--email', email, ...flags);
      expect([(await me(headers)).status, (await me(bearer)).status]).toEqual([401, 401]);
      if (command === 'set-password') password = 'another good one';
    }
    const browser = openBrowser(posthouse.url);
    const page = await browser.submit(await browser.visit('/login'), { email, password });
    expect(page.status).toBe(403);
    expect(page.text).toContain('disabled');
    await runJson(posthouse.settings, 'user', 'enable', '--email', email);
    await signIn(posthouse, email, password);
  });

  describeOnce(backend, 'the pages and their parameters', () => {
    test('protects the session cookie from scripts and other sites', async () => {
      const browser = openBrowser(posthouse.url);
      const form = await browser.visit('/login');
      const sent = await browser.fetch(form.url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ email: 'ada@example.org', password: 'correct horse battery' }).toString(),
      });
      const resumed = await browser.fetch(sent.headers.get('Location') ?? '');
      const ended = await browser.fetch(resumed.headers.get('Location') ?? '');
      const cookie = ended.headers.getSetCookie().find((line) => line.startsWith('posthouse='));
      expect(cookie).toMatch(/^posthouse=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/);
    });

    test('shows one form with the fields email and password, and no script but that of the link', async () => {
      const page = await openBrowser(posthouse.url).visit('/login');
      expect(page.text.match(/<form/g)).toHaveLength(1);
      // A test in a browser signs in without it.
      expect(page.text.match(/<script/g)).toHaveLength(1);
      const policy = page.headers.get('Content-Security-Policy');
      expect(policy).toMatch(/script-src 'sha256-[^' ]+';/);
      for (const field of ['email', 'password'])
        expect(page.text).toMatch(new RegExp(`<label for="${field}">[\\s\\S]*name="${field}"`));
      expect(policy).toContain("default-src 'none'");
      expect(page.headers.get('Cache-Control')).toBe('no-store');
      expect(page.headers.get('X-Frame-Options')).toBe('DENY');
      // With `no-referrer` browsers would send the form with `Origin: null`.
      expect(page.headers.get('Referrer-Policy')).toBe('same-origin');
    });

    test('shows the sent values escaped', async () => {
      const browser = openBrowser(posthouse.url);
      const page = await browser.submit(await browser.visit('/login'), {
        email: '"><script>alert(1)</script>',
        password: 'x',
      });
      expect(page.text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
      expect(page.text).not.toContain('<script>');
    });

    test('restarts from a sign-in page of another browser, or an old one', async () => {
      const form = await openBrowser(posthouse.url).visit('/login');
      for (const method of ['GET', 'POST']) {
        const page = await openBrowser(posthouse.url).visit(form.url, { method });
        expect(page.status).toBe(400);
        expect(page.text).toContain('href="/login"');
      }
    });

    test('refuses the form from a page of another site', async () => {
      const browser = openBrowser(posthouse.url);
      const form = await browser.visit('/login');
      const page = await browser.visit(form.url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/x-www-form-urlencoded',
          'Sec-Fetch-Site': 'cross-site',
          Origin: 'https://else.example',
        },
        body: new URLSearchParams({ email: 'ada@example.org', password: 'correct horse battery' }).toString(),
      });
      expect(page.status).toBe(403);
    });

    test.each([
      '//else.example',
      '/\\else.example',
      'https://else.example/',
      '/%09/../\t/else.example',
      '/.//else.example',
      'files',
    ])('refuses the returnTo %s', async (returnTo) => {
      const answer = await posthouse.fetch(`/login?returnTo=${encodeURIComponent(returnTo)}`);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ code: 'invalid_request', errors: [{ path: 'returnTo' }] });
    });

    test('ends a sign-in that was not finished after ten minutes', async () => {
      const start = await posthouse.fetch('/login', { redirect: 'manual' });
      const page = await fetch(start.headers.get('Location') ?? '', { redirect: 'manual' });
      const cookie = page.headers.getSetCookie().find((line) => line.startsWith('posthouse_interaction='));
      const end = Date.parse(/expires=([^;]+)/i.exec(cookie ?? '')?.[1] ?? '');
      const minutes = (end - Date.parse(page.headers.get('Date') ?? '')) / 60_000;
      expect(Math.round(minutes)).toBe(10);
    });
  });

  test('logs no secret', async () => {
    const { cookie } = await signIn(posthouse, 'ada@example.org');
    const cookies = cookie.split('; ').map((pair) => pair.slice(pair.indexOf('=') + 1));
    expect(cookies).toHaveLength(2);
    for (const secret of ['correct horse battery', ...cookies])
      expect(posthouse.output()).not.toContain(secret);
    // Standard error is lines of JSON.
    expect(posthouse.output()).not.toMatch(/warning/i);
  });
});

test('uses the __Host- prefix with an https address, and sends no request to the public address', async () => {
  const settings = {
    ...(await freshSettings('sqlite+local')),
    POSTHOUSE_PUBLIC_URL: 'https://posthouse.example',
  };
  const posthouse = await startPosthouse(settings);
  await addPerson(settings, 'ada@example.org');
  const browser = openBrowser('https://posthouse.example', () => posthouse.url);
  const page = await browser.submit(await browser.visit('/login?returnTo=/api/me'), {
    email: 'ada@example.org',
    password: 'correct horse battery',
  });
  expect(page.status).toBe(200);
  expect(page.visited.every((url) => url.startsWith('https://posthouse.example/'))).toBe(true);
  const cookie = browser.cookiesFor('https://posthouse.example/');
  expect(cookie).toMatch(/^__Host-posthouse=[\w-]{43}; __Host-posthouse-device=[\w.-]+$/);
  // A cookie that a page on a subdomain can set is ignored.
  const planted = await posthouse.fetch('/api/me', { headers: { Cookie: cookie.replaceAll('__Host-', '') } });
  expect(planted.status).toBe(401);
  const document = (await (await posthouse.fetch('/openapi.json')).json()) as {
    components: { securitySchemes: { session: { name: string } } };
  };
  expect(document.components.securitySchemes.session.name).toBe('__Host-posthouse');
  await posthouse.stop();
});

test('shows the form once for all public addresses, and signs out of all', async () => {
  const [first, second, third] = [
    'https://posthouse.example',
    'https://files.example',
    'https://chat.example',
  ];
  const settings = {
    ...(await freshSettings('sqlite+local')),
    POSTHOUSE_PUBLIC_URL: [first, second, third].join(','),
  };
  const posthouse = await startPosthouse(settings);
  await addPerson(settings, 'ada@example.org');
  const browser = openBrowser(first, () => posthouse.url);
  const me = async (origin: string) => (await browser.fetch(`${origin}/api/me`)).status;
  const all = async () => [await me(first), await me(second), await me(third)];
  const signIn = async () => {
    const form = await browser.visit(`${second}/login?returnTo=/api/me`);
    expect([new URL(form.url).origin, form.headers.get('Content-Security-Policy')]).toEqual([
      first,
      expect.stringContaining(`form-action 'self' ${second} ${third};`),
    ]);
    return await browser.submit(form, { email: 'ada@example.org', password: 'correct horse battery' });
  };
  const page = await signIn();
  expect([page.status, page.url]).toEqual([200, `${second}/api/me`]);
  expect(await all()).toEqual([200, 200, 401]);
  const other = await browser.visit(`${third}/login?returnTo=/api/me`);
  expect([other.status, other.url, other.text.includes('<form')]).toEqual([200, `${third}/api/me`, false]);
  expect(await all()).toEqual([200, 200, 200]);
  const ofOther = { method: 'POST', headers: { Origin: first } };
  expect((await browser.fetch(`${third}/logout`, ofOther)).status).toBe(403);
  for (const origin of [third, first]) {
    const cookies = { Cookie: browser.cookiesFor(`${origin}/`) };
    const logout = { method: 'POST', headers: { Origin: origin, 'Sec-Fetch-Site': 'same-origin' } };
    expect((await browser.fetch(`${origin}/logout`, logout)).status).toBe(303);
    expect(await all()).toEqual([401, 401, 401]);
    const headers = { ...cookies, Host: new URL(origin).host };
    expect((await posthouse.fetch('/api/me', { headers })).status).toBe(401);
    expect((await signIn()).status).toBe(200);
  }
  await posthouse.stop();
});

test('a sign-in at another address does not use the session of another account', async () => {
  const [first, second] = ['https://posthouse.example', 'https://files.example'];
  const settings = { ...(await freshSettings('sqlite+local')), POSTHOUSE_PUBLIC_URL: `${first}, ${second}` };
  const posthouse = await startPosthouse(settings);
  const browserOf = async (name: string) => {
    const { id, email, password } = await addPerson(settings, `${name}@example.org`);
    const browser = openBrowser(first, () => posthouse.url);
    await browser.submit(await browser.visit('/login?returnTo=/api/me'), { email, password });
    return { browser, id };
  };
  const { browser: ada } = await browserOf('ada');
  const { browser: mallory, id } = await browserOf('mallory');
  const next = async (url: string) =>
    new URL((await mallory.fetch(url)).headers.get('Location') ?? '', url).href;
  // Mallory sends the address of the authorization request to Ada before the callback.
  const request = await next(`${second}/login?returnTo=/api/me`);
  let callback = request;
  while (!callback.startsWith(second)) callback = await next(callback);
  await ada.visit(request);
  expect((await mallory.visit(callback)).status).toBe(200);
  const { database } = await foundationOf(settings);
  const sessions = database.read.selectFrom('sessions').select(['id', 'sign_in_id']);
  const [own, ...others] = await sessions.where('account_id', '=', id).orderBy('id').execute();
  expect(own?.sign_in_id).toBeNull();
  expect(others).toMatchObject([{ sign_in_id: own?.id }]);
  const logout = { method: 'POST', headers: { Origin: second } };
  expect((await mallory.fetch(`${second}/logout`, logout)).status).toBe(303);
  expect((await ada.fetch(`${first}/api/me`)).status).toBe(200);
  await posthouse.stop();
});

test('signs in at each public address, and at no other host', async () => {
  const [first, second] = ['https://posthouse.example', 'https://files.example'];
  const settings = {
    ...(await freshSettings('sqlite+local')),
    POSTHOUSE_PUBLIC_URL: `${first}, ${second}`,
  };
  const posthouse = await startPosthouse(settings);
  await addPerson(settings, 'ada@example.org');
  for (const origin of [second, first]) {
    const browser = openBrowser(origin, () => posthouse.url);
    const page = await browser.submit(await browser.visit('/login?returnTo=/api/me'), {
      email: 'ada@example.org',
      password: 'correct horse battery',
    });
    expect([page.status, page.url]).toEqual([200, `${origin}/api/me`]);
    const headers = { Cookie: browser.cookiesFor(`${origin}/`), Host: new URL(origin).host, Origin: origin };
    expect((await posthouse.fetch('/logout', { method: 'POST', headers })).status).toBe(303);
  }
  const foreign = await posthouse.fetch('/login?returnTo=/files', { headers: { Host: 'other.example' } });
  expect([foreign.status, foreign.headers.get('Location')]).toEqual([
    302,
    `${first}/login?returnTo=%2Ffiles&moved=1`,
  ]);
  await posthouse.stop();
});

describe('the number of sign-ins from one address', () => {
  let posthouse: Posthouse;
  beforeAll(async () => {
    posthouse = await startPosthouse({
      ...(await freshSettings('sqlite+local')),
      POSTHOUSE_TRUSTED_PROXIES: '127.0.0.1',
    });
    await addPerson(posthouse.settings, 'ada@example.org');
  });
  afterAll(() => posthouse.stop());

  const get = (url: string, address: string, headers: Record<string, string> = {}) =>
    posthouse.fetch(url, { redirect: 'manual', headers: { ...headers, 'X-Forwarded-For': address } });
  const getAll = async (count: number, ...request: Parameters<typeof get>) => {
    const answers = await Promise.all(Array.from({ length: count }, () => get(...request)));
    return Map.groupBy(answers, ({ status }) => status);
  };
  const authorization = async () => (await get('/login', '203.0.113.1')).headers.get('Location') ?? '';

  test.each([
    ['/login', '203.0.113.2', 302],
    ['/oidc/auth', '203.0.113.3', 303],
  ])('is limited at %s', async (path, address, allowed) => {
    const url = path === '/login' ? path : await authorization();
    const answers = await getAll(1_500, url, address);
    expect([...answers.keys()].sort()).toEqual([allowed, 429]);
    const [refused, ...more] = answers.get(429) ?? [];
    expect(more.length).toBeGreaterThan(100);
    expect(await refused?.json()).toMatchObject({ code: 'rate_limited' });
    expect(Number(refused?.headers.get('Retry-After'))).toBeGreaterThan(0);
    const pages = (await getAll(100, url, address, { Accept: 'text/html' })).get(429) ?? [];
    expect(pages[0]?.headers.get('Content-Type')).toStartWith('text/html');
    // Other addresses are not limited.
    expect((await get(url, '203.0.113.4')).status).toBe(allowed);
    await signIn(posthouse, 'ada@example.org');
  });

  test('allows 300 people behind one address to sign in at the same time', async () => {
    const starts = await getAll(300, '/login', '203.0.113.5');
    const requests = await getAll(300, await authorization(), '203.0.113.5');
    expect([...starts.keys(), ...requests.keys()]).toEqual([302, 303]);
  });
});

describe('an account that others lock by wrong passwords', () => {
  const email = 'ada@example.org';
  const password = 'correct horse battery';
  let posthouse: Posthouse;
  beforeAll(async () => {
    posthouse = await startPosthouse(await freshSettings('sqlite+local'));
    await addPerson(posthouse.settings, email);
    await addPerson(posthouse.settings, 'eve@example.org');
  });
  afterAll(() => posthouse.stop());

  /** Counts as many wrong passwords as lock the account, without the time to hash them. */
  const lock = async () => {
    const { database, clock } = await foundationOf(posthouse.settings);
    const row = {
      scope: `login:account:${digestOf(email)}`,
      count: 100,
      window_ends_at: clock.now() + 900_000,
    };
    await database.transaction((trx) =>
      trx
        .insertInto('attempts')
        .values(row)
        .onConflict((conflict) => conflict.column('scope').doUpdateSet(row))
        .execute(),
    );
  };
  const tryIn = async (browser: Browser, typed = password) =>
    (await browser.submit(await browser.visit('/login?returnTo=/api/me'), { email, password: typed })).status;
  const signOut = (browser: Browser) => browser.fetch('/logout', { method: 'POST' });

  test('admits its owner from a browser that signed in before, until the password changes', async () => {
    const { browser } = await signIn(posthouse, email);
    const { browser: evesBrowser } = await signIn(posthouse, 'eve@example.org');
    await signOut(browser);
    await signOut(evesBrowser);
    await lock();
    expect(await tryIn(openBrowser(posthouse.url))).toBe(429);
    expect(await tryIn(evesBrowser)).toBe(429);
    expect(await tryIn(browser)).toBe(200);

    const change = (currentPassword: string) =>
      postJson(
        browser,
        '/api/account/password',
        { currentPassword, newPassword: password },
        { Origin: posthouse.url },
      );
    const before = browser.cookiesFor(posthouse.url);
    expect((await change(password)).status).toBe(204);
    await signOut(browser);
    expect(await tryIn(browser)).toBe(200);
    await signOut(browser);
    const thief = openBrowser(posthouse.url);
    const form = await thief.visit('/login');
    const stolen = before.split('; ').find((pair) => pair.startsWith('posthouse-device='));
    const page = await thief.fetch(form.url, {
      method: 'POST',
      headers: { Cookie: `${thief.cookiesFor(form.url)}; ${stolen}` },
      body: new URLSearchParams({ email, password }),
    });
    expect(page.status).toBe(429);
  });

  test('is not opened by guessing from such a browser', async () => {
    const { browser } = await signIn(posthouse, 'eve@example.org');
    await signOut(browser);
    const page = await browser.visit('/login');
    const guess = (typed: string) => browser.submit(page, { email: 'eve@example.org', password: typed });
    for (let attempt = 0; attempt < 10; attempt++) expect((await guess(`wrong ${attempt}`)).status).toBe(401);
    expect((await guess(password)).status).toBe(429);
    // No other account is locked.
    await signIn(posthouse, 'eve@example.org');
  });
});

test('shares logins between nodes of one database', async () => {
  const shared = {
    ...(await freshSettings('postgres+s3')),
    POSTHOUSE_PUBLIC_URL: 'https://posthouse.example',
  };
  const [one, two] = await Promise.all([startPosthouse(shared), startPosthouse(shared)]);
  await addPerson(shared, 'ada@example.org');
  let turn = 0;
  const browser = openBrowser('https://posthouse.example', () => (turn++ % 2 === 0 ? one.url : two.url));
  const page = await browser.submit(await browser.visit('/login?returnTo=/api/me'), {
    email: 'ada@example.org',
    password: 'correct horse battery',
  });
  expect(JSON.parse(page.text)).toMatchObject({ email: 'ada@example.org' });
  const headers = { Cookie: browser.cookiesFor('https://posthouse.example/') };
  const statuses = async () => [
    (await one.fetch('/api/me', { headers })).status,
    (await two.fetch('/api/me', { headers })).status,
  ];
  expect(await statuses()).toEqual([200, 200]);
  await one.fetch('/logout', { method: 'POST', headers });
  expect(await statuses()).toEqual([401, 401]);
  await Promise.all([one.stop(), two.stop()]);
});
