import { afterAll, describe, expect, test } from 'bun:test';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { listenHere } from '../../../../test/harness/listener.ts';
import { readBytes } from '../bodies/read-body.ts';
import type { Ctx } from '../context.ts';
import { HttpProblem } from '../problems/problems.ts';

test.each(['/', '/exact/1'])(
  'stop waits for the response to %s, but not for its idle connection',
  async (path) => {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<Response>();
    const stopping = listenHere({
      answer() {
        asked.resolve();
        return answer.promise;
      },
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

test('a client that reads no bytes of a stream is disconnected after a while', async () => {
  const left = Promise.withResolvers<void>();
  const impatient = listenHere({
    stalledMs: 20,
    answer: () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
          cancel: () => left.resolve(),
        }),
        { headers: { 'Content-Length': String(1e15) } },
      ),
  });
  const socket = connect(impatient.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.pause();
  socket.write('GET /exact HTTP/1.1\r\nHost: x\r\n\r\n');
  await left.promise;
  socket.destroy();
  await impatient.stop(true);
});

const LENGTH = 16_777_216;

test('when unread responses fill the memory, the client that waits longest is disconnected', async () => {
  const body = 'x'.repeat(LENGTH);
  const full = listenHere({ sendMemoryBytes: 3 * LENGTH, answer: () => new Response(body) });
  const sockets: Socket[] = [];
  for (let count = 0; count < 8; count++) {
    const socket = connect(full.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'readable');
    sockets.push(socket);
  }
  expect(await received(sockets.at(-1))).toBeGreaterThan(body.length);
  expect(await received(sockets[0])).toBeLessThan(body.length);
  for (const socket of sockets) socket.destroy();
  await full.stop(true);
});

/** Returns how many bytes arrive until the connection is closed, or a response is complete. */
async function received(socket: Socket | undefined): Promise<number> {
  let bytes = 0;
  for await (const chunk of socket ?? []) {
    bytes += chunk.length;
    if (bytes > LENGTH) break;
  }
  return bytes;
}

describe('slow requests', () => {
  /**
   * Reads bodies for 20 ms at most. Bun looks for idle connections every 4 s: with a shorter time, it would close new
   * ones before their first request.
   */
  const strict = listenHere({
    idleTimeout: 5,
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
    discardLimits: { ms: 20, bytes: 1_000 },
  });
  afterAll(() => strict.stop(true));

  /**
   * Opens connections that send `first`, and `more` again and again; returns the bytes that they receive until their
   * end.
   */
  async function sendSlowly(count: number, first: string, more: string): Promise<string[]> {
    const answers = Array.from({ length: count }, async () => {
      const socket = connect(strict.port, '127.0.0.1', () => socket.write(first));
      const trickle = setInterval(() => more && socket.write(more), 500);
      let answer = '';
      socket.on('error', () => {});
      socket.on('data', (data) => {
        answer += data;
      });
      // `once` would reject when bytes sent after the response reset the connection.
      await new Promise((resolve) => socket.once('close', resolve));
      clearInterval(trickle);
      return answer;
    });
    return await Promise.all(answers);
  }

  test.concurrent('a response that takes longer than idle connections stay open arrives', async () => {
    const [working, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const busy = listenHere({
      idleTimeout: 5,
      async answer() {
        working.resolve();
        await answer.promise;
        return new Response('at last');
      },
    });
    const send = (head: string) => {
      const socket = connect(busy.port, '127.0.0.1', () => socket.write(`${head}\r\n\r\n`));
      return socket.on('error', () => {}).setEncoding('utf8');
    };
    const whole = ['GET / HTTP/1.1\r\nHost: x', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0'].map(send);
    await working.promise;
    // Its body does not end.
    const silent = send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9').resume();
    await once(silent, 'close');
    answer.resolve();
    for (const socket of whole) {
      expect((await once(socket, 'data'))[0]).toStartWith('HTTP/1.1 200 ');
      socket.destroy();
    }
    await busy.stop(true);
  }, 60_000);

  const head = 'GET / HTTP/1.1\r\nHost: x\r\nX: ';
  const request = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n';

  test.concurrent('a head that does not end, or arrives byte by byte, ends the connection', async () => {
    const [first, second] = await Promise.all([
      Promise.all(['', 'x'].map((more) => sendSlowly(200, head, more))),
      Promise.all(['', 'x'].map((more) => sendSlowly(200, request + head, more))),
    ]);
    for (const answer of first.flat()) expect(answer).toBe('');
    for (const answer of second.flat()) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  }, 60_000);

  test.concurrent('the idle timeout limits the heads after the first one, for which Bun has a limit', async () => {
    const patient = listenHere({ idleTimeout: 240, answer: () => new Response('patient') });
    // Sent before those to the other listener, which has a shorter timeout.
    const long = [request, ''].map((before) => {
      const socket = connect(patient.port, '127.0.0.1').setEncoding('utf8');
      socket.on('error', () => {});
      socket.write(before + head);
      return socket;
    });
    const [after, alone] = long;
    await Promise.all([request, ''].map((before) => sendSlowly(1, before + head, '')));
    let unanswered = '';
    for await (const text of alone ?? []) unanswered += text;
    expect(unanswered).toBe('');
    after?.write('\r\nConnection: close\r\n\r\n');
    let answers = '';
    for await (const text of after ?? []) answers += text;
    expect(answers.match(/\r\n\r\npatient/g)).toHaveLength(2);
    await patient.stop(true);
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

test('an upload that arrives byte by byte ends, and not one that its reader delays', async () => {
  const read = Promise.withResolvers<void>();
  const trickled = Promise.withResolvers<string>();
  const slow = listenHere({
    paceMs: 20,
    async answer(request) {
      if (request.url.endsWith('/delayed')) await read.promise;
      const outcome = await request.bytes().then(({ length }) => String(length), String);
      if (request.url.endsWith('/trickled')) trickled.resolve(outcome);
      return new Response(outcome);
    },
  });
  const send = (path: string, body: string) => {
    const socket = connect(slow.port, '127.0.0.1').setEncoding('utf8');
    // Its bytes can arrive after the connection was closed.
    socket.on('error', () => {});
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n${body}`);
    return socket;
  };
  const delayed = send('/delayed', 'x'.repeat(300_000));
  const trickling = send('/trickled', 'x').resume();
  const closed = new Promise((resolve) => trickling.once('close', resolve));
  const trickle = setInterval(() => trickling.write('x'), 5);
  expect(await trickled.promise).toContain('AbortError');
  await closed;
  clearInterval(trickle);
  read.resolve();
  expect((await once(delayed, 'data'))[0]).toEndWith('300000');
  delayed.destroy();
  await slow.stop(true);
});
