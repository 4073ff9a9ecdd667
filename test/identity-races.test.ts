import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { once } from 'node:events';
import { connect } from 'node:net';
import { sql } from 'kysely';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { type Browser, openBrowser, signIn } from './harness/browser.ts';
import { isLockAwaited } from './harness/database.ts';
import { foundationOf } from './harness/foundation.ts';
import {
  addAdmin,
  addPerson,
  openSession,
  type Posthouse,
  runJson,
  signInAdmin,
  startPosthouse,
} from './harness/posthouse.ts';
import { until } from './harness/until.ts';

/* Passwords and sessions that end while a request or a sign-in that depends on them is under way. */

const OLD = 'correct horse battery';
const NEW = 'another good password';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Sends the sign-in form, and returns the address to which the response redirects, without opening it. */
async function enterPassword(browser: Browser, email: string, start = '/login?returnTo=/api/me') {
  const form = await browser.visit(start);
  const body = new URLSearchParams({ email, password: OLD }).toString();
  return new URL(
    (await browser.fetch(form.url, { method: 'POST', headers: FORM, body })).headers.get('Location') ?? '',
  );
}

/** Follows redirects up to the callback, without opening it. */
async function followToCallback(browser: Browser, from: URL) {
  let url = from;
  while (url.pathname !== '/auth/callback')
    url = new URL((await browser.fetch(url.href)).headers.get('Location') ?? '', url);
  return url;
}

describe.each(BACKENDS)('on %s', (backend) => {
  let posthouse: Posthouse;
  let admin: Record<string, string>;
  beforeAll(async () => {
    posthouse = await startPosthouse(await freshSettings(backend));
    admin = (await signInAdmin(posthouse)).headers;
  });
  afterAll(async () => {
    expect(posthouse.output()).not.toContain('unexpected error');
    await posthouse.stop();
  });

  const newPerson = () => addPerson(posthouse.settings, `${crypto.randomUUID()}@example.org`);
  const postJson = (path: string, headers: Record<string, string>, body: unknown) =>
    posthouse.fetch(path, {
      method: 'POST',
      headers: { ...headers, ...JSON_TYPE },
      body: JSON.stringify(body),
    });
  const changePassword = (headers: Record<string, string>, newPassword: string) =>
    postJson('/api/account/password', headers, { currentPassword: OLD, newPassword });

  const changes: [string, (person: { id: string; email: string }) => Promise<unknown>][] = [
    [
      'its owner changes the password',
      async ({ email }) =>
        expect((await changePassword((await openSession(posthouse, email)).headers, NEW)).status).toBe(204),
    ],
    [
      'an administrator sets the password',
      async ({ id }) =>
        expect((await postJson(`/api/admin/people/${id}/password`, admin, { password: NEW })).status).toBe(
          204,
        ),
    ],
    [
      'a command sets the same password again',
      ({ email }) => runJson(posthouse.settings, 'user', 'set-password', '--email', email, '--password', OLD),
    ],
    [
      'its owner chooses a password with a link',
      async ({ id }) => {
        const made = await postJson(`/api/admin/people/${id}/password-link`, admin, {});
        const { pathname } = new URL(((await made.json()) as { link: string }).link);
        const body = new URLSearchParams({ password: NEW }).toString();
        const chosen = await posthouse.fetch(pathname, { method: 'POST', headers: FORM, body });
        expect(chosen.status).toBe(303);
      },
    ],
  ];

  test.each(changes)('a sign-in with the old password ends when %s', async (_, change) => {
    const person = await newPerson();
    const [early, late] = [openBrowser(posthouse.url), openBrowser(posthouse.url)];
    const begun = await enterPassword(early, person.email);
    const callback = await followToCallback(late, await enterPassword(late, person.email));
    await change(person);
    for (const [browser, next] of [
      [early, begun],
      [late, callback],
    ] as const) {
      const page = await browser.visit(next.href);
      expect([page.status, new URL(page.url).pathname]).toEqual([400, '/auth/callback']);
      expect(page.text).toContain('href="/login"');
      expect((await browser.fetch(`${posthouse.url}/api/me`)).status).toBe(401);
    }
  });

  test('a sign-in ends when the account is disabled', async () => {
    const { email } = await newPerson();
    const browser = openBrowser(posthouse.url);
    const callback = await followToCallback(browser, await enterPassword(browser, email));
    await runJson(posthouse.settings, 'user', 'disable', '--email', email);
    expect((await browser.visit(callback.href)).status).toBe(400);
    await runJson(posthouse.settings, 'user', 'enable', '--email', email);
    expect((await browser.fetch(`${posthouse.url}/api/me`)).status).toBe(401);
  });

  /** Sends a request without the last byte of its body, and waits until the server has accepted the session. */
  async function begin(
    path: string,
    id: string,
    headers: Record<string, string>,
    content: unknown,
    method = 'POST',
  ) {
    const { database } = await foundationOf(posthouse.settings);
    await database.transaction((trx) =>
      trx.updateTable('sessions').set({ date_used: 0 }).where('account_id', '=', id).execute(),
    );
    const body = JSON.stringify(content);
    const socket = connect(Number(new URL(posthouse.url).port), '127.0.0.1');
    const closed = once(socket, 'close');
    let answer = '';
    socket.on('data', (data) => {
      answer += data.toString('latin1');
    });
    const length = { 'Content-Length': `${body.length}` };
    const fields = { Host: 'x', Connection: 'close', ...length, ...JSON_TYPE, ...headers };
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body.slice(0, -1)}`);
    const used = database.read.selectFrom('sessions').select('id').where('account_id', '=', id);
    // The server records the use of a session.
    await until(async () => (await used.where('date_used', '>', 0).execute()).length > 0);
    return async () => {
      socket.write(body.slice(-1));
      await closed;
      return answer;
    };
  }

  test('a change of the password refuses a token whose creation has begun', async () => {
    const { id, email } = await newPerson();
    const { headers } = await openSession(posthouse, email);
    const end = await begin('/api/account/tokens', id, headers, { name: 'late' });
    expect((await changePassword((await openSession(posthouse, email)).headers, NEW)).status).toBe(204);
    const answer = await end();
    expect(answer).toStartWith('HTTP/1.1 401');
    expect(answer).toContain('"login_required"');
    const { database } = await foundationOf(posthouse.settings);
    const tokens = database.read.selectFrom('tokens').select('id').where('account_id', '=', id);
    expect(await tokens.execute()).toEqual([]);
  });

  test('a change of the password refuses requests of an administrator that have begun', async () => {
    const target = await newPerson();
    const email = `${crypto.randomUUID()}@example.org`;
    await addAdmin(posthouse.settings, email);
    const invited = `${crypto.randomUUID()}@example.org`;
    const requests: [string, string, unknown][] = [
      ['POST', '/api/admin/people', { email: invited, role: 'admin', password: OLD }],
      ['POST', `/api/admin/people/${target.id}/password`, { password: NEW }],
      ['PATCH', `/api/admin/people/${target.id}`, { role: 'admin' }],
    ];
    const ends: (() => Promise<string>)[] = [];
    for (const [method, path, content] of requests) {
      // The server records only the first of two uses of a session in quick succession.
      const { id, headers } = await openSession(posthouse, email);
      ends.push(await begin(path, id, headers, content, method));
    }
    expect((await changePassword((await openSession(posthouse, email)).headers, NEW)).status).toBe(204);
    for (const end of ends) expect(await end()).toStartWith('HTTP/1.1 401');
    const { users } = await runJson<{ users: { email: string; role: string }[] }>(
      posthouse.settings,
      'user',
      'list',
    );
    expect(users.find((user) => user.email === invited)).toBeUndefined();
    expect(users.find((user) => user.email === target.email)?.role).toBe('user');
    await signIn(posthouse, target.email);
  });

  // SQLite runs one transaction at a time.
  if (backend === 'postgres+s3')
    test('an administrator who is demoted meanwhile changes no account', async () => {
      const target = await newPerson();
      const invited = `${crypto.randomUUID()}@example.org`;
      const requests: [path: string, content: object][] = [
        ['/api/admin/people', { email: invited, role: 'admin', password: OLD }],
        [`/api/admin/people/${target.id}/password`, { password: NEW }],
      ];
      const { database } = await foundationOf(posthouse.settings);
      for (const [path, content] of requests) {
        const email = `${crypto.randomUUID()}@example.org`;
        await addAdmin(posthouse.settings, email);
        const { id, headers } = await openSession(posthouse, email);
        const { answer } = await database.transaction(async (trx) => {
          await trx.updateTable('accounts').set({ role: 'user' }).where('id', '=', id).execute();
          await trx.deleteFrom('sessions').where('account_id', '=', id).execute();
          const answer = postJson(path, headers, content);
          await Promise.race([answer, until(() => isLockAwaited(database))]);
          return { answer };
        });
        expect((await answer).status).toBe(401);
      }
      const found = database.read.selectFrom('accounts').select('id').where('email', '=', invited);
      expect(await found.execute()).toEqual([]);
      await signIn(posthouse, target.email);
    });

  test('of two simultaneous changes of a password, one succeeds', async () => {
    const { email } = await newPerson();
    const sessions = [await openSession(posthouse, email), await openSession(posthouse, email)];
    const answers = await Promise.all(
      sessions.map(({ headers }, index) => changePassword(headers, `${NEW} ${index}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 401]);
    const kept = answers.findIndex(({ status }) => status === 204);
    await signIn(posthouse, email, `${NEW} ${kept}`);
  });

  test('of two simultaneous uses of a link, one succeeds', async () => {
    const made = await postJson('/api/admin/people', admin, { email: `${crypto.randomUUID()}@example.org` });
    const { id, email, passwordLink } = (await made.json()) as Record<
      'id' | 'email' | 'passwordLink',
      string
    >;
    const { pathname } = new URL(passwordLink);
    const { database } = await foundationOf(posthouse.settings);
    const use = (password: string) =>
      posthouse.fetch(pathname, {
        method: 'POST',
        headers: FORM,
        body: new URLSearchParams({ password }).toString(),
      });
    const passwords = [`${NEW} 0`, `${NEW} 1`];
    const waiting = sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    // On PostgreSQL, a use waits in its transaction, and another one of the same process for its turn, before either
    // can write.
    const uses = await database.transaction(async (trx) => {
      if (database.kind !== 'postgres') return { answers: Promise.all(passwords.map(use)) };
      await trx.selectFrom('accounts').select('id').where('id', '=', id).forUpdate().execute();
      const answers = Promise.all(passwords.map(use));
      await until(async () => ((await waiting.execute(database.schema)).rows[0]?.count ?? 0) >= 1);
      return { answers };
    });
    const statuses = (await uses.answers).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([303, 404]);
    await signIn(posthouse, email, passwords[statuses.indexOf(303)]);
  });
});

test.each(BACKENDS)('a sign-in that uses a session ends with it on %s', async (backend) => {
  const [first, second] = ['https://posthouse.example', 'https://files.example'];
  const settings = { ...(await freshSettings(backend)), POSTHOUSE_PUBLIC_URL: `${first}, ${second}` };
  const posthouse = await startPosthouse(settings);
  const { email, password } = await addPerson(settings, 'ada@example.org');
  const browser = openBrowser(first, () => posthouse.url);
  const start = new URL(`${second}/login?returnTo=/api/me`);
  await browser.submit(await browser.visit('/login?returnTo=/api/me'), { email, password });
  const callback = await followToCallback(browser, start);
  const logout = { method: 'POST', headers: { Origin: first, 'Sec-Fetch-Site': 'same-origin' } };
  expect((await browser.fetch(`${first}/logout`, logout)).status).toBe(303);
  expect((await browser.visit(callback.href)).status).toBe(400);
  expect((await browser.fetch(`${second}/api/me`)).status).toBe(401);
  await posthouse.stop();
});
