import { describe, expect, spyOn, test } from 'bun:test';
import { createPosthouse } from './client.ts';
import type { Fetch } from './retry.ts';

/** Rejects once the request is aborted, like a `fetch` to a server that does not respond. */
const silent: Fetch = ({ signal }) =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });

/** Sends `text` and then no more, like a server that stops within a response. */
const stopping =
  (type: string, text: string): Fetch =>
  async ({ signal }) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(text));
        signal.addEventListener('abort', () => controller.error(signal.reason));
      },
    });
    return new Response(body, { headers: { 'Content-Type': type } });
  };

const client = (fetch: Fetch, timeoutMs = 1) =>
  createPosthouse({ url: 'http://server.test', retries: 0, timeoutMs, fetch });
const UNREACHABLE = { status: 0, code: 'unreachable' };
/** Waits until the limit of a request that begins now has passed, and with it that of earlier ones. */
const anotherLimit = () => expect(client(silent).get('/api/me')).rejects.toMatchObject(UNREACHABLE);

test('a request without a response is `unreachable`', async () => {
  const posthouse = client(silent);
  await expect(posthouse.get('/api/me')).rejects.toMatchObject(UNREACHABLE);
  await expect(posthouse.send('/docs')).rejects.toMatchObject(UNREACHABLE);
  await expect(
    posthouse.post('/api/storage/folders', { body: { name: 'x', parentFolderId: 'root' } }),
  ).rejects.toMatchObject(UNREACHABLE);
});

test('a request whose JSON does not end is `unreachable`', async () => {
  await expect(client(stopping('application/json', '{"id":')).get('/api/me')).rejects.toMatchObject(
    UNREACHABLE,
  );
});

test('each retry has the whole time', async () => {
  let requests = 0;
  const fetch: Fetch = async (request) => {
    requests++;
    return requests === 1 ? await silent(request) : Response.json({ id: 'a' });
  };
  const posthouse = createPosthouse({ url: 'http://server.test', retries: 1, timeoutMs: 1, fetch });
  expect(await posthouse.get('/api/me')).toMatchObject({ id: 'a' });
});

test('the bytes of a file have no time limit', async () => {
  const answer = await client(stopping('text/plain', 'first')).send('/api/storage/files/x/content');
  const body = answer.body?.getReader();
  expect(Buffer.from((await body?.read())?.value ?? []).toString()).toBe('first');
  const next = body?.read().catch(() => 'ended');
  await anotherLimit();
  expect(await Promise.race([next, 'waits'])).toBe('waits');
  await body?.cancel();
});

test('the bytes of a JSON file are unchanged, without a time limit', async () => {
  const bytes = Buffer.from('fffe7b007d00', 'hex');
  const headers = { 'Content-Type': 'application/json', 'Content-Disposition': 'attachment' };
  const file = await client(async () => new Response(bytes, { headers })).send(
    '/api/storage/files/x/content',
  );
  expect(Buffer.from(await file.arrayBuffer())).toEqual(bytes);
  const endless = await client(async (request) => {
    const response = await stopping('application/json', '{')(request);
    response.headers.set('Content-Disposition', 'attachment');
    return response;
  }).send('/api/storage/files/x/content');
  await anotherLimit();
  await endless.body?.cancel();
});

test('a limit that exceeds that of timers is none', async () => {
  const fetch: Fetch = async (request) => {
    await anotherLimit();
    expect(request.signal.aborted).toBe(false);
    return Response.json({ Id: 'a' }, { status: 201 });
  };
  const { get, uploads } = client(fetch, Number.POSITIVE_INFINITY);
  expect(await get('/api/me')).toMatchObject({ Id: 'a' });
  expect(await uploads.whole(new File(['x'], 'a.txt'))).toMatchObject({ Id: 'a' });
});

describe('an upload in one request outside browsers', () => {
  const uploaded: Fetch = async () => Response.json({ Id: 'a' }, { status: 201 });

  test('is `unreachable` without a response', async () => {
    const blob = new Blob(['x']);
    await expect(client(silent).uploads.whole(blob)).rejects.toMatchObject(UNREACHABLE);
    await expect(client(silent).uploads.upload(blob)).rejects.toMatchObject(UNREACHABLE);
    const stopped = client(stopping('application/json', '{"Id":'));
    await expect(stopped.uploads.whole(blob)).rejects.toMatchObject(UNREACHABLE);
  });

  test('has more time for more bytes', async () => {
    const timers = spyOn(globalThis, 'setTimeout');
    const { uploads } = client(uploaded, 60_000);
    await uploads.whole(new Blob([new Uint8Array(3_000_000)]));
    const limits = timers.mock.calls.map(([, ms]) => ms);
    timers.mockRestore();
    expect(limits).toEqual([240_000]);
  });

  test('is aborted by the caller with its own reason', async () => {
    const controller = new AbortController();
    const sent = client(silent, 60_000).uploads.whole(new Blob(['x']), { signal: controller.signal });
    controller.abort('left the page');
    expect(await sent.catch((reason) => reason)).toBe('left the page');
  });
});

test('an abort of the caller has its own reason', async () => {
  const reason = new Error('left the page');
  const controller = new AbortController();
  const call = client(silent, 60_000).get('/api/me', { signal: controller.signal });
  controller.abort(reason);
  await expect(call).rejects.toBe(reason);
  await expect(client(silent, 60_000).get('/api/me', { signal: controller.signal })).rejects.toBe(reason);
});

describe('an upload whose bytes stop moving is `unreachable`', () => {
  test('in chunks', async () => {
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Promise<never>(() => {}) });
    const posthouse = createPosthouse({ url: server.url.origin, timeoutMs: 1 });
    await expect(posthouse.uploads.resumable(new Blob(['x']), { name: 'a.txt' })).rejects.toMatchObject(
      UNREACHABLE,
    );
    await server.stop(true);
  });

  test('in a form of a browser', async () => {
    const request = {
      upload: { onprogress: (_: { loaded: number }) => {} },
      onabort() {},
      open() {},
      setRequestHeader() {},
      send: () => request.upload.onprogress({ loaded: 1 }),
      abort: () => request.onabort(),
    };
    const global = globalThis as { XMLHttpRequest?: unknown };
    global.XMLHttpRequest = function XMLHttpRequest() {
      return request;
    };
    try {
      const sent = client(silent).uploads.whole(new File(['x'], 'a.txt'));
      await expect(sent).rejects.toMatchObject(UNREACHABLE);
    } finally {
      delete global.XMLHttpRequest;
    }
  });
});
