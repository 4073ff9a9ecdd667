import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase } from '../../test/harness/database.ts';
import { DAY, HOUR, MINUTE } from '../kernel/clock.ts';
import { createVault } from '../kernel/crypto/vault.ts';
import type { Database } from '../kernel/database/database.ts';
import { type App, createApp } from '../kernel/http/context.ts';
import { Problem, renderProblem } from '../kernel/http/problem.ts';
import { createGuard, type Guard, type Role } from './guard.ts';
import { createPeople, type People } from './people.ts';

const ORIGIN = 'https://posthouse.example';

describe.each(DATABASES)('the guard on %s', (kind) => {
  let now = Date.parse('2026-03-01T12:00:00Z');
  let writes = 0;
  let reads = 0;
  let database: Database;
  let people: People;
  let app: App;

  beforeAll(async () => {
    const real = await freshDatabase(kind);
    database = {
      ...real,
      get read() {
        reads++;
        return real.read;
      },
      transaction: (work) => {
        writes++;
        return real.transaction(work);
      },
    };
    const vault = createVault(Buffer.alloc(32, 1));
    people = createPeople({ database, clock: { now: () => now }, vault, issuer: null, accountCreated: async () => {} });
    const guard: Guard = createGuard({ ...people, origins: [ORIGIN] });
    app = createApp();
    app.onError((error) => renderProblem(error instanceof Problem ? error : new Problem('internal_error', String(error)), 'test'));
    app.all('/account', async (c) => c.json(await guard.requireAccount(c)));
    app.all('/api/account/tokens', async (c) => c.json(await guard.requireAccount(c)));
    app.all('/session', async (c) => c.json(await guard.requireSession(c)));
    app.all('/admin', async (c) => c.json(await guard.requireAdmin(c)));
  });
  beforeEach(() => {
    now += HOUR;
  });

  let count = 0;
  async function person({ role = 'user', scope = 'write', days = 30 }: { role?: Role; scope?: 'read' | 'write'; days?: number } = {}) {
    return await database.transaction(async (trx) => {
      const account = await people.accounts.make(trx, { email: `person${count++}@example.org`, role });
      const session = await people.sessions.begin(trx, { accountId: account.id, userAgent: 'test' });
      const { token } = await people.tokens.make(trx, { accountId: account.id, name: 'test', scope, expiresAt: now + days * DAY });
      return { account, session, cookie: { Cookie: `__Host-posthouse=${session}` }, bearer: { Authorization: `Bearer ${token}` } };
    });
  }

  async function ask(path: string, headers: Record<string, string>, method = 'GET'): Promise<[number, string | undefined]> {
    const answer = await app.request(`${ORIGIN}${path}`, { method, headers }, { peer: null });
    return [answer.status, ((await answer.json()) as { code?: string }).code];
  }

  test('asks for a login, and says how', async () => {
    const answer = await app.request(`${ORIGIN}/account`);
    expect([answer.status, answer.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer realm="posthouse"']);
    for (const headers of [
      { Cookie: '__Host-posthouse=unknown' },
      { Cookie: '__Host-posthouse=' },
      { Authorization: 'Bearer posthouse_unknown' },
      { Authorization: 'Bearer ' },
      { Authorization: 'Basic YWRhOnNlY3JldA==' },
    ] as Record<string, string>[]) {
      expect(await ask('/account', headers)).toEqual([401, 'login_required']);
    }
  });

  test('costs one read, and a write once a minute', async () => {
    const { cookie, bearer } = await person();
    for (const headers of [cookie, bearer] as Record<string, string>[]) {
      now += MINUTE;
      await ask('/account', headers);
      now += MINUTE - 1;
      reads = 0;
      writes = 0;
      expect((await ask('/account', headers))[0]).toBe(200);
      expect([reads, writes]).toEqual([1, 0]);
      now += 1;
      await ask('/account', headers);
      expect([reads, writes]).toEqual([2, 1]);
    }
  });

  test.each([
    [{}, 200],
    [{ 'Sec-Fetch-Site': 'same-origin' }, 200],
    [{ 'Sec-Fetch-Site': 'none' }, 200],
    [{ 'Sec-Fetch-Site': 'same-site' }, 403],
    [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
    [{ Origin: ORIGIN }, 200],
    [{ Origin: 'https://else.example' }, 403],
    [{ Origin: 'http://posthouse.example' }, 403],
    [{ Origin: 'https://posthouse.example:8443' }, 403],
    [{ Origin: 'null' }, 403],
    [{ 'Sec-Fetch-Site': 'same-origin', Origin: ORIGIN }, 200],
    [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'https://else.example' }, 403],
    [{ 'Sec-Fetch-Site': 'cross-site', Origin: ORIGIN }, 403],
  ] as [Record<string, string>, number][])('a change with the cookie and %j gives %d', async (headers, status) => {
    const { cookie, bearer } = await person();
    const code = status === 403 ? 'cross_site_request' : undefined;
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(await ask('/account', { ...cookie, ...headers }, method)).toEqual([status, code]);
      expect(await ask('/session', { ...cookie, ...headers }, method)).toEqual([status, code]);
    }
    // Reading changes nothing, and a token is sent by no browser of itself.
    expect(await ask('/account', { ...cookie, ...headers })).toEqual([200, undefined]);
    expect(await ask('/account', { ...bearer, ...headers }, 'POST')).toEqual([200, undefined]);
  });

  test('a token for reading may not write', async () => {
    const { bearer } = await person({ scope: 'read' });
    expect(await ask('/account', bearer)).toEqual([200, undefined]);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expect(await ask('/account', bearer, method)).toEqual([403, 'scope_insufficient']);
  });

  test('tokens never reach what is for sessions', async () => {
    const { bearer, cookie } = await person({ role: 'admin' });
    for (const path of ['/session', '/admin', '/api/account/tokens']) {
      expect(await ask(path, bearer)).toEqual([401, 'login_required']);
      const refusal = await app.request(`${ORIGIN}${path}`, { headers: bearer }, { peer: null });
      expect(await refusal.json()).toMatchObject({ detail: 'Sign in. Personal access tokens are not taken here.' });
      expect(await ask(path, cookie)).toEqual([200, undefined]);
      // The cookie of the browser that sends a token along is what counts.
      expect(await ask(path, { ...bearer, ...cookie })).toEqual([200, undefined]);
    }
  });

  test('a wrong token is not saved by a cookie', async () => {
    const { cookie } = await person();
    expect(await ask('/account', { ...cookie, Authorization: 'Bearer posthouse_unknown' })).toEqual([401, 'login_required']);
  });

  test('administrators only', async () => {
    expect(await ask('/admin', (await person()).cookie)).toEqual([403, 'admin_required']);
    expect(await ask('/admin', (await person({ role: 'admin' })).cookie)).toEqual([200, undefined]);
  });

  test('a disabled account has no access, whatever it still holds', async () => {
    const { account, cookie, bearer } = await person();
    await database.transaction((trx) => trx.updateTable('accounts').set({ disabled: 1 }).where('id', '=', account.id).execute());
    expect(await ask('/account', cookie)).toEqual([401, 'login_required']);
    expect(await ask('/account', bearer)).toEqual([401, 'login_required']);
  });

  test('a token ends when it runs out', async () => {
    const { bearer } = await person({ days: 2 });
    now += 2 * DAY - 1;
    expect((await ask('/account', bearer))[0]).toBe(200);
    now += 1;
    expect((await ask('/account', bearer))[0]).toBe(401);
  });

  test('a session ends after 14 days without use, and 90 days after the login', async () => {
    const idle = await person();
    now += 14 * DAY - 1;
    expect((await ask('/account', idle.cookie))[0]).toBe(200);
    now += 14 * DAY - 1;
    expect((await ask('/account', idle.cookie))[0]).toBe(200);
    now += 14 * DAY;
    expect((await ask('/account', idle.cookie))[0]).toBe(401);

    const busy = await person();
    for (let day = 1; day < 90; day++) {
      now += DAY;
      expect((await ask('/account', busy.cookie))[0]).toBe(200);
    }
    now += DAY;
    expect((await ask('/account', busy.cookie))[0]).toBe(401);
  });

  test('the database holds no session and no token that could be used', async () => {
    const { session, bearer } = await person();
    const rows = JSON.stringify([
      await database.read.selectFrom('sessions').selectAll().execute(),
      await database.read.selectFrom('tokens').selectAll().execute(),
    ]);
    expect(rows).not.toContain(session);
    expect(rows).not.toContain(bearer.Authorization.slice('Bearer '.length));
  });

  test('what has run out is swept', async () => {
    await person();
    now += 15 * DAY;
    const { cookie } = await person();
    await people.sessions.sweep();
    expect(await database.read.selectFrom('sessions').select('id').execute()).toHaveLength(1);
    expect((await ask('/account', cookie))[0]).toBe(200);
  });
});
