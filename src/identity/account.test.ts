import { expect, test } from 'bun:test';
import { normalizeEmail } from './account.ts';

test('an address is composed, in lower case', () => {
  expect(normalizeEmail(' U\u0308nal@Example.org ')).toBe('\u00fcnal@example.org');
});

test('100,000 accents on a letter take no time', () => {
  const started = performance.now();
  normalizeEmail(`a${'\u0301\u0323'.repeat(50_000)}@example.org`);
  expect(performance.now() - started).toBeLessThan(500);
});
