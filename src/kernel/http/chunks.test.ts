import { expect, test } from 'bun:test';
import { singleBytes } from '../../../test/harness/single-bytes.ts';
import { readBytes } from './body.ts';
import { letChunksGather } from './chunks.ts';
import type { Ctx } from './context.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a small chunk is the only one that is read in a turn of the event loop', async () => {
  const { body, read } = singleBytes(100);
  const working = readBytes(contextOf(body), 1_000);
  await turn();
  expect(read()).toBeLessThan(5);
  await working;
  expect(read()).toBe(101);
});

function contextOf(body: ReadableStream<Uint8Array>): Ctx {
  return { req: { header: () => undefined, raw: { body } } } as unknown as Ctx;
}

test('Bun gathers the chunks that arrive meanwhile', async () => {
  using server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch({ body }) {
      let [bytes, pieces] = [0, 0];
      for await (const piece of body ?? []) {
        bytes += piece.length;
        pieces++;
        await letChunksGather(piece);
      }
      return new Response(`${bytes} ${pieces < bytes / 2}`);
    },
  });
  const { promise, resolve } = Promise.withResolvers<string>();
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n';
  let answer = '';
  await Bun.connect({
    hostname: '127.0.0.1',
    port: server.port ?? 0,
    socket: {
      open: (socket) => void socket.write(`${head}${'1\r\na\r\n'.repeat(2_000)}0\r\n\r\n`),
      data: (_, bytes) => {
        answer += bytes.toString();
      },
      close: () => resolve(answer),
    },
  });
  expect(await promise).toEndWith('\r\n\r\n2000 true');
});
