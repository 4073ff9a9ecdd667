import { expect, test } from 'bun:test';
import { fc } from '../../../../test/harness/properties.ts';
import { contentDisposition } from './disposition.ts';

test.each([
  ['report.pdf', `attachment; filename="report.pdf"; filename*=UTF-8''report.pdf`],
  ['naïve plan.txt', `attachment; filename="na_ve plan.txt"; filename*=UTF-8''na%C3%AFve%20plan.txt`],
  ['日本.txt', `attachment; filename="__.txt"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.txt`],
  ['a"b\\c%41.txt', `attachment; filename="a_b_c_41.txt"; filename*=UTF-8''a%22b%5Cc%2541.txt`],
  ["it's (1)*.txt", `attachment; filename="it's (1)*.txt"; filename*=UTF-8''it%27s%20%281%29%2A.txt`],
])('%p', (name, header) => {
  expect(contentDisposition('attachment', name)).toBe(header);
});

test('any name is preserved, and none of its characters ends the parameter', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }), (name) => {
      const header = contentDisposition('inline', name);
      const [, fallback, encoded] =
        /^inline; filename="([\x20-\x7e]*)"; filename\*=UTF-8''([\w!#$&+.^`|~%-]*)$/.exec(header) ?? [];
      expect(decodeURIComponent(encoded ?? '')).toBe(name.toWellFormed());
      expect(fallback).not.toMatch(/["\\%]/);
    }),
    { numRuns: 1_000 },
  );
});
