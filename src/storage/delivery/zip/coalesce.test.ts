import { expect, test } from 'bun:test';
import { coalesce } from './coalesce.ts';

test('small chunks in one buffer are copied before the next is requested', async () => {
  async function* chunks() {
    const buffer = Buffer.alloc(4);
    for (const text of ['abc', 'd', 'efgh', 'i']) yield buffer.subarray(0, buffer.write(text));
  }
  const merged = await Array.fromAsync(coalesce(chunks(), 4), (chunk) => Buffer.from(chunk).toString());
  expect(merged).toEqual(['abcd', 'efgh', 'i']);
});
