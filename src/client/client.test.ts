import { afterEach, describe, expect, test } from 'bun:test';
import { createPosthouse, type PosthouseOptions } from './client.ts';
import { PosthouseError } from './error.ts';

const json = (body: unknown, init?: ResponseInit) => Response.json(body, init);
const refused = () =>
  json(
    { code: 'login_required', detail: 'Sign in first.' },
    { status: 401, headers: { 'Retry-After': '5' } },
  );

/** What a proxy may respond instead of the server. */
const PAGE = '<h1>Sign in</h1>';

/** A client of a server with this response; records the requests. */
function setUp(answer: () => Response | Promise<Response>, options: Partial<PosthouseOptions> = {}) {
  const requests: Request[] = [];
  const posthouse = createPosthouse({
    url: 'http://server.test/',
    token: 'secret',
    retries: 0,
    async fetch(request) {
      requests.push(request);
      return await answer();
    },
    ...options,
  });
  return { posthouse, requests };
}

describe('a call', () => {
  test('fills the path and the query, and sends the token', async () => {
    const { posthouse, requests } = setUp(() => json([]));
    const params = { path: { id: 'root' }, query: { limit: 2, search: undefined } };
    await posthouse.get('/api/storage/files/{id}', { params });
    const [request] = requests;
    expect(request?.url).toBe('http://server.test/api/storage/files/root?limit=2');
    expect(request?.headers.get('Authorization')).toBe('Bearer secret');
  });

  test('throws an error response, and reports it first', async () => {
    const reported: PosthouseError[] = [];
    const { posthouse } = setUp(refused, { onError: (error) => reported.push(error) });
    const error = (await posthouse.get('/api/me').catch((error) => error)) as PosthouseError;
    expect(error).toBeInstanceOf(PosthouseError);
    expect(error).toMatchObject({ status: 401, code: 'login_required', retryAfterMs: 5_000 });
    expect(reported).toEqual([error]);
  });

  test('without a response throws `unreachable`', async () => {
    const { posthouse } = setUp(() => Promise.reject(new TypeError('refused')));
    await expect(posthouse.get('/api/me')).rejects.toMatchObject({ status: 0, code: 'unreachable' });
    await expect(posthouse.send('/api/me')).rejects.toMatchObject({ status: 0, code: 'unreachable' });
  });

  test('throws `unknown` for a page of a proxy, and reports it first', async () => {
    const reported: PosthouseError[] = [];
    const { posthouse } = setUp(() => new Response(PAGE), { onError: (error) => reported.push(error) });
    await expect(posthouse.get('/api/me')).rejects.toMatchObject({ status: 200, code: 'unknown' });
    await expect(posthouse.page('/api/me/tokens')).rejects.toMatchObject({ code: 'unknown' });
    expect(reported).toHaveLength(2);
  });

  test.each([
    ['an empty body', () => new Response('', { headers: { 'Content-Length': '0' } })],
    ['an empty body in chunks', () => new Response(new Blob([]).stream())],
    ['a page', () => new Response(PAGE)],
  ])('throws `unknown` for %s instead of JSON', async (_, answer) => {
    const { posthouse } = setUp(answer);
    const unknown = { status: 200, code: 'unknown' };
    await expect(posthouse.get('/api/me')).rejects.toMatchObject(unknown);
    await expect(posthouse.list('/api/storage/trash')).rejects.toMatchObject(unknown);
    await expect(posthouse.page('/api/storage/trash')).rejects.toMatchObject(unknown);
  });

  test('throws `unknown` for JSON that is not a list', async () => {
    const { posthouse } = setUp(() => json({ items: [] }));
    await expect(posthouse.list('/api/storage/trash')).rejects.toMatchObject({ code: 'unknown' });
    await expect(posthouse.page('/api/storage/trash')).rejects.toMatchObject({ code: 'unknown' });
  });

  test('returns a body in the requested form, also an empty one', async () => {
    const { posthouse } = setUp(() => new Response('', { headers: { 'Content-Length': '0' } }));
    expect(await posthouse.get('/Ping', { parseAs: 'text' })).toBe('');
    const { posthouse: without } = setUp(() => new Response(null, { status: 204 }));
    const params = { path: { id: 'x' } };
    expect(await without.delete('/api/storage/folders/{id}', { params })).toBeUndefined();
  });

  test('throws `unreachable` for a response that breaks off, and the error for an error response', async () => {
    const breaking = (init: ResponseInit) => () =>
      new Response(new ReadableStream({ pull: (stream) => stream.error(new TypeError('terminated')) }), init);
    const { posthouse } = setUp(breaking({}));
    const unreachable = { status: 0, code: 'unreachable' };
    await expect(posthouse.get('/api/me')).rejects.toMatchObject(unreachable);
    await expect(posthouse.get('/Ping', { parseAs: 'text' })).rejects.toMatchObject(unreachable);
    await expect(posthouse.page('/api/storage/trash')).rejects.toMatchObject(unreachable);
    await expect(posthouse.uploads.upload(new Blob(['x']))).rejects.toMatchObject(unreachable);
    const { posthouse: refused } = setUp(breaking({ status: 502 }));
    const unknown = { status: 502, code: 'unknown' };
    await expect(refused.get('/api/me')).rejects.toMatchObject(unknown);
    await expect(refused.send('/api/me')).rejects.toMatchObject(unknown);
    await expect(refused.uploads.upload(new Blob(['x']))).rejects.toMatchObject(unknown);
  });

  test.each([[undefined], ['user left'], [0], [null], [{ why: 1 }]])(
    'throws the reason of an abort: %p',
    async (reason) => {
      let controller = new AbortController();
      const { posthouse } = setUp(() => {
        controller.abort(reason);
        return Promise.reject(controller.signal.reason);
      });
      const calls = [
        (signal: AbortSignal) => posthouse.get('/api/me', { signal }),
        (signal: AbortSignal) => posthouse.post('/api/storage/folders', { body: { name: 'x' }, signal }),
        (signal: AbortSignal) => posthouse.list('/api/storage/trash', { signal }),
        (signal: AbortSignal) => posthouse.page('/api/storage/trash', { signal }),
        (signal: AbortSignal) => posthouse.send('/api/me', { signal }),
        (signal: AbortSignal) => posthouse.uploads.whole(new Blob(['x']), { signal }),
      ];
      for (const call of calls) {
        controller = new AbortController();
        const { signal } = controller;
        for (const at of ['during the request', 'before it'])
          expect([
            at,
            await call(signal).then(
              () => 'no error',
              (thrown) => thrown,
            ),
          ]).toEqual([at, signal.reason]);
      }
    },
  );
});

test.each([[{}], [null], [[]]])(
  'an upload throws `unknown` for a response without a file: %p',
  async (body) => {
    const { uploads } = setUp(() => json(body)).posthouse;
    await expect(uploads.upload(new Blob(['x']))).rejects.toMatchObject({ status: 200, code: 'unknown' });
  },
);

describe('an upload throws `unknown` for a page of a proxy', () => {
  afterEach(() => void Reflect.deleteProperty(globalThis, 'XMLHttpRequest'));

  test('in a browser', async () => {
    class Proxied {
      upload = {};
      status = 200;
      responseText = PAGE;
      getResponseHeader = () => null;
      onload = () => {};
      open() {}
      setRequestHeader() {}
      send() {
        this.onload();
      }
    }
    Reflect.set(globalThis, 'XMLHttpRequest', Proxied);
    const { uploads } = setUp(refused).posthouse;
    await expect(uploads.whole(new Blob(['x']))).rejects.toMatchObject({ status: 200, code: 'unknown' });
  });

  test('elsewhere', async () => {
    const { uploads } = setUp(() => new Response(PAGE)).posthouse;
    await expect(uploads.whole(new Blob(['x']))).rejects.toMatchObject({ status: 200, code: 'unknown' });
  });
});

test.each<[string, RequestInit['headers']]>([
  ['an object', { Accept: 'text/html' }],
  ['pairs', [['Accept', 'text/html']]],
  ['`Headers`', new Headers({ Accept: 'text/html' })],
])('`send` adds header fields in %s to those of the client', async (_, headers) => {
  const { posthouse, requests } = setUp(() => json({}));
  await posthouse.send('/docs', { headers });
  const sent = requests[0]?.headers;
  expect([sent?.get('Accept'), sent?.get('Authorization')]).toEqual(['text/html', 'Bearer secret']);
});

test('the token is not sent to endpoints that need no account', async () => {
  const { posthouse, requests } = setUp(() => json({}));
  await posthouse.post('/requestemail', { body: { ClientId: 'a', ClientSecret: 'b' } as never });
  await posthouse.post('/requesttelegram', { body: { ClientId: 'a', ClientSecret: 'b' } as never });
  await posthouse.post('/sendcontactusform', { body: { ClientId: 'a', ClientSecret: 'b' } as never });
  await posthouse.post('/api/chatbot/sendmessage', { body: { clientId: 'a' } as never });
  await posthouse.send('/api/storage/public/media/x?inline=1');
  await posthouse.send('http://server.test/public/folder/x');
  expect(requests.map(({ headers }) => headers.get('Authorization'))).toEqual(Array(6).fill(null));
  await posthouse.send('/public/folder/x', { headers: { Authorization: 'Basic x' } });
  expect(requests.at(-1)?.headers.get('Authorization')).toBe('Basic x');
  await posthouse.send('http://server.test/api/storage/files/root');
  expect(requests.at(-1)?.headers.get('Authorization')).toBe('Bearer secret');
});

test('messages carry an idempotency key, other requests none', async () => {
  const { posthouse, requests } = setUp(() => json({}));
  const body = { to: 'a@example.org', subject: 'x', body: 'x' };
  await posthouse.post('/requestemail', { body: body as never });
  await posthouse.post('/requestemail', { body: body as never });
  await posthouse.post('/requestemail', { body: body as never, headers: { 'Idempotency-Key': 'own' } });
  await posthouse.post('/api/storage/folders', { body: { name: 'x', parentFolderId: 'root' } });
  const keys = requests.map(({ headers }) => headers.get('Idempotency-Key'));
  expect(keys[0]).toMatch(/^[\w-]{36}$/);
  expect(keys[1]).not.toBe(keys[0]);
  expect(keys.slice(2)).toEqual(['own', null]);
});

test('the pages of a list follow its links', async () => {
  const link = '</api/storage/files/root?after=b>; rel="next"';
  const { posthouse, requests } = setUp(() =>
    requests.length === 1 ? json([{ id: 'a' }], { headers: { Link: link } }) : json([{ id: 'b' }]),
  );
  const first = await posthouse.list('/api/storage/files/{id}', {
    params: { path: { id: 'root' } },
  });
  expect(first).toMatchObject({ items: [{ id: 'a' }], next: '/api/storage/files/root?after=b' });
  const second = await posthouse.page<{ id: string }>(first.next ?? '');
  expect(second).toEqual({ items: [{ id: 'b' }], next: null });
  expect(requests[1]?.url).toBe('http://server.test/api/storage/files/root?after=b');
});
