import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { openBrowser, signIn } from './harness/browser.ts';
import { postJson, sendJson } from './harness/json.ts';
import { addAdmin, addPerson, type Posthouse, startPosthouse } from './harness/posthouse.ts';
import { refusal } from './harness/refusal.ts';
import { until } from './harness/until.ts';

interface Answer {
  status: number;
  body: Record<string, unknown> & { id: string; code?: string };
  list: (Record<string, unknown> & { id: string })[];
}

describe.each(BACKENDS)('accounts over HTTP on %s', (backend) => {
  let posthouse: Posthouse;
  let admin: Awaited<ReturnType<typeof signIn>>;
  let user: Awaited<ReturnType<typeof signIn>>;
  beforeAll(async () => {
    posthouse = await startPosthouse(await freshSettings(backend));
    await addAdmin(posthouse.settings, 'admin@example.org');
    await addPerson(posthouse.settings, 'user@example.org');
    admin = await signIn(posthouse, 'admin@example.org');
    user = await signIn(posthouse, 'user@example.org');
  });
  afterAll(() => posthouse.stop());

  async function call(
    who: { headers: Record<string, string> },
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Answer> {
    const answer = await sendJson(posthouse, method, path, body, who.headers);
    const text = await answer.text();
    const parsed = text === '' ? {} : JSON.parse(text);
    return { status: answer.status, body: parsed, list: Array.isArray(parsed) ? parsed : [] };
  }
  const UNKNOWN = '01900000-0000-7000-8000-000000000000';

  test('creates, lists and revokes tokens', async () => {
    const made = await call(user, 'POST', '/api/account/tokens', { name: 'backup', scope: 'read', days: 7 });
    expect(made).toMatchObject({ status: 201, body: { name: 'backup', scope: 'read', dateUsed: null } });
    const bearer = { headers: { Authorization: `Bearer ${made.body.token}` } };
    expect((await call(bearer, 'GET', '/api/me')).body.email).toBe('user@example.org');
    const shown = await until(async () => {
      const { list } = await call(user, 'GET', '/api/account/tokens');
      return list.find(({ id, dateUsed }) => id === made.body.id && dateUsed !== null);
    });
    expect(shown).toMatchObject({
      name: 'backup',
      dateUsed: expect.any(String),
      expiresAt: made.body.expiresAt,
    });
    expect(shown).not.toHaveProperty('token');

    // Tokens of other accounts look unknown.
    expect((await call(admin, 'DELETE', `/api/account/tokens/${made.body.id}`)).status).toBe(404);
    expect((await call(bearer, 'GET', '/api/me')).status).toBe(200);
    expect((await call(user, 'DELETE', `/api/account/tokens/${made.body.id}`)).status).toBe(204);
    expect((await call(bearer, 'GET', '/api/me')).status).toBe(401);
    expect((await call(user, 'DELETE', `/api/account/tokens/${made.body.id}`)).status).toBe(404);
    expect((await call(user, 'DELETE', '/api/account/tokens/nothing')).status).toBe(404);
  });

  test.each([
    [{}, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x', scope: 'admin' }, 'scope'],
    [{ name: 'x', days: 0 }, 'days'],
    [{ name: 'x', days: 1.5 }, 'days'],
    [{ name: 'x', days: '7' }, 'days'],
  ])('refuses the token %j and names the field', async (body, field) => {
    expect(await call(user, 'POST', '/api/account/tokens', body)).toMatchObject({
      status: 400,
      body: { errors: [{ path: field }] },
    });
  });

  test('lists and ends sessions', async () => {
    const other = await signIn(posthouse, 'user@example.org');
    const { list } = await call(user, 'GET', '/api/account/sessions');
    expect(list.filter(({ current }) => current)).toHaveLength(1);
    const { list: seen } = await call(other, 'GET', '/api/account/sessions');
    const id = seen.find(({ current }) => current)?.id;
    expect((await call(admin, 'DELETE', `/api/account/sessions/${id}`)).status).toBe(404);
    expect((await call(user, 'DELETE', `/api/account/sessions/${id}`)).status).toBe(204);
    expect((await call(other, 'GET', '/api/me')).status).toBe(401);
    expect((await call(user, 'GET', '/api/me')).status).toBe(200);
    expect((await call(user, 'DELETE', `/api/account/sessions/${UNKNOWN}`)).status).toBe(404);
  });

  test('changes the password, which ends other sessions and tokens', async () => {
    const { headers } = await addPerson(posthouse.settings, 'changer@example.org');
    const [here, there] = [
      await signIn(posthouse, 'changer@example.org'),
      await signIn(posthouse, 'changer@example.org'),
    ];
    const change = (currentPassword: string, newPassword: string) =>
      postJson(here.browser, '/api/account/password', { currentPassword, newPassword });
    const wrong = await change('wrong', 'another good one');
    expect(await refusal(wrong)).toEqual([401, 'bad_credentials']);
    expect((await change('correct horse battery', 'short')).status).toBe(400);
    expect((await change('correct horse battery', 'another good one')).status).toBe(204);
    expect((await here.browser.fetch('/api/me')).status).toBe(200);
    expect((await call(here, 'GET', '/api/me')).status).toBe(401);
    expect((await call(there, 'GET', '/api/me')).status).toBe(401);
    expect((await call({ headers }, 'GET', '/api/me')).status).toBe(401);
    await signIn(posthouse, 'changer@example.org', 'another good one');
  });

  test('invites a person, who chooses a password with a link', async () => {
    const made = await call(admin, 'POST', '/api/admin/people', {
      email: 'New@Example.org',
      name: 'New Person',
    });
    expect(made).toMatchObject({
      status: 201,
      body: { email: 'new@example.org', role: 'user', disabled: false, dateSignedIn: null },
    });
    expect(await call(admin, 'POST', '/api/admin/people', { email: 'new@example.org' })).toMatchObject({
      status: 409,
      body: { code: 'email_taken' },
    });
    const link = String(made.body.passwordLink);
    const browser = openBrowser(link);
    const form = await browser.visit(link);
    expect([form.status, form.text.includes('new@example.org')]).toEqual([200, true]);
    expect((await browser.submit(form, { password: 'short' })).status).toBe(400);
    const page = await browser.fetch(link, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'password=a+password+of+my+own',
    });
    expect([page.status, page.headers.get('Location')]).toEqual([303, '/']);
    expect(await (await browser.fetch('/api/me')).json()).toMatchObject({ email: 'new@example.org' });
    await signIn(posthouse, 'new@example.org', 'a password of my own');
    expect((await browser.visit(link)).status).toBe(404);
    expect((await browser.visit(`${link}x`)).status).toBe(404);

    const again = await call(admin, 'POST', `/api/admin/people/${made.body.id}/password-link`);
    expect((await browser.visit(String(again.body.link))).status).toBe(200);
    await call(admin, 'PATCH', `/api/admin/people/${made.body.id}`, { disabled: true });
    expect((await browser.visit(String(again.body.link))).status).toBe(404);
    expect((await call(admin, 'POST', `/api/admin/people/${UNKNOWN}/password-link`)).status).toBe(404);
  });

  test('changes accounts, which ends their sessions where required', async () => {
    const { body: person } = await call(admin, 'POST', '/api/admin/people', {
      email: 'p@example.org',
      password: 'a first password',
    });
    expect(person).not.toHaveProperty('passwordLink');
    const path = `/api/admin/people/${person.id}`;
    let there = await signIn(posthouse, 'p@example.org', 'a first password');
    const signedIn = async () => (await call(there, 'GET', '/api/me')).status === 200;
    const shown = async () =>
      (await call(admin, 'GET', '/api/admin/people')).list.find(({ id }) => id === person.id);

    expect(await call(admin, 'PATCH', path, { name: 'P', role: 'user', disabled: false })).toMatchObject({
      status: 200,
      body: { name: 'P' },
    });
    expect(await signedIn()).toBe(true);
    expect((await call(admin, 'PATCH', path, { role: 'admin' })).body.role).toBe('admin');
    expect(await signedIn()).toBe(false);

    there = await signIn(posthouse, 'p@example.org', 'a first password');
    expect((await call(admin, 'POST', `${path}/password`, { password: 'a second password' })).status).toBe(
      204,
    );
    expect(await signedIn()).toBe(false);

    there = await signIn(posthouse, 'p@example.org', 'a second password');
    expect((await call(admin, 'PATCH', path, { disabled: true })).body.disabled).toBe(true);
    expect(await signedIn()).toBe(false);
    expect(await shown()).toMatchObject({ role: 'admin', disabled: true, dateSignedIn: expect.any(String) });
  });

  test('keeps the last administrator', async () => {
    for (const change of [{ role: 'user' }, { disabled: true }]) {
      const answer = await call(admin, 'PATCH', `/api/admin/people/${admin.me.id}`, change);
      expect(answer).toMatchObject({ status: 409, body: { code: 'last_admin' } });
    }
    expect((await call(admin, 'GET', '/api/me')).body.role).toBe('admin');
  });

  test.each([
    ['POST', '/api/admin/people', { email: 'nothing' }, 'email'],
    ['POST', '/api/admin/people', {}, 'email'],
    ['POST', '/api/admin/people', { email: 'x@example.org', role: 'king' }, 'role'],
    ['POST', '/api/admin/people', { email: 'x@example.org', password: 'short' }, 'password'],
    ['PATCH', '/api/admin/people/me', { disabled: 'yes' }, 'disabled'],
    ['PATCH', '/api/admin/people/me', { name: 'a\u0000b' }, 'name'],
    ['POST', '/api/admin/people/me/password', { password: 'short' }, 'password'],
  ])('refuses %s %s %j and names the field', async (method, path, body, field) => {
    const answer = await call(admin, method, path.replace('me', admin.me.id), body);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ path: field }] },
    });
  });

  test('admits administrators to /metrics behind a proxy', async () => {
    const forwarded = { 'X-Forwarded-For': '192.0.2.1' };
    expect((await posthouse.fetch('/metrics', { headers: { ...forwarded, ...user.headers } })).status).toBe(
      403,
    );
    expect((await posthouse.fetch('/metrics', { headers: { ...forwarded, ...admin.headers } })).status).toBe(
      200,
    );
  });
});
