import { expect, test } from 'bun:test';
import { normalizeEmail } from './account.ts';

test('an address is normalized, in lower case', () => {
  expect(normalizeEmail(' U\u0308nal@Example.org ')).toBe('\u00fcnal@example.org');
});

test('a text that is too long for an address is not normalized', () => {
  const text = `a${'\u0301\u0323'.repeat(50_000)}@example.org`;
  expect(normalizeEmail(text)).toBe(text);
});
