import { expect, test } from 'bun:test';
import { z } from '@hono/zod-openapi';
import { fieldReader, unrestricted } from './fields.ts';

test('the first hundred unknown fields of a body are noted, since it may have millions', () => {
  const read = fieldReader(z.object({ name: z.string() }));
  const notes = unrestricted();
  const body = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`f${index}`, index]));
  expect(read({ ...body, Name: 'Ada' }, notes)).toEqual({ name: 'Ada' });
  expect([notes.unknown.length, notes.unknown[0], notes.unknown.at(-1)]).toEqual([100, 'f0', 'f99']);
});
