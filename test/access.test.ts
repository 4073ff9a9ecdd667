import { beforeAll, describe, expect, test } from 'bun:test';
import type { JsonSchema } from '../src/site/openapi-types.ts';
import access from './access.json';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { fetchingDeclared } from './harness/declared.ts';
import { filesOf } from './harness/files.ts';
import { addFullMailClient, basic } from './harness/mail.ts';
import { ACCOUNTS, type Operation, readDocument } from './harness/openapi.ts';
import { addPerson, openSession, runJson, signInAdmin, startPosthouse } from './harness/posthouse.ts';

/*
 * Every endpoint of the OpenAPI document rejects unauthorized callers, malformed ids, and queries and bodies that
 * differ from its declaration. `access.json` lists who may call which endpoint; it is changed by hand only.
 */

type Headers = Record<string, string>;

const UNKNOWN = '019a0000-0000-7000-8000-000000000000';
const JSON_TYPE = { 'Content-Type': 'application/json' };
/** Above every limit but that of `/requestemail`, whose body may have 36 MB. */
const TOO_LARGE = 1_100_000;

const settings = { ...(await freshSettings(BACKENDS[0])), POSTHOUSE_TRUSTED_PROXIES: '127.0.0.1' };
let requests = 0;
/** Another address for each request, since wrong credentials are limited by address. */
const fresh = () => ({ 'X-Forwarded-For': `10.0.${requests >> 8}.${requests++ & 255}` });
const started = await startPosthouse(settings);
const posthouse = { ...started, fetch: await fetchingDeclared(started) };
/** Header fields that browsers add to requests from pages of other sites; old ones only `Origin`. */
const CROSS_SITE: Headers[] = [
  { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://elsewhere.example' },
  { 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'same-site' },
  { 'Sec-Fetch-Site': 'cross-site', Origin: posthouse.url },
  { Origin: 'https://elsewhere.example' },
  { Origin: `${posthouse.url}.elsewhere.example` },
  { Origin: 'null' },
];
const { operations, sample, misfit, resolve } = await readDocument(posthouse);
const admin = (await signInAdmin(posthouse)).headers;
const token = (await addPerson(settings, 'user@example.org')).headers;
const user = (await openSession(posthouse, 'user@example.org')).headers;
const readOnly = await runJson<{ token: string }>(
  settings,
  ...['token', 'add', '--email', 'user@example.org', '--name', 'reader', '--scope', 'read'],
);
const reader = { Authorization: `Bearer ${readOnly.token}` };
const client = await addFullMailClient(settings, 'a@example.org');

const by = (...names: string[]) => operations.filter(({ access }) => names.includes(access));
const isSafe = ({ method }: Operation) => method === 'GET';
/** Returns the path with a valid but unknown id. */
const pathOf = ({ path }: Operation, id = UNKNOWN) => path.replace(/\{\w+\}/g, id);
/** GET of a resumable upload is supported for HEAD only, and a response to HEAD has no body. */
const needsHead = ({ method, path }: Operation) =>
  method === 'GET' && path.startsWith('/api/storage/uploads/');
const jsonBody = ({ body }: Operation): JsonSchema | undefined => body['application/json'];

async function refusal(
  operation: Operation,
  headers: Headers,
  { path = pathOf(operation), body }: { path?: string; body?: unknown } = {},
) {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await posthouse.fetch(path, {
    method: needsHead(operation) ? 'HEAD' : operation.method,
    headers: { 'Tus-Resumable': '1.0.0', ...fresh(), ...(text === undefined ? {} : JSON_TYPE), ...headers },
    body: text,
  });
  const problem = (await answer.json().catch(() => ({}))) as { code?: string; errors?: { path: string }[] };
  return {
    status: answer.status,
    code: problem.code,
    fields: (problem.errors ?? []).map(({ path }) => path),
  };
}

/** Header fields of an authorized caller. */
function caller({ access }: Operation): Headers {
  if (access === 'admin') return admin;
  if (access === 'session') return user;
  if (ACCOUNTS.includes(access)) return token;
  return access === 'client (Basic)' ? basic(client) : {};
}

/** Returns a valid body, with the credentials of a mail client where the endpoint requires them. */
function fitting(schema: JsonSchema): Record<string, unknown> {
  const body = sample(schema) as Record<string, unknown>;
  return 'ClientId' in body ? { ...body, ...client } : body;
}

const expectRefused = (
  answer: { status: number; code?: string },
  [status, code]: [number, string],
  operation: Operation,
) => expect([answer.status, needsHead(operation) ? code : answer.code]).toEqual([status, code]);

test('the endpoints and their callers are those of access.json', () => {
  const documented = Object.fromEntries(operations.map(({ name, access }) => [name, access]));
  expect(documented).toEqual(access);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
});

describe('without the required access', () => {
  test.each(by(...ACCOUNTS, 'session', 'admin').map((operation) => [operation.name, operation] as const))(
    '%s requires a sign-in',
    async (_, operation) => {
      const refused: [number, string] = [401, 'login_required'];
      expectRefused(await refusal(operation, {}), refused, operation);
      expectRefused(await refusal(operation, { Authorization: 'Bearer wrong' }), refused, operation);
      expectRefused(await refusal(operation, { Cookie: 'posthouse=wrong' }), refused, operation);
      if (!ACCOUNTS.includes(operation.access))
        expectRefused(await refusal(operation, token), refused, operation);
    },
  );

  test.each(
    by(...ACCOUNTS, 'session', 'admin', 'optional session', 'same origin')
      .filter((operation) => !isSafe(operation))
      .map((operation) => [operation.name, operation] as const),
  )('%s refuses requests of other sites', async (_, operation) => {
    const cookie = operation.access === 'admin' ? admin : user;
    for (const fields of CROSS_SITE)
      expectRefused(
        await refusal(operation, { ...cookie, ...fields }),
        [403, 'cross_site_request'],
        operation,
      );
  });

  test.each(
    by(...ACCOUNTS)
      .filter((operation) => !isSafe(operation))
      .map((operation) => [operation.name, operation] as const),
  )('%s refuses a token that may only read', async (_, operation) => {
    expectRefused(await refusal(operation, reader), [403, 'scope_insufficient'], operation);
  });

  test.each(by('admin').map((operation) => [operation.name, operation] as const))(
    '%s requires an administrator',
    async (_, operation) => {
      expectRefused(await refusal(operation, user), [403, 'admin_required'], operation);
    },
  );

  test.each(by('client', 'client (Basic)').map((operation) => [operation.name, operation] as const))(
    '%s requires the credentials of a mail client, before all else',
    async (_, operation) => {
      const wrong = { ...client, ClientSecret: 'wrong' };
      expectRefused(
        await refusal(operation, basic(wrong), { body: operation.access === 'client' ? wrong : undefined }),
        [401, 'bad_client'],
        operation,
      );
    },
  );

  test('only administrators reach /api/admin, and only sessions /api/account', () => {
    const under = (prefix: string) =>
      new Set(operations.filter(({ path }) => `${path}/`.startsWith(prefix)).map(({ access }) => access));
    expect([...under('/api/admin/')]).toEqual(['admin']);
    expect([...under('/api/account/')]).toEqual(['session']);
  });
});

describe('of another account', () => {
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    const owner = (await addPerson(settings, 'owner@example.org')).headers;
    const files = filesOf(posthouse, owner);
    ids.file = (await files.upload('bytes')).id;
    ids.folder = await files.newFolder('a');
    const tus = {
      ...owner,
      'Tus-Resumable': '1.0.0',
      'Upload-Length': '6',
      'Upload-Metadata': `filename ${btoa('a')}`,
    };
    const upload = await posthouse.fetch('/api/storage/uploads', { method: 'POST', headers: tus });
    ids.upload = upload.headers.get('Location')?.split('/').at(-1) ?? '';
  });

  const withIds = by(...ACCOUNTS).filter(({ path }) => path.includes('{'));
  test.each(
    withIds.flatMap((operation) =>
      ['file', 'folder', 'upload'].map((kind) => [operation.name, kind, operation] as const),
    ),
  )('%s finds no %s', async (_, kind, operation) => {
    const schema = jsonBody(operation);
    const multipart = operation.body['multipart/form-data'] ? 'multipart/form-data; boundary=b' : undefined;
    const octets = operation.body['application/offset+octet-stream']
      ? 'application/offset+octet-stream'
      : undefined;
    const type = multipart ?? octets;
    const answer = await refusal(
      operation,
      {
        ...token,
        ...(type ? { 'Content-Type': type } : {}),
        'X-HTTP-Method-Override': 'DELETE',
        'Upload-Offset': '0',
      },
      {
        path: pathOf(operation, ids[kind]),
        body: schema ? fitting(schema) : type && '--b--',
      },
    );
    expectRefused(answer, [404, 'not_found'], operation);
  });
});

describe('with malformed input', () => {
  const hasId = ({ parameters }: Operation) =>
    parameters.some((parameter) => parameter.in === 'path' && parameter.schema?.format === 'uuid');
  test.each(operations.filter(hasId).map((operation) => [operation.name, operation] as const))(
    '%s finds nothing under a malformed id',
    async (_, operation) => {
      expectRefused(
        await refusal(
          operation,
          { ...caller(operation), 'X-HTTP-Method-Override': 'DELETE' },
          { path: pathOf(operation, 'x') },
        ),
        [404, 'not_found'],
        operation,
      );
    },
  );

  const withQuery = operations.flatMap((operation) =>
    operation.parameters
      .filter((parameter) => parameter.in === 'query' && resolve(parameter.schema ?? {}).type !== undefined)
      .map((parameter) => [operation.name, parameter.name, parameter.schema ?? {}, operation] as const),
  );
  const isChecked = (schema: JsonSchema) =>
    schema.enum !== undefined ||
    schema.format !== undefined ||
    schema.type !== 'string' ||
    schema.const !== undefined;
  test.each(withQuery.filter(([, , schema]) => isChecked(resolve(schema))))(
    '%s refuses a wrong ?%s',
    async (_, name, _schema, operation) => {
      const path = pathOf({ ...operation, path: operation.path.replace('{month}', '2019-07') });
      const answer = await refusal(operation, caller(operation), { path: `${path}?${name}=mis%20fit` });
      expect([answer.status, answer.code, answer.fields]).toEqual([400, 'invalid_request', [name]]);
    },
  );

  const withJson = operations.filter((operation) => jsonBody(operation));
  test.each(withJson.map((operation) => [operation.name, operation] as const))(
    '%s refuses a body that is not a JSON object',
    async (_, operation) => {
      const headers = caller(operation);
      expectRefused(
        await refusal(operation, headers, { body: '{"a":' }),
        [400, 'invalid_request'],
        operation,
      );
      expectRefused(await refusal(operation, headers, { body: '[]' }), [400, 'invalid_request'], operation);
      if (Object.keys(operation.body).length === 1)
        expectRefused(
          await refusal(operation, { ...headers, 'Content-Type': 'text/plain' }, { body: '{}' }),
          [415, 'unsupported_media_type'],
          operation,
        );
      if (operation.path !== '/requestemail')
        expectRefused(
          await refusal(operation, headers, { body: { a: 'a'.repeat(TOO_LARGE) } }),
          [413, 'body_too_large'],
          operation,
        );
    },
  );

  const fields = withJson.flatMap((operation) => {
    const { properties = {}, required = [] } = resolve(jsonBody(operation) ?? {});
    return Object.entries(properties)
      .filter(([name]) => !['ClientId', 'ClientSecret'].includes(name))
      .map(
        ([name, schema]) =>
          [operation.name, name, { schema, required: required.includes(name), operation }] as const,
      );
  });
  test.each(fields)('%s names a wrong or missing %s', async (_, name, { schema, required, operation }) => {
    const right = fitting(jsonBody(operation) ?? {});
    const wrong = misfit(schema);
    if (wrong !== undefined) {
      const answer = await refusal(operation, caller(operation), { body: { ...right, [name]: wrong } });
      expect([
        answer.status,
        answer.code,
        answer.fields.some((field) => field.split('.')[0] === name),
      ]).toEqual([400, 'invalid_request', true]);
    }
    if (required) {
      const answer = await refusal(operation, caller(operation), { body: { ...right, [name]: undefined } });
      expect([answer.status, answer.code]).toEqual([400, 'invalid_request']);
      expect(answer.fields).toContain(name);
    }
  });
});
