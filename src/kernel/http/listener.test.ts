import { afterAll, describe, expect, test } from 'bun:test';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Content } from '../content.ts';
import { createShortRequests } from '../short-requests.ts';
import { readBytes } from './body.ts';
import { ContentResponse } from './content-response.ts';
import type { Ctx } from './context.ts';
import { listen } from './listener.ts';
import { HttpProblem } from './problems.ts';

const CHUNK = new Uint8Array(65_536).fill(97);
const CHUNKS = 40;
const LENGTH = CHUNK.length * CHUNKS;

const file = join(tmpdir(), `posthouse-listener-${crypto.randomUUID()}`);
await Bun.write(file, 'from a file');

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

/** Returns the number of bytes in a body, and whether most are read in pieces of several. */
async function describePieces({ body }: Request): Promise<string> {
  let [bytes, pieces] = [0, 0];
  for await (const piece of body ?? []) {
    bytes += piece.length;
    pieces++;
  }
  return `${bytes} ${pieces < bytes / 2}`;
}

type Wait = PromiseWithResolvers<void>;
/** The body of `?late`. */
let late: ReadableStream<Uint8Array> | null = null;

/** The content of `/content`. */
let content: Content | null = null;

const listener = listen({
  shortRequests: createShortRequests(),
  hostname: '127.0.0.1',
  port: 0,
  idleTimeout: 30,
  async answer(request, peer) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/file') return new Response(Bun.file(file));
    if (pathname === '/gone') return new Response(Bun.file(`${file} that is gone`));
    if (pathname === '/echo')
      return new Response(await request.bytes(), { headers: { 'X-Peer': peer() ?? '' } });
    if (pathname === '/content')
      return new ContentResponse(content ?? new Uint8Array(), {
        headers: { 'Content-Length': '1000000000' },
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
    if (searchParams.has('pieces')) return new Response(await describePieces(request));
    if (request.method === 'POST') return new Response(String((await request.bytes()).length));
    if (searchParams.has('problem')) return new Response('no', { status: 403 });
    return new Response(stream(), { headers });
  },
  discarded: { ms: 10_000, bytes: 16_000_000 },
  failed: (error) => failures.push(error),
  unsent: (error) => Response.json({ code: (error as { code?: unknown }).code }, { status: 500 }),
});
const base = `http://127.0.0.1:${listener.port}`;
afterAll(() => listener.stop(true));

/** Sends everything, then receives until the end of the first response, or of the connection. */
async function sendFirst(request: Buffer): Promise<string> {
  const socket = connect(listener.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.pause();
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.write(request, () => resolve());
  });
  let answer = '';
  for await (const chunk of socket) {
    answer += chunk;
    const isComplete = /\r\n\r\n./.test(answer);
    if (isComplete && !/connection: close/i.test(request.toString('latin1', 0, 1000))) break;
  }
  socket.destroy();
  return answer;
}

describe('listen', () => {
  test('a stream of declared length has that Content-Length', async () => {
    const answer = await fetch(`${base}/exact/1`);
    expect(answer.headers.get('Content-Length')).toBe(String(LENGTH));
    expect(answer.headers.get('Transfer-Encoding')).toBeNull();
    expect(answer.headers.get('X-Peer')).toBe('127.0.0.1');
    expect(answer.headers.get('X-Host')).toBe(`127.0.0.1:${listener.port}`);
    expect((await answer.bytes()).length).toBe(LENGTH);
  });

  test('answers without the path of a file that cannot be opened', async () => {
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
    // Meanwhile the server has seen the end of the connection.
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

  test('a large body arrives completely, also after 100 Continue', async () => {
    const body = 'x'.repeat(3e6);
    expect(await (await fetch(`${base}/exact/1`, { method: 'POST', body })).text()).toBe('3000000');
    const socket = connect(listener.port, '127.0.0.1', () =>
      socket.write(
        'POST /exact/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n',
      ),
    );
    let answer = '';
    for await (const chunk of socket) {
      if (answer === '') socket.write('words');
      answer += chunk;
    }
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\n5$/);
  });

  test('small chunks of a body are read together', async () => {
    const head = 'POST /exact/1?pieces HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n';
    const chunks = `${'1\r\na\r\n'.repeat(10_000)}800\r\n${'b'.repeat(2_048)}\r\n1\r\nc\r\n0\r\n\r\n`;
    const answer = await sendFirst(Buffer.from(`${head}\r\n${chunks}`));
    expect(answer).toEndWith('\r\n\r\n12049 true');
  });

  test('a large body arrives completely while other requests follow one another', async () => {
    let isOver = false;
    const repeat = async () => {
      while (!isOver) await (await fetch(`${base}/file`)).text();
    };
    const others = [repeat(), repeat()];
    const answer = await fetch(`${base}/exact/1`, { method: 'POST', body: 'x'.repeat(3e6) });
    expect(await answer.text()).toBe('3000000');
    isOver = true;
    await Promise.all(others);
  });

  describe.each(['/exact/1?problem', '/not-found'])('a refusal of a body to %s', (path) => {
    const cases = ['Content-Length: 8000000', 'Transfer-Encoding: chunked'].flatMap((framing) =>
      ['close', 'keep-alive'].map((connection) => [framing, connection] as const),
    );

    test.each(cases)(
      'reaches a client that reads it last (%s, Connection: %s)',
      async (framing, connection) => {
        const head = `PUT ${path} HTTP/1.1\r\nHost: x\r\n${framing}\r\nConnection: ${connection}\r\n\r\n`;
        const body = Buffer.alloc(8_000_000, 97);
        const chunked = [Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')];
        const answer = await sendFirst(
          Buffer.concat([Buffer.from(head), ...(framing.startsWith('C') ? [body] : chunked)]),
        );
        expect(answer).toMatch(/^HTTP\/1\.1 40[34] /);
        if (connection === 'close') expect(answer).toMatch(/\r\nConnection: close\r\n/i);
      },
    );

    test('says that the connection of a client that sends too much will be closed', async () => {
      const socket = connect(listener.port, '127.0.0.1');
      const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      socket.on('error', () => {});
      let answer = '';
      socket.on('data', (data) => {
        answer += data;
      });
      let sent = 0;
      const send = () => {
        if (socket.destroyed) return;
        sent += CHUNK.length;
        // In turns with reading, since the reset of the connection would discard an answer that is not yet read.
        if (socket.write(CHUNK)) setImmediate(send);
      };
      socket.on('drain', send);
      socket.write(`PUT ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000000\r\n\r\n`);
      send();
      await ended;
      expect(answer).toMatch(/^HTTP\/1\.1 40[34] [\s\S]*\r\nConnection: close\r\n/i);
      expect(sent).toBeLessThan(1e9);
    });
  });

  test.each(['http://[', 'http://a:b/Ping'])('a target that is no URL (%s) is not found', async (target) => {
    const before = failures.length;
    for (const body of ['', 'words']) {
      const head = `POST ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`;
      expect(await sendFirst(Buffer.from(head + body))).toStartWith('HTTP/1.1 404 ');
    }
    expect(failures).toHaveLength(before);
  });

  test('the body of a GET or HEAD is discarded, within the limits of others', async () => {
    const body = Buffer.alloc(8_000_000, 97);
    for (const method of ['GET', 'HEAD']) {
      const head = `${method} /file HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`;
      expect(await sendFirst(Buffer.concat([Buffer.from(head), body]))).toMatch(
        /^HTTP\/1\.1 200 [\s\S]*\r\nConnection: close\r\n/i,
      );
      const short = `${method} /file HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nwords`;
      const last = 'GET /not-found HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
      expect(await sendFirst(Buffer.from(short + last))).toMatch(/^HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 404 /);
    }
  });

  test('a response without content does not wait for the rest of the request', async () => {
    const socket = connect(listener.port, '127.0.0.1');
    socket.write('POST /exact/1?empty HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n');
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toStartWith('HTTP/1.1 204 ');
    socket.write('wordsGET /file HTTP/1.1\r\nHost: x\r\n\r\n');
    const [next] = await once(socket, 'data');
    expect(String(next)).toStartWith('HTTP/1.1 200 ');
    socket.destroy();
  });

  test('a short rest of a body leaves the connection open', async () => {
    const request = 'PUT /exact/1?problem HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nwords';
    const last = 'PUT /exact/1?problem HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
    const answers = await sendFirst(Buffer.from(request + last));
    expect(answers.match(/HTTP\/1\.1 403 /g)).toHaveLength(2);
  });

  test('files and bodies of other paths', async () => {
    expect(await (await fetch(`${base}/file`)).text()).toBe('from a file');
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

test.each(['/', '/exact/1'])(
  'stop waits for the response to %s, but not for its idle connection',
  async (path) => {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<Response>();
    const stopping = listen({
      shortRequests: createShortRequests(),
      hostname: '127.0.0.1',
      port: 0,
      idleTimeout: 30,
      answer() {
        asked.resolve();
        return answer.promise;
      },
      failed() {},
      unsent: () => Response.error(),
    });
    const socket = connect(stopping.port, '127.0.0.1', () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`),
    );
    const received = Promise.withResolvers<string>();
    socket.once('data', (data) => received.resolve(data.toString()));
    await asked.promise;
    const stopped = stopping.stop();
    answer.resolve(new Response('at last'));
    expect(await received.promise).toContain('at last');
    await stopped;
    socket.destroy();
  },
);

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

test('a client that takes no bytes of a stream is disconnected after a while', async () => {
  const left = Promise.withResolvers<void>();
  const impatient = listen({
    shortRequests: createShortRequests(),
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 30,
    stalledMs: 20,
    answer: () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(CHUNK),
          cancel: () => left.resolve(),
        }),
        { headers: { 'Content-Length': String(1e15) } },
      ),
    failed: () => {},
    unsent: () => Response.error(),
  });
  const socket = connect(impatient.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.pause();
  socket.write('GET /exact HTTP/1.1\r\nHost: x\r\n\r\n');
  await left.promise;
  socket.destroy();
  await impatient.stop(true);
});

describe('slow requests', () => {
  /** Reads bodies for 20 ms at most, and closes idle connections after 1 s. */
  const strict = listen({
    shortRequests: createShortRequests(),
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 1,
    async answer(raw) {
      const req = { raw, header: (name: string) => raw.headers.get(name) ?? undefined };
      try {
        return new Response(await readBytes({ req } as unknown as Ctx, 1_000, 20));
      } catch (error) {
        return new Response(
          'too slow',
          error instanceof HttpProblem ? { status: 400, ...error } : { status: 500 },
        );
      }
    },
    discarded: { ms: 20, bytes: 1_000 },
    failed() {},
    unsent: () => Response.error(),
  });
  afterAll(() => strict.stop(true));

  /** Opens connections that send `first`, and `more` again and again; returns what they receive until their end. */
  async function sendSlowly(count: number, first: string, more: string): Promise<string[]> {
    const answers = Array.from({ length: count }, async () => {
      const socket = connect(strict.port, '127.0.0.1', () => socket.write(first));
      const trickle = setInterval(() => more && socket.write(more), 500);
      let answer = '';
      socket.on('error', () => {});
      socket.on('data', (data) => {
        answer += data;
      });
      await once(socket, 'close');
      clearInterval(trickle);
      return answer;
    });
    return await Promise.all(answers);
  }

  test('a head that does not end, or arrives byte by byte, ends the connection', async () => {
    const head = 'GET / HTTP/1.1\r\nHost: x\r\nX: ';
    const request = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n';
    const [first, second] = await Promise.all([
      Promise.all(['', 'x'].map((more) => sendSlowly(200, head, more))),
      Promise.all(['', 'x'].map((more) => sendSlowly(200, request + head, more))),
    ]);
    for (const answer of first.flat()) expect(answer).toBe('');
    for (const answer of second.flat()) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  }, 60_000);

  test.each([
    ['of announced length', 'Content-Length: 1000', 'x'],
    ['in chunks', 'Transfer-Encoding: chunked', '1\r\nx\r\n'],
  ])('a body %s that arrives byte by byte is refused, and ends the connection', async (_, framing, more) => {
    const head = `POST / HTTP/1.1\r\nHost: x\r\n${framing}\r\n\r\n`;
    for (const answer of await sendSlowly(200, head, more))
      expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*\r\nConnection: close\r\n[\s\S]*too slow/i);
  });
});
