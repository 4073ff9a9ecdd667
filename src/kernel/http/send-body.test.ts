import { expect, test } from 'bun:test';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { sendBody } from './send-body.ts';
import { createSendTurns } from './send-turns.ts';

const CHUNK = new Uint8Array(524_288);
const CHUNKS = 20;

/** A response to a client that takes all bytes at once. @param isFull whether it reports a full buffer meanwhile */
function fastClient(isFull: boolean) {
  let written = 0;
  const outgoing = Object.assign(new EventEmitter(), {
    destroyed: false,
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
    await sendBody(outgoing, response, {
      isHead: false,
      closes: false,
      unsent: () => Response.error(),
      stalledMs: 60_000,
      turns: createSendTurns(),
    });
    expect(written()).toBe(CHUNK.length * CHUNKS);
    expect(inTurns.length).toBeGreaterThan(5);
  },
);
