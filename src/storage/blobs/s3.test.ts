import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { freshBucket } from '../../../test/harness/backends.ts';
import { type FaultProxy, openFaultProxy } from '../../../test/harness/fault-proxy.ts';
import { until } from '../../../test/harness/until.ts';
import { MB } from '../../kernel/bytes.ts';
import { type ByteRange, bytesIn } from '../../kernel/content.ts';
import { Unavailable } from '../../kernel/errors/unavailable.ts';
import { newId } from '../../kernel/ids.ts';
import { BlobMissing, type Blobs } from './port.ts';
import { openS3Blobs } from './s3.ts';
import { S3_LIMITS, type S3Limits } from './s3-limits.ts';
import { chunksOf } from './stream.ts';

/** Short, for requests that fail; a busy machine exceeds them. */
const LIMITS = { answerMs: 500, requestMs: 1_200, bodyMs: 300, pauseMs: 20 };

/** Starts a server that responds to the requests of a bucket. */
function serve(fetch: (request: Request) => Response, limits?: S3Limits) {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch });
  const endpoint = `http://127.0.0.1:${server.port}`;
  const bucket = { bucket: 'b', endpoint, region: null, accessKeyId: 'x', secretAccessKey: 'y' };
  return { blobs: openS3Blobs(bucket, limits), [Symbol.dispose]: () => server[Symbol.dispose]() };
}

describe('an S3 server behind a network that fails', () => {
  let proxy: FaultProxy;
  let direct: Blobs;
  let blobs: Blobs;
  /** Behind the proxy as well, with the limits of a server. */
  let patient: Blobs;
  /** Repeats a request soon, and as often as `patient`. */
  let hasty: Blobs;

  beforeAll(async () => {
    const bucket = { ...(await freshBucket()), region: 'us-east-1' };
    proxy = await openFaultProxy(Number(new URL(bucket.endpoint).port));
    const proxied = { ...bucket, endpoint: `http://127.0.0.1:${proxy.port}` };
    direct = openS3Blobs(bucket);
    blobs = openS3Blobs(proxied, LIMITS);
    patient = openS3Blobs(proxied);
    hasty = openS3Blobs(proxied, { ...S3_LIMITS, answerMs: LIMITS.answerMs });
  });
  afterEach(() => proxy.heal());
  afterAll(() => proxy.stop());

  async function put(size: number, store = patient): Promise<string> {
    const key = newId();
    const writer = store.create(key);
    try {
      for (let at = 0; at < size; at += MB) await writer.write(Buffer.alloc(Math.min(MB, size - at), 7));
      await writer.commit();
    } catch (error) {
      await writer.abort();
      throw error;
    }
    return key;
  }
  const size = async (key: string, length: number, store = patient) =>
    (await new Response(await store.read(key, length)).bytes()).length;
  const keys = async () => (await Array.fromAsync(direct.list())).map(({ key }) => key);

  test.each([
    ['refuses connections', () => proxy.refuse()],
    ['does not respond', async () => proxy.hang()],
    ['loses sent bytes', async () => proxy.swallow()],
  ])(
    'everything ends in time while it %s, and works afterwards with nothing left behind',
    async (_, fail) => {
      const key = await put(10);
      const before = await keys();
      await fail();
      const outcomes = await Promise.allSettled([
        put(10, blobs),
        put(17 * MB, blobs),
        size(key, 10, blobs),
        blobs.stat(key),
        blobs.delete(newId()),
        Array.fromAsync(blobs.list()),
        blobs.probe(),
      ]);
      for (const outcome of outcomes)
        expect(outcome.status === 'rejected' && outcome.reason).toBeInstanceOf(Unavailable);
      // A request that the proxy holds could reach the server after the deletion of its object.
      proxy.reset();
      await proxy.heal();
      expect(await size(key, 10)).toBe(10);
      await until(async () => (await keys()).length === before.length);
      expect(await size(await put(17 * MB), 17 * MB)).toBe(17 * MB);
    },
  );

  test('requests are repeated on a new connection when one breaks or falls silent', async () => {
    const key = await put(10);
    for (const [pattern, isSilent, work] of [
      ['PUT /', false, () => put(10)],
      ['partNumber=2', false, () => put(17 * MB)],
      ['GET /', true, () => size(key, 10, hasty)],
      ['HEAD /', false, () => patient.stat(key)],
    ] as const) {
      let count = 0;
      proxy.intercept((bytes) => {
        if (!bytes.includes(pattern) || ++count > 1) return false;
        if (!isSilent) proxy.reset();
        return true;
      });
      await work();
      expect([pattern, count >= 2]).toEqual([pattern, true]);
    }
  });

  test('an upload without a response to its end is given up, and removed when the server responds again', async () => {
    proxy.intercept((bytes) => bytes.includes('<CompleteMultipartUpload>'));
    const key = newId();
    const writer = blobs.create(key);
    for (let part = 0; part < 17; part++) await writer.write(Buffer.alloc(MB));
    await expect(writer.commit()).rejects.toBeInstanceOf(Unavailable);
    await writer.abort();
    await proxy.heal();
    expect(await direct.stat(key)).toBeNull();
  });

  test('an upload whose end was carried out without a response is complete', async () => {
    proxy.intercept((bytes) => {
      if (!bytes.includes('<CompleteMultipartUpload>')) return false;
      proxy.intercept(null);
      // The proxy passes these bytes, and loses the response.
      queueMicrotask(() => proxy.reset());
      return false;
    });
    const key = await put(17 * MB);
    // This server shows an object before all its parts are in it.
    await until(async () => (await direct.stat(key))?.size === 17 * MB);
    expect(await size(key, 17 * MB)).toBe(17 * MB);
  });

  test('a body that stops arriving ends with an error', async () => {
    const key = await put(6 * MB);
    const body = await blobs.read(key, 6 * MB);
    const reader = new Response(body).body?.getReader();
    await reader?.read();
    proxy.hang();
    const rest = async () => {
      for (;;) if ((await reader?.read())?.done) return;
    };
    await expect(rest()).rejects.toBeInstanceOf(Unavailable);
  });
});

describe('an S3 server that reports failures', () => {
  test('receives the request again until it succeeds; otherwise it is unavailable', async () => {
    let failures = 0;
    using server = serve(
      () =>
        failures-- > 0
          ? new Response('<Error><Code>SlowDown</Code></Error>', { status: 503 })
          : new Response('<Error><Code>NoSuchKey</Code></Error>', { status: 404 }),
      LIMITS,
    );
    const { blobs } = server;
    failures = 2;
    await expect(async () => await blobs.read('a', 1)).toThrow(BlobMissing);
    failures = 100;
    await expect(async () => await blobs.read('a', 1)).toThrow(Unavailable);
  });
});

test('a part of an object is not accepted as the whole, and bytes beyond it are discarded', async () => {
  let sent = 5;
  using server = serve(
    () => new Response('x'.repeat(sent), { status: 206, headers: { 'Content-Range': 'bytes 0-9/10' } }),
  );
  const text = async () => await new Response(await server.blobs.read('a', 10)).text();
  await expect(text()).rejects.toBeInstanceOf(Unavailable);
  sent = 20;
  expect(await text()).toBe('x'.repeat(10));
});

test.each([10, 3_000_000])(
  'an object of %d bytes with a damaged one is not delivered as a whole',
  async (size) => {
    const stored = Buffer.alloc(size, 'x');
    const damaged = Buffer.from(stored);
    using server = serve(({ headers }) => {
      const [start = 0, last = 0] = headers.get('Range')?.match(/\d+/g)?.map(Number) ?? [];
      return new Response(damaged.subarray(start, last + 1), {
        status: 206,
        headers: { 'Content-Range': `bytes ${start}-${last}/${size}` },
      });
    });
    const crc32 = Bun.hash.crc32(stored);
    const read = async (range?: ByteRange) => await bytesIn(await server.blobs.read('a', size, range, crc32));
    expect(Buffer.compare(await read(), stored)).toBe(0);
    damaged[1] = 0;
    await expect(read()).rejects.toBeInstanceOf(Unavailable);
    // A range cannot be checked.
    expect([...(await read({ start: 0, end: 2 }))]).toEqual([0x78, 0]);
  },
);

test('a reader that stops holds few bytes, and the rest of an object follows in further requests', async () => {
  const all = crypto.getRandomValues(Buffer.alloc(65_536)).toString('latin1').repeat(480);
  const bytes = Buffer.from(all, 'latin1');
  let requested = 0;
  using server = serve(({ headers }) => {
    const [start = 0, last = 0] = headers.get('Range')?.match(/\d+/g)?.map(Number) ?? [];
    requested += last + 1 - start;
    return new Response(bytes.subarray(start, last + 1), {
      status: 206,
      headers: { 'Content-Range': `bytes ${start}-${last}/${bytes.length}` },
    });
  });
  const range = { start: 5, end: bytes.length - 5 };
  const chunks = chunksOf(server.blobs, { blobKey: 'a', sizeBytes: bytes.length }, range);
  const read = [Buffer.from((await chunks.next()).value ?? [])];
  expect(requested).toBeLessThanOrEqual(MB);
  for await (const chunk of chunks) read.push(Buffer.from(chunk));
  expect(Buffer.compare(Buffer.concat(read), bytes.subarray(5, -5))).toBe(0);
  expect(requested).toBe(bytes.length - 10);
});

describe('an S3 server that refuses', () => {
  const keys = ['read', 'write', 'stat', 'list', 'delete', 'probe'] as const;
  const work: Record<(typeof keys)[number], (blobs: Blobs) => Promise<unknown>> = {
    read: async (blobs) => await blobs.read('a', 1),
    async write(blobs) {
      const writer = blobs.create('a');
      await writer.write(Buffer.from('x'));
      await writer.commit();
    },
    stat: (blobs) => blobs.stat('a'),
    list: (blobs) => Array.fromAsync(blobs.list()),
    delete: (blobs) => blobs.delete('a'),
    probe: (blobs) => blobs.probe(),
  };

  test.each(keys)('since the bucket is missing is unavailable: %s', async (name) => {
    const bucket = { ...(await freshBucket()), bucket: `none-${newId()}`, region: 'us-east-1' };
    await expect(work[name](openS3Blobs(bucket))).rejects.toMatchObject({
      name: 'Unavailable',
      message: expect.stringMatching(
        /^S3 answered 404 \(NoSuchBucket\) to a [A-Z]+: the bucket in POSTHOUSE_S3_URL does/,
      ),
    });
  });

  test.each(keys)('since the key is wrong is unavailable: %s', async (name) => {
    using server = serve(
      () => new Response('<Error><Code>InvalidAccessKeyId</Code></Error>', { status: 403 }),
    );
    await expect(work[name](server.blobs)).rejects.toBeInstanceOf(Unavailable);
  });
});

test.each([
  ['a page of a proxy', '<html>Not Found</html>'],
  ['an empty response', ''],
])('with status 404, %s does not mean that an object is missing', async (_, body) => {
  using server = serve(({ method }) => new Response(method === 'HEAD' ? null : body, { status: 404 }));
  const { blobs } = server;
  for (const work of [async () => await blobs.read('a', 1), () => blobs.stat('a'), () => blobs.delete('a')])
    await expect(work()).rejects.toBeInstanceOf(Unavailable);
});

test('an S3 server whose clock differs by far is unavailable, with the reason', async () => {
  using server = serve(
    () => new Response('<Error><Code>RequestTimeTooSkewed</Code></Error>', { status: 403 }),
  );
  await expect(server.blobs.probe()).rejects.toMatchObject({
    name: 'Unavailable',
    message: 'S3 answered 403 (RequestTimeTooSkewed) to a GET: the clock of this machine is wrong',
  });
});

describe('an S3 server whose responses', () => {
  const limits = { ...LIMITS, bodyMs: 60_000 };

  test('are pages of a proxy with status 200 stores and contains nothing', async () => {
    using server = serve(() => new Response('<html>Sign in</html>'), limits);
    const { blobs } = server;
    const writer = blobs.create('a');
    await writer.write(Buffer.from('x'));
    await expect(writer.commit()).rejects.toBeInstanceOf(Unavailable);
    await expect(blobs.probe()).rejects.toBeInstanceOf(Unavailable);
    await expect(Array.fromAsync(blobs.list())).rejects.toBeInstanceOf(Unavailable);
  });

  test.each([
    ['a page of a proxy', '<html>Sign in</html>'],
    ['empty', ''],
    ['an error with a namespace', '<Error xmlns="urn:s3"><Code>InternalError</Code></Error>'],
  ])('to the end of an upload in parts are %s, with status 200, does not store it', async (_, end) => {
    using server = serve(({ method, url }) => {
      if (method === 'HEAD') return new Response(null, { status: 404 });
      if (method !== 'POST') return new Response(null, { headers: { ETag: '"of a part"' } });
      return new Response(url.includes('uploads=') ? '<UploadId>1</UploadId>' : end);
    }, limits);
    const writer = server.blobs.create('a');
    for (let part = 0; part < 9; part++) await writer.write(Buffer.alloc(MB));
    await expect(writer.commit()).rejects.toBeInstanceOf(Unavailable);
    await writer.abort();
  });

  test.each([
    ['without its end', '<ListBucketResult><Contents><Key>blobs/a</Key></Contents>'],
    [
      'that continues nowhere',
      '<ListBucketResult><Contents><Key>blobs/a</Key></Contents><IsTruncated>true</IsTruncated></ListBucketResult>',
    ],
  ])('contain a list %s is unavailable', async (_, list) => {
    using server = serve(() => new Response(list));
    await expect(Array.fromAsync(server.blobs.list())).rejects.toBeInstanceOf(Unavailable);
  });

  test('contain an endless list is unavailable, after few bytes', async () => {
    let sent = 0;
    const endless = () =>
      new ReadableStream({
        pull(controller) {
          sent += MB;
          controller.enqueue(Buffer.alloc(MB, '<ListBucketResult>'));
        },
      });
    using server = serve(() => new Response(endless()));
    await expect(Array.fromAsync(server.blobs.list())).rejects.toBeInstanceOf(Unavailable);
    expect(sent).toBeLessThan(40 * MB);
  });

  test.each([
    ['page', ['a']],
    ['two pages', ['a', 'b']],
  ])('contain the same %s of a list again and again is unavailable', async (_, tokens) => {
    let pages = 0;
    const page = (token = '') =>
      `<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>${token}</NextContinuationToken>` +
      '</ListBucketResult>';
    using server = serve(() => {
      if (pages === 100) return new Response(null, { status: 403 });
      return new Response(page(tokens[pages++ % tokens.length]));
    });
    await expect(Array.fromAsync(server.blobs.list())).rejects.toBeInstanceOf(Unavailable);
    expect(pages).toBe(tokens.length + 1);
  });

  test('have more bytes than the requested range contain it', async () => {
    using server = serve(
      () => new Response('0123456789', { status: 206, headers: { 'Content-Range': 'bytes 10-19/20' } }),
    );
    expect(await bytesIn(await server.blobs.read('a', 20, { start: 10, end: 11 }))).toEqual(Buffer.from('0'));
  });

  test.each(['bytes 0-9/20', 'bytes 10-18/20', 'bytes 10-19/*', ''])(
    'have the range %p instead of the requested one is unavailable',
    async (sent) => {
      using server = serve(
        () => new Response('x'.repeat(10), { status: 206, headers: sent ? { 'Content-Range': sent } : {} }),
      );
      const read = async () => await server.blobs.read('a', 20, { start: 10, end: 20 });
      await expect(read()).rejects.toBeInstanceOf(Unavailable);
    },
  );

  test('arrive too slowly is unavailable, before a caller receives any byte', async () => {
    // The limit between two bytes is longer than the test.
    const unfinished = () => new ReadableStream({ start: (controller) => controller.enqueue('x') });
    using server = serve(
      ({ headers }) =>
        new Response(unfinished(), {
          status: headers.has('Range') ? 206 : 404,
          headers: { 'Content-Range': 'bytes 0-99999/100000' },
        }),
      limits,
    );
    const { blobs } = server;
    await expect(blobs.probe()).rejects.toBeInstanceOf(Unavailable);
    await expect(async () => await blobs.read('a', 100_000)).toThrow(Unavailable);
  });
});
