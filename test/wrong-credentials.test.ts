import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { freshSettings, ONE_BACKEND } from './harness/backends.ts';
import { postJson } from './harness/json.ts';
import { addMailClient, type MailClient } from './harness/mail.ts';
import { addPerson, openSession, type Posthouse, startPosthouse } from './harness/posthouse.ts';

const LIMIT = 100;

describe.each(ONE_BACKEND)('wrong credentials from one address on %s', (backend) => {
  let posthouse: Posthouse;
  let client: MailClient;
  let token: Record<string, string>;
  let cookie: Record<string, string>;
  beforeAll(async () => {
    const settings = { ...(await freshSettings(backend)), POSTHOUSE_TRUSTED_PROXIES: '127.0.0.1' };
    posthouse = await startPosthouse(settings);
    client = await addMailClient(settings, 'app', '--services', 'email');
    token = (await addPerson(settings, 'ada@example.org')).headers;
    cookie = (await openSession(posthouse, 'ada@example.org')).headers;
  });
  afterAll(() => posthouse.stop());

  const me = async (address: string, headers: Record<string, string>) =>
    (await posthouse.fetch('/api/me', { headers: { ...headers, 'X-Forwarded-For': address } })).status;
  const withBearer = (address: string) => me(address, { Authorization: 'Bearer posthouse_wrong' });
  const mail = async (address: string, credentials: MailClient) =>
    (await postJson(posthouse, '/requestemail', credentials, { 'X-Forwarded-For': address })).status;
  const withMadeUpId = (address: string) => mail(address, { ...client, ClientId: crypto.randomUUID() });
  const signInFrom = async (address: string, password: string) => {
    const headers = { 'X-Forwarded-For': address };
    const start = await posthouse.fetch('/login', { headers, redirect: 'manual' });
    const pending = await posthouse.fetch(start.headers.get('Location') ?? '', {
      headers,
      redirect: 'manual',
    });
    const form = new URL(pending.headers.get('Location') ?? '', posthouse.url).href;
    const Cookie = pending.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const body = new URLSearchParams({ email: 'ada@example.org', password });
    const sent = await fetch(form, {
      method: 'POST',
      headers: { ...headers, Cookie },
      body,
      redirect: 'manual',
    });
    return sent.status;
  };

  test.each([
    ['made-up client ids', '203.0.113.1', withMadeUpId],
    ['personal access tokens', '203.0.113.2', withBearer],
  ])('are limited together: %s', async (_, address, attempt) => {
    const statuses = await Promise.all(Array.from({ length: LIMIT + 20 }, () => attempt(address)));
    expect(statuses.filter((status) => status === 401)).toHaveLength(LIMIT);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    const wrong = [withBearer(address), withMadeUpId(address), signInFrom(address, 'wrong')];
    expect(await Promise.all(wrong)).toEqual([429, 429, 429]);

    expect(await me(address, token)).toBe(200);
    expect(await me(address, cookie)).toBe(200);
    // Only the credentials are right; other required fields are missing.
    expect(await mail(address, client)).toBe(400);
    expect(await signInFrom(address, 'correct horse battery')).toBe(303);
    expect(await withBearer('203.0.113.9')).toBe(401);
  });

  test('do not include session cookies, which expire while a page is open', async () => {
    const expired = () => me('203.0.113.4', { Cookie: 'posthouse=expired' });
    const statuses = await Promise.all(Array.from({ length: LIMIT + 20 }, expired));
    expect(new Set(statuses)).toEqual(new Set([401]));
  });
});
