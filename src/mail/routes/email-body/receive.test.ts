import { expect, jest, test } from 'bun:test';
import { MB } from '../../../kernel/bytes.ts';
import type { Ctx } from '../../../kernel/http/context.ts';
import { createBodyReceiver } from './receive.ts';

/** All bodies consist of this chunk, so that they take no memory. */
const CHUNK = new Uint8Array(MB);

/** @param ends false = the client sends nothing more, and keeps the connection */
function requestFrom(address: string, megabytes: number, ends = true): Ctx {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let count = 0; count < megabytes; count++) controller.enqueue(CHUNK);
      if (ends) controller.close();
    },
  });
  return { env: { address }, req: { header: () => undefined, raw: { body } } } as unknown as Ctx;
}

test('the bytes of large bodies in memory are limited for each address, and for all together', async () => {
  const receive = createBodyReceiver(8 * 36 * MB);
  const held = (address: string) => receive(requestFrom(address, 36));
  const codeOfOneMore = (address: string) =>
    receive(requestFrom(address, 1)).then(
      () => null,
      ({ code }) => String(code),
    );
  const first = await held('192.0.2.1');
  for (let count = 1; count < 4; count++) await held('192.0.2.1');
  expect(await codeOfOneMore('192.0.2.1')).toBe('rate_limited');
  for (let count = 0; count < 4; count++) await held('192.0.2.2');
  expect(await codeOfOneMore('192.0.2.3')).toBe('rate_limited');
  first.release();
  // Neither a released body nor a refused one counts.
  expect((await held('192.0.2.3')).size).toBe(36 * MB);
});

test('a body that stops arriving is refused', async () => {
  jest.useFakeTimers();
  try {
    const stopped = createBodyReceiver()(requestFrom('192.0.2.1', 1, false));
    const refused = stopped.catch(({ code }) => String(code));
    jest.advanceTimersByTime(10_000);
    expect(await refused).toBe('invalid_request');
  } finally {
    jest.useRealTimers();
  }
});
