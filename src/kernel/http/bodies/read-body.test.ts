import { expect, test } from 'bun:test';
import { Problem } from '../../problem.ts';
import { parseJson } from './read-body.ts';

const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const parse = (text: string) => parseJson(Buffer.from(text));

function refusal(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    return error instanceof Problem ? error.fields : error;
  }
}

test.each([lists(101), '{"a":'.repeat(101), `[${'"\\"[",'.repeat(200)}${lists(100)}]`])(
  'JSON that is nested deeper than 100 is refused before it is parsed',
  (text) => {
    expect(refusal(text)).toEqual([{ path: 'body', message: 'must not be nested deeper than 100' }]);
  },
);

test.each([
  lists(100),
  `[${'[],'.repeat(1_000)}{}]`,
  JSON.stringify(['['.repeat(1_000), `\\${'['.repeat(1_000)}`, '"{'.repeat(1_000), '\\']),
])('brackets beside each other and in strings do not count', (text) => {
  expect(parse(text)).toEqual(JSON.parse(text));
});
