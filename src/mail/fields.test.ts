import { expect, test } from 'bun:test';
import { jsonObject, optionalJsonObject } from './fields.ts';

const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as object;

test('a JSON object is kept unchanged', () => {
  const value = JSON.parse('{"__proto__": {"a": 1}, "list": [1, {"b": null}]}') as object;
  expect(jsonObject.parse(value)).toBe(value as Record<string, unknown>);
  expect(optionalJsonObject.parse(undefined)).toEqual({});
});

test('a JSON object has at most 50 levels', () => {
  expect(jsonObject.safeParse(nested(50)).success).toBe(true);
  expect(jsonObject.safeParse(nested(51)).success).toBe(false);
});

for (const value of [null, [], 'text', 1])
  test(`${JSON.stringify(value)} is not a JSON object`, () =>
    expect(jsonObject.safeParse(value).error?.issues[0]?.message).toBe('must be an object'));
