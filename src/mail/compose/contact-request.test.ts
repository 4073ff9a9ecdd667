import { expect, test } from 'bun:test';
import { contactRequestSchema } from './contact-request.ts';

const isAccepted = (values: Record<string, unknown>) =>
  contactRequestSchema.safeParse({ Email: 'ada@example.org', Message: 'x', Fields: values }).success;

test.each([{ 'a\0': 'x' }, { a: '\0' }, { a: ['x', { b: '\\\0' }] }])(
  'fields with the character U+0000 are refused: %j',
  (values) => {
    expect(isAccepted(values)).toBe(false);
  },
);

test.each([
  { a: '\\u0000' },
  { a: '\\\\u0000' },
  { a: `${'\\'.repeat(9)}u0000` },
  { 'u0000\\': '\u0001' },
  {},
])('fields without the character U+0000 are accepted: %j', (values) => {
  expect(isAccepted(values)).toBe(true);
});
