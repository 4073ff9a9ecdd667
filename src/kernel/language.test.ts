import { expect, test } from 'bun:test';
import { preferredLanguage } from './language.ts';

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['en-GB,de;q=0.9', 'en'],
  ['fr,de;q=0.7,en;q=0.3', 'de'],
  ['en;q=0.3, DE-ch;q=0.7', 'de'],
  ['de;q=0, en', 'en'],
  ['fr, *;q=0.5', 'en'],
  ['deutsch', 'en'],
])('Accept-Language %p prefers %s', (header, language) => {
  expect(preferredLanguage(header)).toBe(language as 'en');
});
