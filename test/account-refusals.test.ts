import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { CODES, type ProblemCode } from '../src/kernel/http/codes.ts';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { signIn } from './harness/browser.ts';
import { signInAdmin } from './harness/chat.ts';
import { addPerson, type Posthouse, runJson, startPosthouse } from './harness/posthouse.ts';

type Headers = Record<string, string>;

/** A row: the body of a right request, and the refusals of its own. */
interface Row {
  json?: object;
  /** JSON that is not right; an empty object where nothing else is said. */
  wrong?: object;
  refused?: Partial<Record<ProblemCode, () => Promise<Response>>>;
}

const UNKNOWN = '019a0000-0000-7000-8000-000000000000';
const SECTION = /^\/api\/(?:me|account\/.*|admin\/(?:people|storage|messages|overview)(?:\/.*)?)$/;

describe.each(BACKENDS)('refusals of accounts and administration on %s', (backend) => {
  let settings: Headers;
  let posthouse: Posthouse;
  let admin: Headers;
  let user: Headers;
  let token: Headers;

  beforeAll(async () => {
    settings = await freshSettings(backend);
    posthouse = await startPosthouse(settings);
    admin = (await signInAdmin(posthouse)).headers;
    token = (await addPerson(settings, 'user@example.org')).headers;
    user = (await signIn(posthouse, 'user@example.org')).headers;
  });
  afterAll(() => posthouse.stop());

  const ask = (method: string, path: string, headers: Headers, body?: string) =>
    posthouse.fetch(path, { method, body, headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers } });
  const password = (currentPassword: string) => ({ currentPassword, newPassword: 'another good one' });
  const changeOwn = (headers: Headers, currentPassword: string) =>
    ask('POST', '/api/account/password', headers, JSON.stringify(password(currentPassword)));
  const idOf = async (headers: Headers) => ((await (await ask('GET', '/api/me', headers)).json()) as { id: string }).id;

  const rows: Record<string, Row> = {
    'GET /api/me': {},
    'GET /api/account/tokens': {},
    'POST /api/account/tokens': { json: { name: 'a' } },
    'DELETE /api/account/tokens/{id}': {},
    'GET /api/account/sessions': {},
    'DELETE /api/account/sessions/{id}': {},
    'POST /api/account/password': {
      json: password('wrong'),
      refused: {
        bad_credentials: () => changeOwn(user, 'wrong'),
        too_many_attempts: async () => {
          await addPerson(settings, 'guessed@example.org');
          const { headers } = await signIn(posthouse, 'guessed@example.org');
          for (let guess = 0; guess < 10; guess++) await changeOwn(headers, `guess ${guess}`);
          return await changeOwn(headers, 'correct horse battery');
        },
      },
    },
    'GET /api/admin/people': {},
    'POST /api/admin/people': {
      json: { email: 'new@example.org' },
      refused: { email_taken: () => ask('POST', '/api/admin/people', admin, JSON.stringify({ email: 'USER@example.org' })) },
    },
    'PATCH /api/admin/people/{id}': {
      json: { name: 'b' },
      wrong: { role: 'king' },
      refused: { last_admin: async () => ask('PATCH', `/api/admin/people/${await idOf(admin)}`, admin, '{"role":"user"}') },
    },
    'POST /api/admin/people/{id}/password': { json: { password: 'another good one' } },
    'POST /api/admin/people/{id}/password-link': {},
    'GET /api/admin/storage/workspaces': {},
    'PATCH /api/admin/storage/workspaces/{id}': { json: { maxBytes: 1 } },
    'GET /api/admin/messages': { refused: { invalid_request: () => ask('GET', '/api/admin/messages?limit=0', admin) } },
    'GET /api/admin/messages/statistics': {},
    'GET /api/admin/messages/{id}': {},
    'POST /api/admin/messages/resend': { json: { ids: [UNKNOWN] } },
    'POST /api/admin/messages/{id}/cancel': {
      refused: {
        not_cancellable: async () => {
          const client = await runJson<object>(settings, 'mail-client', 'add', '--name', `app ${Math.random()}`);
          const mail = JSON.stringify({ ...client, To: 'ada@example.org', Subject: 's', Body: 'b' });
          const { Id } = (await (await ask('POST', '/requestemail', {}, mail)).json()) as { Id: string };
          return await ask('POST', `/api/admin/messages/${Id}/cancel`, admin);
        },
      },
    },
    'GET /api/admin/overview': {},
  };

  function common(name: string, { json, wrong = {} }: Row): Partial<Record<ProblemCode, (() => Promise<Response>)[]>> {
    const [method = '', pattern = ''] = name.split(' ');
    const right = pattern.startsWith('/api/admin/') ? admin : user;
    const body = json && JSON.stringify(json);
    const to = (id: string) => pattern.replace('{id}', id);
    const evil = { ...right, 'Sec-Fetch-Site': 'cross-site', Origin: 'https://elsewhere.example' };
    return {
      login_required: [
        () => ask(method, to(UNKNOWN), {}, body),
        () => ask(method, to(UNKNOWN), { Cookie: 'posthouse=wrong' }, body),
        // Where tokens count, a wrong one does not.
        () => ask(method, to(UNKNOWN), pattern === '/api/me' ? { Authorization: 'Bearer wrong' } : token, body),
      ],
      admin_required: [() => ask(method, to(UNKNOWN), user, body)],
      cross_site_request: [() => ask(method, to(UNKNOWN), evil, body)],
      not_found: [() => ask(method, to(UNKNOWN), right, body), () => ask(method, to('x'), right, body)],
      invalid_request: [() => ask(method, to(UNKNOWN), right, '{"a":'), () => ask(method, to(UNKNOWN), right, JSON.stringify(wrong))],
      unsupported_media_type: [() => ask(method, to(UNKNOWN), { ...right, 'Content-Type': 'text/plain' }, body)],
      body_too_large: [() => ask(method, to(UNKNOWN), right, JSON.stringify({ a: 'a'.repeat(1_100_000) }))],
    };
  }

  async function documented(): Promise<Record<string, ProblemCode[]>> {
    const { paths } = (await (await posthouse.fetch('/openapi.json')).json()) as {
      paths: Record<string, Record<string, { responses: Record<string, { description: string; content?: Record<string, unknown> }> }>>;
    };
    return Object.fromEntries(
      Object.entries(paths)
        .filter(([path]) => SECTION.test(path))
        .flatMap(([path, methods]) =>
          Object.entries(methods).map(([method, { responses }]) => {
            const refusals = Object.values(responses).filter(({ content }) => content?.['application/problem+json']);
            const codes = refusals.flatMap(({ description }) => [...description.matchAll(/`(\w+)`/g)].map(([, code]) => code));
            return [`${method.toUpperCase()} ${path}`, codes as ProblemCode[]] as const;
          }),
        ),
    );
  }

  test('every row of the document is here', async () => {
    expect(Object.keys(rows).toSorted()).toEqual(Object.keys(await documented()).toSorted());
  });

  test.each(Object.keys(rows))('%s is refused with every code that the document names for it', async (name) => {
    const row = rows[name] ?? {};
    const codes = (await documented())[name] ?? [];
    expect(codes).toContain('login_required');
    expect(Object.keys(row.refused ?? {}).filter((code) => !codes.includes(code as ProblemCode))).toEqual([]);
    for (const code of codes) {
      const own = row.refused?.[code];
      const requests = own ? [own] : common(name, row)[code];
      if (!requests) throw new Error(`nothing here is refused with ${code}`);
      for (const [index, request] of requests.entries()) {
        const answer = await request();
        const said = (await answer.json()) as { code: string };
        expect({ index, status: answer.status, code: said.code }).toEqual({ index, status: CODES[code].status, code });
      }
    }
  });
});
