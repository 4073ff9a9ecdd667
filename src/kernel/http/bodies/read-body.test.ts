import { expect, test } from 'bun:test';
import { createTimeSlices } from '../../event-loop/time-slices.ts';
import { Problem } from '../../problem.ts';
import type { Ctx } from '../context.ts';
import { MAX_NAMES, parseJson, readJsonValue } from './read-body.ts';

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

const names = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [n, ':'])));

test('JSON with too many names is refused before it is parsed', () => {
  expect(Object.keys(parse(names(MAX_NAMES)) as object)).toHaveLength(MAX_NAMES);
  expect(refusal(names(MAX_NAMES + 1))).toEqual([
    { path: 'body', message: `must have at most ${MAX_NAMES} names in its objects` },
  ]);
});

test('large bodies that arrive together are parsed in different rounds of the event loop', async () => {
  const body = new Request('http://localhost', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Content-Length': '70002' },
    body: `"${'x'.repeat(70_000)}"`,
  });
  const giveWay = createTimeSlices();
  const request = () => {
    const raw = body.clone();
    const req = { raw, header: (name: string) => raw.headers.get(name) ?? undefined };
    return { req, env: { giveWay } } as unknown as Ctx;
  };
  const rounds: number[] = [];
  let round = 0;
  const count = () => {
    round++;
    if (rounds.length < 3) setImmediate(count);
  };
  count();
  await Promise.all(
    [1, 2, 3].map(async () => {
      await readJsonValue(request());
      rounds.push(round);
    }),
  );
  expect(new Set(rounds).size).toBe(3);
});
