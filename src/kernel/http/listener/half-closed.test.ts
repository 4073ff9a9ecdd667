import { afterAll, expect, test } from 'bun:test';
import { once } from 'node:events';
import { connect } from 'node:net';
import { listenHere } from '../../../../test/harness/listener.ts';

const LENGTH = 20_000_000;
const WORDS = new TextEncoder().encode('words');

let begun = Promise.withResolvers<void>();
let released = Promise.withResolvers<void>();
const failed = Promise.withResolvers<unknown>();
let events: ReadableStreamDefaultController<Uint8Array> | undefined;
let hasLeft = false;

const listener = listenHere({
  async answer(request) {
    const { pathname } = new URL(request.url);
    if (pathname === '/events')
      return new Response(
        new ReadableStream({
          start(controller) {
            events = controller;
            controller.enqueue(WORDS);
          },
          cancel() {
            hasLeft = true;
          },
        }),
        { headers: { 'Content-Type': 'text/event-stream' } },
      );
    const body = await request.bytes().catch((error) => {
      failed.resolve(error);
      return null;
    });
    begun.resolve();
    if (pathname === '/late') await released.promise;
    return new Response(pathname === '/long' ? new Uint8Array(LENGTH) : body);
  },
});
afterAll(() => listener.stop(true));

const head = (line: string, length = 0) => `${line} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;

/** Sends a request and the end of this side of the connection. */
function sendWithEnd(request: string) {
  const socket = connect({ host: '127.0.0.1', port: listener.port, allowHalfOpen: true });
  socket.on('error', () => {});
  socket.end(request);
  return socket;
}

test.each([
  ['a response', head('GET /'), 'HTTP/1.1 200 OK', 0],
  ['the response to a body', `${head('POST /', 5)}words`, /\r\n\r\nwords$/, 5],
  ['a late response', `${head('POST /late', 5)}words`, /\r\n\r\nwords$/, 5],
  ['a long response', head('GET /long'), 'HTTP/1.1 200 OK', LENGTH],
  ['all responses', head('GET /') + head('GET /late') + head('GET /'), /^(HTTP\/1\.1 200 OK[\s\S]*){3}$/, 0],
])(
  'a client that sends nothing further receives %s, and the connection is closed',
  async (_, request, start, bytes) => {
    [begun, released] = [Promise.withResolvers(), Promise.withResolvers()];
    const socket = sendWithEnd(request);
    await begun.promise;
    // Meanwhile the server has received the end.
    for (let count = 0; count < 3; count++) await (await fetch(`http://127.0.0.1:${listener.port}`)).text();
    released.resolve();
    const chunks = await Array.fromAsync(socket);
    const answer = Buffer.concat(chunks).toString('latin1');
    expect(answer.slice(0, 1_000)).toMatch(start);
    expect(answer.length).toBeGreaterThan(bytes);
  },
);

test('a body that is cut off ends its request', async () => {
  const socket = sendWithEnd(`${head('POST /', 30)}words`).resume();
  await once(socket, 'close');
  expect(await failed.promise).toBeInstanceOf(Error);
});

test('a client that has left is detected when bytes are sent to it', async () => {
  const socket = connect(listener.port, '127.0.0.1');
  socket.write(head('GET /events'));
  await once(socket, 'data');
  socket.destroy();
  while (!hasLeft) {
    events?.enqueue(WORDS);
    await new Promise((resolve) => setImmediate(resolve));
  }
});
