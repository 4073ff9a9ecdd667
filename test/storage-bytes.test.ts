import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { filesOf, type Metadata } from './harness/files.ts';
import { addPerson, type Posthouse, startPosthouse } from './harness/posthouse.ts';

const BYTES = crypto.getRandomValues(Buffer.alloc(65_536));
const LARGE = Buffer.concat([...Array.from({ length: 20 }, () => BYTES), Buffer.from('end')]);
const N = LARGE.length;

describe.each(BACKENDS)('downloads on %s', (backend) => {
  let posthouse: Posthouse;
  let ada: Awaited<ReturnType<typeof addPerson>>;
  let grace: Awaited<ReturnType<typeof addPerson>>;
  let large: Metadata;
  let small: Metadata;
  let empty: Metadata;

  beforeAll(async () => {
    const settings = await freshSettings(backend);
    posthouse = await startPosthouse(settings);
    ada = await addPerson(settings, 'ada@example.org');
    grace = await addPerson(settings, 'grace@example.org');
    const files = filesOf(posthouse, ada.headers);
    large = await files.upload(LARGE, { name: 'large.bin' });
    small = await files.upload('0123456789', { name: 'small.txt' });
    empty = await files.upload('', { name: 'empty.txt' });
    for (const { id } of [large, small, empty]) await files.change(id, { visibility: 1 });
  });
  afterAll(() => posthouse.stop());

  const routes = ['content', 'direct', 'ui'] as const;
  function fetchBy(
    route: (typeof routes)[number],
    file: Metadata,
    headers: Record<string, string> = {},
    method = 'GET',
  ): Promise<Response> {
    const paths = {
      content: `/api/storage/files/${file.id}/content`,
      direct: `/api/storage/public/media/${file.directToken}`,
      ui: `/public/media/${file.uiToken}`,
    };
    return posthouse.fetch(paths[route], {
      method,
      headers: route === 'content' ? { ...ada.headers, ...headers } : headers,
    });
  }

  describe.each(routes)('by %s', (route) => {
    test('return all bytes, and HEAD the same header fields', async () => {
      for (const [file, bytes] of [
        [large, LARGE],
        [small, Buffer.from('0123456789')],
        [empty, Buffer.alloc(0)],
      ] as const) {
        const got = await fetchBy(route, file);
        expect(got.status).toBe(200);
        expect(Buffer.compare(Buffer.from(await got.bytes()), bytes)).toBe(0);
        const head = await fetchBy(route, file, {}, 'HEAD');
        expect([head.status, (await head.bytes()).length]).toEqual([200, 0]);
        for (const name of [
          'Content-Length',
          'Content-Type',
          'Content-Disposition',
          'ETag',
          'Last-Modified',
          'Repr-Digest',
          'Accept-Ranges',
          'Cache-Control',
          'Content-Security-Policy',
        ]) {
          expect([name, head.headers.get(name)]).toEqual([name, got.headers.get(name)]);
        }
        expect(head.headers.get('Content-Length')).toBe(String(bytes.length));
        expect(head.headers.get('Accept-Ranges')).toBe('bytes');
      }
    });

    test.each([
      ['bytes=0-0', 0, 1],
      ['bytes=0-', 0, N],
      ['bytes=1-65536', 1, 65_537],
      [`bytes=${N - 3}-`, N - 3, N],
      ['bytes=-3', N - 3, N],
      [`bytes=-${N + 5}`, 0, N],
      [`bytes=${N - 1}-${N + 1_000}`, N - 1, N],
      [`bytes=5-${'9'.repeat(30)}`, 5, N],
    ])('%s returns this range', async (range, start, end) => {
      const got = await fetchBy(route, large, { Range: range });
      expect(got.status).toBe(206);
      expect(got.headers.get('Content-Range')).toBe(`bytes ${start}-${end - 1}/${N}`);
      expect(got.headers.get('Content-Length')).toBe(String(end - start));
      expect(got.headers.get('Accept-Ranges')).toBe('bytes');
      expect(Buffer.compare(Buffer.from(await got.bytes()), LARGE.subarray(start, end))).toBe(0);
    });

    test.each(['bytes=0-1,5-6', 'bytes=5-2', 'items=0-1', 'bytes=x', 'bytes='])(
      '%s is ignored',
      async (range) => {
        for (const [file, bytes] of [
          [large, LARGE],
          [small, Buffer.from('0123456789')],
        ] as const) {
          const got = await fetchBy(route, file, { Range: range });
          expect([got.status, got.headers.get('Content-Range')]).toEqual([200, null]);
          expect(Buffer.compare(Buffer.from(await got.bytes()), bytes)).toBe(0);
        }
      },
    );

    test.each([`bytes=${N}-`, `bytes=${N + 5}-${N + 9}`, 'bytes=-0'])(
      '%s is not satisfiable',
      async (range) => {
        const got = await fetchBy(route, large, { Range: range });
        expect(got.status).toBe(416);
        expect(got.headers.get('Content-Range')).toBe(`bytes */${N}`);
        expect(got.headers.get('Content-Type')).toBe('application/problem+json');
        expect(await got.json()).toMatchObject({ code: 'range_not_satisfiable', status: 416 });
      },
    );

    test('an empty file has no range', async () => {
      expect((await fetchBy(route, empty, { Range: 'bytes=0-' })).status).toBe(416);
      expect((await fetchBy(route, empty, { Range: 'bytes=-1' })).status).toBe(200);
    });

    test('HEAD ignores a range', async () => {
      const head = await fetchBy(route, large, { Range: 'bytes=0-1' }, 'HEAD');
      expect([head.status, head.headers.get('Content-Length'), head.headers.get('Content-Range')]).toEqual([
        200,
        String(N),
        null,
      ]);
    });

    test('conditions are evaluated', async () => {
      const got = await fetchBy(route, small);
      const [tag, date] = [got.headers.get('ETag') ?? '', got.headers.get('Last-Modified') ?? ''];
      expect(tag).toMatch(/^"[^"]+"$/);
      const status = async (headers: Record<string, string>, method = 'GET') =>
        (await fetchBy(route, small, headers, method)).status;
      expect(await status({ 'If-None-Match': tag })).toBe(304);
      expect(await status({ 'If-None-Match': `"other", W/${tag}` }, 'HEAD')).toBe(304);
      expect(await status({ 'If-None-Match': '*' })).toBe(304);
      expect(await status({ 'If-None-Match': '"other"', 'If-Modified-Since': date })).toBe(200);
      expect(await status({ 'If-Modified-Since': date })).toBe(304);
      expect(await status({ 'If-Modified-Since': 'Sun, 06 Nov 1994 08:49:37 GMT' })).toBe(200);
      expect(await status({ 'If-Match': '"other"' })).toBe(412);
      expect(await status({ 'If-Match': tag })).toBe(200);
    });

    test('a 304 has no body and keeps its tag', async () => {
      const tag = (await fetchBy(route, small)).headers.get('ETag') ?? '';
      const got = await fetchBy(route, small, { 'If-None-Match': tag, Range: 'bytes=0-1' });
      expect([got.status, got.headers.get('ETag'), (await got.bytes()).length]).toEqual([304, tag, 0]);
    });

    test('If-Range returns the range of the same state, and all bytes of another', async () => {
      const got = await fetchBy(route, large);
      const [tag, date] = [got.headers.get('ETag') ?? '', got.headers.get('Last-Modified') ?? ''];
      await got.body?.cancel();
      for (const [ifRange, status, length] of [
        [tag, 206, 2],
        [date, 206, 2],
        ['"other"', 200, N],
        [`W/${tag}`, 200, N],
        ['Sun, 06 Nov 1994 08:49:37 GMT', 200, N],
        ['nonsense', 200, N],
      ] as const) {
        const part = await fetchBy(route, large, { Range: 'bytes=3-4', 'If-Range': ifRange });
        expect([ifRange, part.status, (await part.bytes()).length]).toEqual([ifRange, status, length]);
      }
    });

    test('have their media type, and a policy against scripts', async () => {
      const { headers } = await fetchBy(route, small);
      expect(headers.get('Content-Type')).toStartWith('text/plain');
      expect(headers.get('Content-Disposition')).toBe(
        `attachment; filename="small.txt"; filename*=UTF-8''small.txt`,
      );
      expect(headers.get('Repr-Digest')).toBe(
        `sha-256=:${new Bun.CryptoHasher('sha256').update('0123456789').digest('base64')}:`,
      );
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('Referrer-Policy')).toBe('no-referrer');
      expect(headers.get('Cache-Control')).toBe('private, no-cache');
      expect(headers.get('Content-Security-Policy')).toBe("default-src 'none'; sandbox");
      expect(headers.get('Cross-Origin-Resource-Policy')).toBe(
        route === 'content' ? 'same-origin' : 'cross-origin',
      );
      expect(headers.get('Access-Control-Allow-Origin')).toBe(route === 'content' ? null : '*');
    });
  });

  test('content requires the owner', async () => {
    const status = async (id: string, headers: Record<string, string>) =>
      (await posthouse.fetch(`/api/storage/files/${id}/content`, { headers })).status;
    expect(await status(small.id, {})).toBe(401);
    expect(await status(small.id, grace.headers)).toBe(404);
    expect(await status('nonsense', ada.headers)).toBe(404);
    expect(await status('01a1fc81-96b9-74a7-89ef-495a4d9ba418', ada.headers)).toBe(404);
  });

  test('concurrent readers of one file all get every byte', async () => {
    const sizes = await Promise.all(
      Array.from({ length: 20 }, async () =>
        Buffer.compare(Buffer.from(await (await fetchBy('direct', large)).bytes()), LARGE),
      ),
    );
    expect(sizes.every((difference) => difference === 0)).toBe(true);
  });

  test('a missing blob is an internal error that does not reveal its path', async () => {
    const file = await filesOf(posthouse, ada.headers).upload('soon gone');
    const { readdirSync, rmSync } = await import('node:fs');
    const directory = `${posthouse.settings.POSTHOUSE_DATA_DIR}/blobs`;
    if (backend === 'sqlite+local') {
      for (const path of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
        if (!path.includes('/')) continue;
        if (
          (await Bun.file(`${directory}/${path}`)
            .text()
            .catch(() => '')) === 'soon gone'
        )
          rmSync(`${directory}/${path}`);
      }
    } else {
      const url = new URL(posthouse.settings.POSTHOUSE_S3_URL ?? '');
      const client = new Bun.S3Client({
        bucket: url.host,
        endpoint: url.searchParams.get('endpoint') ?? '',
        region: 'us-east-1',
        accessKeyId: posthouse.settings.AWS_ACCESS_KEY_ID,
        secretAccessKey: posthouse.settings.AWS_SECRET_ACCESS_KEY,
      });
      for (const { key, size } of (await client.list({ prefix: 'blobs/' })).contents ?? [])
        if (size === 9) await client.delete(key);
    }
    const got = await fetchBy('content', file);
    expect(got.status).toBe(500);
    const text = await got.text();
    expect(JSON.parse(text)).toMatchObject({ code: 'internal_error' });
    expect(text).not.toContain('blobs');
  });
});
