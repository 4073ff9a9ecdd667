import { expect, test } from 'bun:test';
import { singleBytes } from '../../../../test/harness/single-bytes.ts';
import type { Ctx } from '../../../kernel/http/context.ts';
import { createBodyReceiver } from './receive.ts';

test('at most one small chunk is received in a turn of the event loop', async () => {
  const { body, read } = singleBytes(100);
  const context = { req: { header: () => undefined, raw: { body } }, env: { address: '192.0.2.1' } };
  const receiving = createBodyReceiver()(context as unknown as Ctx);
  await new Promise((resolve) => setImmediate(resolve));
  expect(read()).toBeLessThan(5);
  const { size, release } = await receiving;
  expect(size).toBe(100);
  release();
});
