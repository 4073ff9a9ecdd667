import { afterAll, describe, expect, test } from 'bun:test';
import { once } from 'node:events';
import { connect } from 'node:net';
import { listenHere } from '../../../../test/harness/listener.ts';
import type { Content } from '../../content.ts';
import { ContentResponse } from '../content/content-response.ts';

const CHUNK = new Uint8Array(65_536).fill(97);
const CHUNKS = 40;
const LENGTH = CHUNK.length * CHUNKS;

const cancelled = Promise.withResolvers<void>();
const failures: unknown[] = [];

function stream({ chunks = CHUNKS, breaks = false } = {}) {
  let given = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (given++ < chunks) return controller.enqueue(CHUNK);
      if (breaks) throw new Error('the file is gone');
      controller.close();
    },
    cancel: () => cancelled.resolve(),
  });
}

type Wait = PromiseWithResolvers<void>;
/** The body of `?late`. */
let late: ReadableStream<Uint8Array> | null = null;

/** The content of `/content`. */
let content: Content | null = null;

const listener = listenHere({
  async answer(request, peer) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/file') return new Response(Bun.file(import.meta.path));
    if (pathname === '/gone') return new Response(Bun.file(`${import.meta.path} that is gone`));
    if (pathname === '/echo')
      return new Response(await request.bytes(), { headers: { 'X-Peer': peer() ?? '' } });
    if (pathname === '/content')
      return new ContentResponse(content ?? new Uint8Array(), {
        headers: { 'content-length': '1000000000' },
      });
    if (!pathname.startsWith('/exact/'))
      return new Response(`${request.method} ${pathname}`, { status: 404 });
    const headers = {
      'Content-Length': String(LENGTH),
      'X-Peer': peer() ?? '',
      'X-Host': request.headers.get('Host') ?? '',
    };
    if (searchParams.has('null')) return new Response(null, { status: 304, headers: { ETag: '"x"' } });
    if (searchParams.has('empty')) return new Response(null, { status: 204 });
    if (request.method === 'HEAD') return new Response(null, { headers });
    if (searchParams.has('break-first'))
      return new Response(stream({ chunks: 0, breaks: true }), { headers });
    if (searchParams.has('break')) return new Response(stream({ chunks: 10, breaks: true }), { headers });
    if (searchParams.has('late')) return new Response(late, { headers: { 'Content-Length': String(1e15) } });
    if (searchParams.has('endless'))
      return new Response(stream({ chunks: 1e9 }), { headers: { 'Content-Length': String(1e15) } });
    if (searchParams.has('problem')) return new Response('no', { status: 403 });
    return new Response(stream(), { headers });
  },
  failed: (error) => failures.push(error),
  unsent: (error) => Response.json({ code: (error as { code?: unknown }).code }, { status: 500 }),
});
const base = `http://127.0.0.1:${listener.port}`;
afterAll(() => listener.stop(true));

describe('listen', () => {
  test('a stream of declared length has that Content-Length', async () => {
    const answer = await fetch(`${base}/exact/1`);
    expect(answer.headers.get('Content-Length')).toBe(String(LENGTH));
    expect(answer.headers.get('Transfer-Encoding')).toBeNull();
    expect(answer.headers.get('X-Peer')).toBe('127.0.0.1');
    expect(answer.headers.get('X-Host')).toBe(`127.0.0.1:${listener.port}`);
    expect((await answer.bytes()).length).toBe(LENGTH);
  });

  test('does not reveal the path of a file that cannot be opened', async () => {
    const answer = await fetch(`${base}/gone`);
    expect([answer.status, await answer.json()]).toEqual([500, { code: 'ENOENT' }]);
  });

  test('chunks in one buffer arrive whole, and the reader is ended when its client leaves', async () => {
    const ended = Promise.withResolvers<number>();
    async function* chunks() {
      const buffer = new Uint8Array(500_000);
      let count = 0;
      try {
        for (; count < 2_000; count++) yield buffer.fill(count % 251);
      } finally {
        ended.resolve(count);
      }
    }
    content = chunks();
    const socket = connect(listener.port, '127.0.0.1');
    socket.write('GET /content HTTP/1.1\r\nHost: here\r\n\r\n');
    const received: Buffer[] = [];
    let length = 0;
    for await (const chunk of socket) {
      received.push(chunk);
      length += chunk.length;
      // A client that reads slower than the server sends.
      await new Promise((resolve) => setImmediate(resolve));
      if (length > 20_000_000) break;
    }
    const all = Buffer.concat(received);
    const body = all.subarray(all.indexOf('\r\n\r\n') + 4);
    const wrong = body.findIndex((byte, index) => byte !== Math.floor(index / 500_000) % 251);
    expect([wrong, body.length > 19_000_000]).toEqual([-1, true]);
    expect(await ended.promise).toBeLessThan(2_000);
  });

  test('HEAD has the same length; 204 and 304 have no body', async () => {
    const head = await fetch(`${base}/exact/1`, { method: 'HEAD' });
    expect([head.status, head.headers.get('Content-Length')]).toEqual([200, String(LENGTH)]);
    expect((await fetch(`${base}/exact/1?empty`)).status).toBe(204);
    const unchanged = await fetch(`${base}/exact/1?null`);
    expect([unchanged.status, unchanged.headers.get('ETag'), await unchanged.text()]).toEqual([
      304,
      '"x"',
      '',
    ]);
    const problem = await fetch(`${base}/exact/1?problem`);
    expect([problem.status, problem.headers.get('Content-Length'), await problem.text()]).toEqual([
      403,
      '2',
      'no',
    ]);
  });

  test('a failing stream closes the connection before the declared length', async () => {
    const answer = await fetch(`${base}/exact/1?break`);
    expect(answer.headers.get('Content-Length')).toBe(String(LENGTH));
    await expect(answer.bytes()).rejects.toThrow();
    expect(failures).toEqual([new Error('the file is gone')]);
  });

  test('a stream that fails before its first byte does not look like an empty response', async () => {
    const answer = await fetch(`${base}/exact/1?break-first`);
    expect([answer.status, await answer.json()]).toEqual([500, {}]);
  });

  test('a client that disconnects before the first bytes cancels the stream', async () => {
    const [asked, first, left] = [1, 2, 3].map(() => Promise.withResolvers<void>()) as [Wait, Wait, Wait];
    late = new ReadableStream(
      {
        async pull(controller) {
          asked.resolve();
          await first.promise;
          controller.enqueue(CHUNK);
        },
        cancel: () => left.resolve(),
      },
      { highWaterMark: 0 },
    );
    const socket = connect(listener.port, '127.0.0.1', () =>
      socket.write('GET /exact/1?late HTTP/1.1\r\nHost: x\r\n\r\n'),
    );
    await asked.promise;
    socket.destroy();
    await once(socket, 'close');
    // Meanwhile the server has detected the end of the connection.
    for (let count = 0; count < 3; count++) await (await fetch(`${base}/file`)).text();
    first.resolve();
    await left.promise;
  });

  test('a client that disconnects cancels the stream', async () => {
    const socket = connect(listener.port, '127.0.0.1', () =>
      socket.write('GET /exact/1?endless HTTP/1.1\r\nHost: x\r\n\r\n'),
    );
    socket.once('data', () => socket.destroy());
    await cancelled.promise;
  });

  test('files and bodies of other paths', async () => {
    expect(await (await fetch(`${base}/file`)).text()).toBe(await Bun.file(import.meta.path).text());
    const echo = await fetch(`${base}/echo`, { method: 'POST', body: 'x'.repeat(3e6) });
    expect([(await echo.text()).length, echo.headers.get('X-Peer')]).toEqual([3e6, '127.0.0.1']);
    for (const [method, path] of [
      ['GET', '/exact'],
      ['DELETE', '/exacter/1'],
      ['OPTIONS', '/'],
      ['PUT', '/a%2Fb'],
    ] as const) {
      const answer = await fetch(`${base}${path}`, { method });
      expect([answer.status, await answer.text()]).toEqual([404, `${method} ${path}`]);
    }
  });
});

/**
 * Canary: fails on the day that Bun keeps the header (https://github.com/oven-sh/bun/issues/10507). Then `listen`
 * can be a plain `Bun.serve`, which ends a connection whose requests overlap, and sends files by sendfile.
 */
test('Bun.serve alone still removes the Content-Length of a stream', async () => {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Response(stream(), { headers: { 'Content-Length': String(LENGTH) } }),
  });
  try {
    const answer = await fetch(server.url);
    expect((await answer.bytes()).length).toBe(LENGTH);
    expect(answer.headers.get('Content-Length')).toBeNull();
    expect(answer.headers.get('Transfer-Encoding')).toBe('chunked');
  } finally {
    await server.stop(true);
  }
});

test('a server with an address of another machine names the setting and the remedy', () => {
  // A documentation address (RFC 5737).
  const hostname = '192.0.2.1';
  expect(() => listenHere({ hostname, answer: () => new Response() })).toThrow(
    `This machine has no address ${hostname}: set HOST to one of its addresses, or to 0.0.0.0 for all.`,
  );
});
