import { afterEach, describe, expect, spyOn, test } from 'bun:test';
import { createPosthouse } from './index.ts';

const WORDS = 'twelve bytes';
const PATH = '/api/storage/uploads';

let server: Bun.Server<undefined>;
let posthouse: ReturnType<typeof createPosthouse>;
/** Methods of the requests that arrived. */
let methods: string[];
/** The idempotency keys of the POST requests. */
let keys: Set<string | null>;
let received: string;

/** The header field of a response in which the file is stored. */
let stored: Record<string, string>;

/** Starts a tus server that refuses the first requests of a method with these responses or statuses. */
function start(refusals: Record<string, (Response | number)[]>, first = ''): void {
  methods = [];
  keys = new Set();
  received = first;
  stored = { 'Posthouse-File-Id': 'file' };
  server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { method } = request;
      methods.push(method);
      if (method === 'POST') keys.add(request.headers.get('Idempotency-Key'));
      const refusal = refusals[method]?.shift();
      if (refusal !== undefined)
        return refusal instanceof Response ? refusal : new Response(null, { status: refusal });
      if (method === 'POST') {
        received = '';
        return new Response(null, { status: 201, headers: { Location: `${PATH}/new` } });
      }
      if (method === 'PATCH') received += await request.text();
      const headers = {
        'Upload-Offset': String(received.length),
        'Upload-Length': String(WORDS.length),
        ...(received === WORDS ? stored : {}),
      };
      return new Response(null, { status: method === 'PATCH' ? 204 : 200, headers });
    },
  });
  posthouse = createPosthouse({ url: server.url.origin, token: 'any' });
}

const upload = (address?: string, content = WORDS) =>
  posthouse.uploads.resumable(new Blob([content]), {
    retryDelays: [1, 1, 1],
    ...(address === undefined ? {} : { address: `${server.url.origin}${address}` }),
  });

const problem = (status: number, code: string, headers = {}) => Response.json({ code }, { status, headers });

afterEach(() => server.stop(true));

test.each([503, 500, 423, 429])(
  'a resumed upload is not started again after %d for its offset',
  async (status) => {
    start({ HEAD: [status, status] }, WORDS.slice(0, 5));
    await upload(`${PATH}/old`);
    expect([methods, received]).toEqual([['HEAD', 'HEAD', 'HEAD', 'PATCH'], WORDS]);
  },
);

test('an upload is created again with the key of the first request, and another upload with another one', async () => {
  start({ POST: [503, 503] });
  await upload();
  expect([methods, keys.size]).toEqual([['POST', 'POST', 'POST', 'PATCH'], 1]);
  await upload();
  expect([keys.size, keys.has(null)]).toEqual([2, false]);
});

test('an upload that is interrupted is not started again while the server is unavailable', async () => {
  start({ PATCH: [503], HEAD: [503] });
  await upload();
  expect([methods, received]).toEqual([['POST', 'PATCH', 'HEAD', 'HEAD', 'PATCH'], WORDS]);
});

test.each([401, 403])('an upload is not started again when its offset is refused with %d', async (status) => {
  start({ HEAD: [status] }, WORDS.slice(0, 5));
  await expect(upload(`${PATH}/old`)).rejects.toMatchObject({ status });
  expect(methods).toEqual(['HEAD']);
});

test('an upload in chunks uses the given `fetch`', async () => {
  start({});
  const used: string[] = [];
  posthouse = createPosthouse({
    url: server.url.origin,
    async fetch(request) {
      used.push(request.method);
      return await fetch(request);
    },
  });
  await upload();
  expect([used, received]).toEqual([['POST', 'PATCH'], WORDS]);
});

test.each([404, 410])('an upload that has expired (%d) starts again', async (status) => {
  start({ HEAD: [status] });
  await upload(`${PATH}/old`);
  expect([methods, received]).toEqual([['HEAD', 'POST', 'PATCH'], WORDS]);
});

describe('an upload in chunks', () => {
  test.each([
    [409, 'name_taken'],
    [409, 'limit_reached'],
    [413, 'file_too_large'],
    [501, 'not_implemented'],
    [507, 'quota_exceeded'],
    [507, 'storage_full'],
  ])('ends with the first refusal that is final: %d %s', async (status, code) => {
    start({ POST: [problem(status, code)] });
    await expect(upload()).rejects.toMatchObject({ status, code });
    start({ PATCH: [problem(status, code)] });
    await expect(upload()).rejects.toMatchObject({ status, code });
    expect(methods).toEqual(['POST', 'PATCH']);
  });

  test.each([
    [409, 'upload_offset_wrong'],
    [423, 'upload_locked'],
    [429, 'rate_limited'],
    [503, 'unavailable'],
  ])('continues after a refusal that passes: %d %s', async (status, code) => {
    start({ PATCH: [problem(status, code)] });
    await upload();
    expect([methods, received]).toEqual([['POST', 'PATCH', 'HEAD', 'PATCH'], WORDS]);
  });

  test('continues after a page of a proxy in place of a response', async () => {
    start({ PATCH: [200] });
    await upload();
    expect([methods, received]).toEqual([['POST', 'PATCH', 'HEAD', 'PATCH'], WORDS]);
  });

  test('waits for the time in Retry-After before a retry', async () => {
    start({ POST: [problem(503, 'unavailable', { 'Retry-After': '7' })] });
    const { setTimeout } = globalThis;
    const pauses: unknown[] = [];
    const timers = spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) => {
      pauses.push(ms);
      return setTimeout(run, ms === 7_000 ? 0 : ms);
    }) as typeof setTimeout);
    await upload().finally(() => timers.mockRestore());
    expect(pauses).toContain(7_000);
    expect([methods, received]).toEqual([['POST', 'POST', 'PATCH'], WORDS]);
  });

  test('ends when the time in Retry-After is more than 30 s', async () => {
    start({ POST: [problem(503, 'unavailable', { 'Retry-After': '31' })] });
    await expect(upload()).rejects.toMatchObject({ code: 'unavailable', retryAfterMs: 31_000 });
    expect(methods).toEqual(['POST']);
  });
});

test.each([
  ['less than was sent', 'four'],
  ['more than was sent, but less than the upload', 'eight by'],
  ['more than the upload', `${WORDS} and more`],
])('an upload is not resumed with a file of another size: %s', async (_, content) => {
  start({}, WORDS.slice(0, 5));
  await expect(upload(`${PATH}/old`, content)).rejects.toMatchObject({ status: 0, code: 'file_changed' });
  expect([methods, received]).toEqual([['HEAD'], WORDS.slice(0, 5)]);
});

test('an upload returns the file that the last response names, and fails without one', async () => {
  start({});
  expect(await upload()).toEqual({ fileId: 'file' });
  stored = {};
  await expect(upload()).rejects.toMatchObject({ status: 204, code: 'unknown' });
});

describe('a file that can no longer be read is refused as `file_changed`', () => {
  /** A file of WORDS on a disk, on which it is changed after `reads`. */
  function changing(reads: number): Blob {
    const file = new Blob([WORDS]);
    const slice = file.slice.bind(file);
    file.slice = (...range) => {
      const part = slice(...range);
      if (reads-- > 0) return part;
      part.arrayBuffer = () => Promise.reject(new DOMException('changed', 'NotReadableError'));
      return part;
    };
    return file;
  }
  const changed = { status: 0, code: 'file_changed' };

  test('before the first request', async () => {
    start({});
    await expect(posthouse.uploads.whole(changing(0))).rejects.toMatchObject(changed);
    await expect(posthouse.uploads.resumable(changing(0))).rejects.toMatchObject(changed);
    expect(methods).toEqual([]);
  });

  test('before the bytes are sent, without retries', async () => {
    start({});
    await expect(posthouse.uploads.resumable(changing(1))).rejects.toMatchObject(changed);
    expect(methods).toEqual(['POST']);
  });
});
