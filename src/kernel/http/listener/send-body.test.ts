import { expect, test } from 'bun:test';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { ContentResponse } from '../content/content-response.ts';
import { sendBody } from './send-body.ts';
import { createSendMemory } from './send-memory.ts';
import { createSendTurns } from './send-turns.ts';

const CHUNK = new Uint8Array(524_288);
const CHUNKS = 20;

/** A response to a client that reads all bytes at once. @param isFull whether it reports a full buffer meanwhile */
function fastClient(isFull: boolean) {
  let written = 0;
  const outgoing = Object.assign(new EventEmitter(), {
    destroyed: false,
    writableLength: 0,
    writeHead() {},
    flushHeaders() {},
    write({ length }: Uint8Array) {
      written += length;
      if (isFull) queueMicrotask(() => outgoing.emit('drain'));
      return !isFull;
    },
  });
  return { outgoing: outgoing as unknown as ServerResponse, written: () => written };
}

const sending = ({ memory = createSendMemory() } = {}) => ({
  isHead: false,
  closes: false,
  unsent: () => Response.error(),
  pace: { stalledMs: 60_000, turns: createSendTurns(), memory },
});

test.each([true, false])(
  'a long response to a fast client leaves turns of the event loop to others (full: %p)',
  async (isFull) => {
    const { outgoing, written } = fastClient(isFull);
    let left = CHUNKS;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => (left-- > 0 ? controller.enqueue(CHUNK) : controller.close()),
    });
    const response = new Response(body, { headers: { 'Content-Length': String(CHUNK.length * CHUNKS) } });
    const inTurns: number[] = [];
    const nextTurn = () => {
      inTurns.push(written());
      if (written() < CHUNK.length * CHUNKS) setImmediate(nextTurn);
    };
    setImmediate(nextTurn);
    await sendBody(outgoing, response, sending());
    expect(written()).toBe(CHUNK.length * CHUNKS);
    expect(inTurns.length).toBeGreaterThan(5);
  },
);

test('the first chunk of a long response is sent before the second is read', async () => {
  const { outgoing, written } = fastClient(false);
  const { promise: turn, resolve } = Promise.withResolvers<void>();
  const events: string[] = [];
  async function* chunks() {
    setImmediate(() => {
      events.push(`turn after ${written()} bytes`);
      resolve();
    });
    yield CHUNK;
    events.push('second chunk');
    yield CHUNK;
  }
  const response = new ContentResponse(chunks(), { headers: { 'content-length': '1048576' } });
  await Promise.all([sendBody(outgoing, response, sending()), turn]);
  expect(events).toEqual([`turn after ${CHUNK.length} bytes`, 'second chunk']);
});

test('bytes of a long response that the client has not read yet are counted', async () => {
  const { outgoing } = fastClient(true);
  let counted = 0;
  const response = new Response(new Blob([CHUNK]).stream(), {
    headers: { 'Content-Length': String(CHUNK.length) },
  });
  await sendBody(outgoing, response, sending({ memory: { written: () => void counted++ } }));
  expect(counted).toBeGreaterThan(0);
});

test.each([
  ['content in memory', () => new ContentResponse(CHUNK.subarray(0, 5), { headers: {} }), 5],
  ['a text', () => Response.json('three'), 7],
  ['nothing', () => new Response(null), 0],
])('the bytes of %s are returned in the same turn', (_, respond, length) => {
  const { outgoing } = fastClient(false);
  expect(sendBody(outgoing, respond(), sending())).toHaveProperty('length', length);
});
