import { expect, test } from 'bun:test';
import { fc } from '../../../test/harness/properties.ts';
import { checkReturnTo } from './return-to.ts';

const longest = `/${'a'.repeat(1_999)}`;

test.each([
  [undefined, '/'],
  [longest, longest],
  ['', '/'],
  ['/files', '/files'],
  ['/files/../account?a=b#c', '/account?a=b#c'],
  ['/search?q=http://else.example//', '/search?q=http://else.example//'],
  ['/Öl', '/%C3%96l'],
])('%p leads to %p', (given, path) => {
  expect(checkReturnTo(given)).toBe(path);
});

test.each([
  '//else.example',
  '/\\else.example',
  '/\t/else.example',
  '/\n/else.example',
  '\t//else.example',
  '/.//else.example',
  '/a/..//else.example',
  '/%2e//else.example',
  'else.example',
  'path/of/the/page',
  'https://else.example/',
  'javascript:alert(1)',
  '\\\\else.example',
  '/a\\b',
  `/${'a'.repeat(2_000)}`,
])('%p is refused', (given) => {
  expect(() => checkReturnTo(given)).toThrow('returnTo');
});

test('every accepted path stays on the server', () => {
  const pieces = fc.array(
    fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '%2f',
      '%2e',
      '%5c',
      '\t',
      '\n',
      '@',
      ':',
      '?',
      '#',
      'else.example',
      'http',
      ' ',
    ),
  );
  fc.assert(
    fc.property(pieces, (parts) => {
      try {
        const path = checkReturnTo(`/${parts.join('')}`);
        expect(new URL(path, 'https://posthouse.example').origin).toBe('https://posthouse.example');
      } catch (error) {
        expect(String(error)).toContain('returnTo');
      }
    }),
    { numRuns: 2_000 },
  );
});
