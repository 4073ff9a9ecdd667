import { expect, test } from 'bun:test';
import { isTextType } from './text-type.ts';

test.each([
  'text/plain',
  'application/json',
  'application/toml',
  'application/sql',
  'image/svg+xml',
  'application/geo+json',
  'application/x-sh',
])('%s is text', (type) => {
  expect(isTextType(type)).toBe(true);
});

test.each([
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/x-shockwave-flash',
  'application/pdf',
  'image/png',
  'application/json-seq',
])('%s is not text', (type) => {
  expect(isTextType(type)).toBe(false);
});
