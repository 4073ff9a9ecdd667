import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase, withClock } from '../../test/harness/database.ts';
import { cheapPasswords } from '../../test/harness/passwords.ts';
import { DAY, HOUR, MINUTE } from '../kernel/clock.ts';
import { createVault } from '../kernel/crypto/vault.ts';
import type { Database } from '../kernel/database/database.ts';
import type { Auth } from '../kernel/http/auth.ts';
import { type App, createApp } from '../kernel/http/context.ts';
import { createProblems } from '../kernel/http/problems/problems.ts';
import { createAttempts } from '../kernel/limits/attempts.ts';
import { Problem } from '../kernel/problem.ts';
import { GERMAN, PROBLEMS } from '../server/problems.ts';
import type { AccountRole } from './caller.ts';
import { createGuard } from './guard.ts';
import { createSessionCookie } from './login/session-cookie.ts';
import { createSameOriginRule } from './same-origin.ts';
import { createIdentityStores, type IdentityStores } from './stores.ts';

const ORIGIN = 'https://posthouse.example';
const noBody = async () => undefined;

describe.each(DATABASES)('the guard on %s', (kind) => {
  let now = Date.parse('2026-03-01T12:00:00Z');
  let writes = 0;
  let reads = 0;
  /** Replaces all transactions; null = they run. */
  let failing: (() => Promise<never>) | null = null;
  /** The last transaction. */
  let written: Promise<unknown> = Promise.resolve();
  let database: Database;
  let stores: IdentityStores;
  let app: App;

  beforeAll(async () => {
    const real = await freshDatabase(kind);
    database = {
      ...real,
      get now() {
        return withClock(real, { now: () => now }).now;
      },
      get read() {
        reads++;
        return real.read;
      },
      transaction: (work) => {
        writes++;
        const running = failing ? failing() : real.transaction(work);
        written = running;
        return running;
      },
    };
    const vault = createVault(Buffer.alloc(32, 1));
    stores = createIdentityStores({
      database,
      clock: { now: () => now },
      vault,
      passwords: cheapPasswords,
      issuer: null,
      accountCreated: async () => {},
    });
    const guard = createGuard({
      ...stores,
      cookie: createSessionCookie(true),
      isSameOrigin: createSameOriginRule([ORIGIN]),
      attempts: createAttempts({ database }),
    });
    app = createApp();
    app.onError((error) => {
      const problem = error instanceof Problem ? error : new Problem('internal_error', String(error));
      const { text, ...head } = createProblems(PROBLEMS, GERMAN).render(problem, {
        id: 'test',
        language: 'en',
      });
      return new Response(text, head);
    });
    const mount = (path: string, { authenticate }: Auth<unknown>) =>
      app.all(path, async (c) => c.json((await authenticate(c, noBody)) as object));
    mount('/account', guard.account);
    mount('/session', guard.session);
    mount('/admin', guard.admin);
    mount('/same-origin', guard.sameOrigin);
    mount('/optional', guard.optionalSession);
  });
  beforeEach(() => {
    now += HOUR;
  });

  let count = 0;
  async function person({
    role = 'user',
    scope = 'write',
    days = 30,
  }: {
    role?: AccountRole;
    scope?: 'read' | 'write';
    days?: number;
  } = {}) {
    return await database.transaction(async (trx) => {
      const account = await stores.accounts.create(trx, { email: `person${count++}@example.org`, role });
      const session = await stores.sessions.start(trx, { accountId: account.id, userAgent: 'test' });
      const { token } = await stores.tokens.create(trx, {
        accountId: account.id,
        name: 'test',
        scope,
        expiresAt: now + days * DAY,
      });
      return {
        account,
        session,
        cookie: { Cookie: `__Host-posthouse=${session}` },
        bearer: { Authorization: `Bearer ${token}` },
      };
    });
  }

  const request = async (path: string, init?: RequestInit) =>
    await app.request(`${ORIGIN}${path}`, init, { address: '192.0.2.1' });

  async function ask(
    path: string,
    headers: Record<string, string>,
    method = 'GET',
  ): Promise<[number, string | undefined]> {
    const answer = await request(path, { method, headers });
    // The response does not wait for the write of the last use.
    if (!failing) await written;
    return [answer.status, ((await answer.json()) as { code?: string } | null)?.code];
  }

  test('refuses requests without valid credentials with a challenge', async () => {
    const answer = await request('/account');
    expect([answer.status, answer.headers.get('WWW-Authenticate')]).toEqual([
      401,
      'Bearer realm="posthouse"',
    ]);
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

  test('costs one read, and one write per minute', async () => {
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
    ['refuses', () => Promise.reject(Object.assign(new Error('full'), { code: 'SQLITE_FULL' }))],
    ['does not finish', () => new Promise<never>(() => {})],
  ])('admits callers while the database %s writes', async (_, fail) => {
    const { cookie, bearer } = await person();
    now += MINUTE;
    failing = fail;
    try {
      for (const headers of [cookie, bearer] as Record<string, string>[])
        for (let index = 0; index < 2; index++)
          expect(await ask('/account', headers)).toEqual([200, undefined]);
    } finally {
      failing = null;
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
  ] as [Record<string, string>, number][])(
    'responds to a change with the cookie and %j with %d',
    async (headers, status) => {
      const { cookie, bearer } = await person();
      const code = status === 403 ? 'cross_site_request' : undefined;
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        expect(await ask('/account', { ...cookie, ...headers }, method)).toEqual([status, code]);
        expect(await ask('/session', { ...cookie, ...headers }, method)).toEqual([status, code]);
      }
      // Reading changes nothing, and browsers do not send tokens automatically.
      expect(await ask('/account', { ...cookie, ...headers })).toEqual([200, undefined]);
      expect(await ask('/account', { ...bearer, ...headers }, 'POST')).toEqual([200, undefined]);
    },
  );

  test('admits requests without session where it is optional, except from other sites with the cookie', async () => {
    const { cookie } = await person();
    const elsewhere = { Origin: 'https://else.example' };
    expect(await ask('/optional', elsewhere, 'POST')).toEqual([200, undefined]);
    expect(await ask('/optional', { ...cookie, ...elsewhere }, 'POST')).toEqual([403, 'cross_site_request']);
    expect(await ask('/same-origin', elsewhere, 'POST')).toEqual([403, 'cross_site_request']);
    expect(await ask('/same-origin', elsewhere)).toEqual([200, undefined]);
    expect(await ask('/same-origin', {}, 'POST')).toEqual([200, undefined]);
  });

  test('refuses writes with a token of the scope read', async () => {
    const { bearer } = await person({ scope: 'read' });
    expect(await ask('/account', bearer)).toEqual([200, undefined]);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expect(await ask('/account', bearer, method)).toEqual([403, 'scope_insufficient']);
  });

  test('refuses tokens where a session is required', async () => {
    const { bearer, cookie } = await person({ role: 'admin' });
    for (const path of ['/session', '/admin']) {
      expect(await ask(path, bearer)).toEqual([401, 'login_required']);
      const refusal = await request(path, { headers: bearer });
      expect(await refusal.json()).toMatchObject({
        detail: 'Sign in. Personal access tokens are not accepted here.',
      });
      expect(await ask(path, cookie)).toEqual([200, undefined]);
      // With both, the cookie authenticates.
      expect(await ask(path, { ...bearer, ...cookie })).toEqual([200, undefined]);
    }
  });

  test('refuses a wrong token with a valid cookie', async () => {
    const { cookie } = await person();
    expect(await ask('/account', { ...cookie, Authorization: 'Bearer posthouse_unknown' })).toEqual([
      401,
      'login_required',
    ]);
  });

  test('admits administrators only', async () => {
    expect(await ask('/admin', (await person()).cookie)).toEqual([403, 'admin_required']);
    expect(await ask('/admin', (await person({ role: 'admin' })).cookie)).toEqual([200, undefined]);
  });

  test('refuses the sessions and tokens of a disabled account', async () => {
    const { account, cookie, bearer } = await person();
    await database.transaction((trx) =>
      trx.updateTable('accounts').set({ disabled: 1 }).where('id', '=', account.id).execute(),
    );
    expect(await ask('/account', cookie)).toEqual([401, 'login_required']);
    expect(await ask('/account', bearer)).toEqual([401, 'login_required']);
  });

  test('refuses an expired token', async () => {
    const { bearer } = await person({ days: 2 });
    now += 2 * DAY - 1;
    expect((await ask('/account', bearer))[0]).toBe(200);
    now += 1;
    expect((await ask('/account', bearer))[0]).toBe(401);
  });

  test('ends a session after 14 days without use, and 90 days after the sign-in', async () => {
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

  test('ends no session of another account with the sessions of a sign-in', async () => {
    const [ada, mallory] = [await person(), await person()];
    const { credentialId } = (await stores.sessions.find(ada.session)) ?? {};
    const accountId = mallory.account.id;
    await database.transaction(async (trx) => {
      const session = { accountId, userAgent: 'test', signInId: credentialId ?? null };
      const tokens = [await stores.sessions.start(trx, session), await stores.sessions.start(trx, session)];
      for (const token of tokens) await stores.sessions.endByToken(trx, token);
    });
    expect(await ask('/account', ada.cookie)).toEqual([200, undefined]);
  });

  test('stores neither cookies nor tokens in the database', async () => {
    const { session, bearer } = await person();
    const rows = JSON.stringify([
      await database.read.selectFrom('sessions').selectAll().execute(),
      await database.read.selectFrom('tokens').selectAll().execute(),
    ]);
    expect(rows).not.toContain(session);
    expect(rows).not.toContain(bearer.Authorization.slice('Bearer '.length));
  });

  test('sweeps expired sessions', async () => {
    await person();
    now += 15 * DAY;
    const { cookie } = await person();
    await stores.sessions.sweep();
    expect(await database.read.selectFrom('sessions').select('id').execute()).toHaveLength(1);
    expect((await ask('/account', cookie))[0]).toBe(200);
  });
});
