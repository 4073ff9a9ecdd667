import { afterAll, beforeAll, describe } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { fetchingDeclared } from './harness/declared.ts';
import { sendJson } from './harness/json.ts';
import { addMailClient } from './harness/mail.ts';
import { addPerson, openSession, type Posthouse, signInAdmin, startPosthouse } from './harness/posthouse.ts';
import { type Refusals, testRefusals } from './harness/refusals.ts';

type Headers = Record<string, string>;

const SECTION = /^\/api\/(?:me|account\/.*|admin\/(?:people|storage|messages|overview)(?:\/.*)?)$/;

describe('errors of accounts and administration', () => {
  let settings: Headers;
  let posthouse: Posthouse;
  let admin: Headers;
  let user: Headers;

  beforeAll(async () => {
    settings = await freshSettings(BACKENDS[0]);
    posthouse = await startPosthouse(settings);
    posthouse = { ...posthouse, fetch: await fetchingDeclared(posthouse) };
    admin = (await signInAdmin(posthouse)).headers;
    await addPerson(settings, 'user@example.org');
    user = (await openSession(posthouse, 'user@example.org')).headers;
  });
  afterAll(() => posthouse.stop());

  const request = (method: string, path: string, headers: Headers, body?: object) =>
    sendJson(posthouse, method, path, body, headers);
  const password = (currentPassword: string) => ({ currentPassword, newPassword: 'another good one' });
  const changeOwn = (headers: Headers, currentPassword: string) =>
    request('POST', '/api/account/password', headers, password(currentPassword));
  const idOf = async (headers: Headers) =>
    ((await (await request('GET', '/api/me', headers)).json()) as { id: string }).id;

  const rows: Record<string, Refusals> = {
    'POST /api/account/password': {
      bad_credentials: () => changeOwn(user, 'wrong'),
      too_many_attempts: async () => {
        await addPerson(settings, 'guessed@example.org');
        const { headers } = await openSession(posthouse, 'guessed@example.org');
        for (let guess = 0; guess < 10; guess++) await changeOwn(headers, `guess ${guess}`);
        return await changeOwn(headers, 'correct horse battery');
      },
    },
    'POST /api/admin/people': {
      email_taken: () => request('POST', '/api/admin/people', admin, { email: 'USER@example.org' }),
    },
    'PATCH /api/admin/people/{id}': {
      last_admin: async () =>
        request('PATCH', `/api/admin/people/${await idOf(admin)}`, admin, { role: 'user' }),
    },
    'POST /api/admin/messages/{id}/cancel': {
      not_cancellable: async () => {
        const client = await addMailClient(settings, 'app', '--services', 'email');
        const mail = { ...client, To: 'ada@example.org', Subject: 's', Body: 'b' };
        const { Id } = (await (await request('POST', '/requestemail', {}, mail)).json()) as { Id: string };
        return await request('POST', `/api/admin/messages/${Id}/cancel`, admin);
      },
    },
  };

  // limits.test.ts
  const elsewhere = ['POST /api/account/tokens limit_reached'];
  testRefusals(rows, { posthouse: () => posthouse, paths: SECTION, elsewhere });
});
