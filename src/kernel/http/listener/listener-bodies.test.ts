import { afterAll, describe, expect, mock, test } from 'bun:test';
import { once } from 'node:events';
import { connect } from 'node:net';
import { listenHere, sendFirst } from '../../../../test/harness/listener.ts';

const CHUNK = new Uint8Array(65_536).fill(97);
const failures: unknown[] = [];

const listener = listenHere({
  async answer(request) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/file') return new Response(Bun.file(import.meta.path));
    if (pathname !== '/exact/1') return new Response('no', { status: 404 });
    if (searchParams.has('empty')) return new Response(null, { status: 204 });
    if (searchParams.has('pieces')) return new Response(await describePieces(request));
    if (request.method === 'POST') return new Response(String((await request.bytes()).length));
    return new Response('no', { status: 403 });
  },
  discardLimits: { ms: 10_000, bytes: 16_000_000 },
  failed: (error) => failures.push(error),
});
const base = `http://127.0.0.1:${listener.port}`;
afterAll(() => listener.stop(true));

/** Returns the number of bytes in a body, and whether most are read in pieces of several. */
async function describePieces({ body }: Request): Promise<string> {
  let [bytes, pieces] = [0, 0];
  for await (const piece of body ?? []) {
    bytes += piece.length;
    pieces++;
  }
  return `${bytes} ${pieces < bytes / 2}`;
}

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

test('an unknown expectation is ignored, and the body is read within the limits of others', async () => {
  const head = 'POST /exact/1 HTTP/1.1\r\nHost: x\r\nExpect: x\r\n';
  const whole = `${head}Content-Length: 5\r\nConnection: close\r\n\r\nwords`;
  expect(await sendFirst(listener, Buffer.from(whole))).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\n5$/);
  const chunks = '1\r\na\r\n'.repeat(1_000_000);
  const socket = connect(listener.port, '127.0.0.1').resume();
  socket.on('error', () => {});
  socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n${chunks}`);
  // `once` would reject when the connection is reset.
  await new Promise((resolve) => socket.once('close', resolve));
});

test('small chunks of a body are read together', async () => {
  const head = 'POST /exact/1?pieces HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n';
  const chunks = `${'1\r\na\r\n'.repeat(10_000)}800\r\n${'b'.repeat(2_048)}\r\n1\r\nc\r\n0\r\n\r\n`;
  const answer = await sendFirst(listener, Buffer.from(`${head}\r\n${chunks}`));
  expect(answer).toEndWith('\r\n\r\n12049 true');
});

test('short JSON bodies do not wait for the turns of files', async () => {
  const areRecent = mock(() => true);
  const busy = listenHere({
    answer: async (request) => new Response(await request.text()),
    shortRequests: { record() {}, areRecent, areMany: () => true },
  });
  const post = async (type: string) => {
    const options = { method: 'POST', body: '{}', headers: { 'Content-Type': type } };
    return await (await fetch(`http://127.0.0.1:${busy.port}`, options)).text();
  };
  expect(await post('application/json; charset=utf-8')).toBe('{}');
  expect(areRecent).not.toHaveBeenCalled();
  expect(await post('application/octet-stream')).toBe('{}');
  expect(areRecent).toHaveBeenCalled();
  await busy.stop(true);
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
    'reaches a client that reads it only after sending (%s, Connection: %s)',
    async (framing, connection) => {
      const head = `PUT ${path} HTTP/1.1\r\nHost: x\r\n${framing}\r\nConnection: ${connection}\r\n\r\n`;
      const body = Buffer.alloc(8_000_000, 97);
      const chunked = [Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')];
      const answer = await sendFirst(
        listener,
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
      // In turns with reading, since the reset of the connection would discard a response that is not yet read.
      if (socket.write(CHUNK)) setImmediate(send);
    };
    socket.on('drain', send);
    socket.write(`PUT ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000000\r\n\r\n`);
    send();
    await ended;
    expect(answer).toMatch(/^HTTP\/1\.1 40[34] [\s\S]*\r\nConnection: close\r\n/i);
    // The bytes that are discarded, and those in the buffers of the system and of both sides.
    expect(sent).toBeLessThan(100_000_000);
  });
});

test.each(['http://[', 'http://a:b/Ping'])('a target that is not a URL (%s) is not found', async (target) => {
  const before = failures.length;
  for (const body of ['', 'words']) {
    const head = `POST ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`;
    expect(await sendFirst(listener, Buffer.from(head + body))).toStartWith('HTTP/1.1 404 ');
  }
  expect(failures).toHaveLength(before);
});

test('the body of a GET or HEAD is discarded, within the limits of others', async () => {
  const body = Buffer.alloc(8_000_000, 97);
  for (const method of ['GET', 'HEAD']) {
    const head = `${method} /file HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`;
    expect(await sendFirst(listener, Buffer.concat([Buffer.from(head), body]))).toMatch(
      /^HTTP\/1\.1 200 [\s\S]*\r\nConnection: close\r\n/i,
    );
    const short = `${method} /file HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nwords`;
    const last = 'GET /not-found HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    expect(await sendFirst(listener, Buffer.from(short + last))).toMatch(
      /^HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 404 /,
    );
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
  const answers = await sendFirst(listener, Buffer.from(request + last));
  expect(answers.match(/HTTP\/1\.1 403 /g)).toHaveLength(2);
});
