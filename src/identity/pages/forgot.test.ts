import { expect, test } from 'bun:test';
import { requestedPage } from './forgot.ts';

test.each([
  ['en', 'the address ada@example.org,'],
  ['de', 'der Adresse ada@example.org gibt,'],
] as const)('the address is a word of the sentence in %p', async (language, part) => {
  const html = await (await requestedPage(language, 'ada@example.org', true)).text();
  expect(html.replace(/<[^>]+>/g, '')).toContain(part);
});
