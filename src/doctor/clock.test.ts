import { expect, test } from 'bun:test';
import { CheckFailed } from './check.ts';
import { checkClock } from './clock.ts';

for (const [aheadMs, words] of [
  [120_000, 'This machine is 120.0 s ahead of the database'],
  [-1_001, 'This machine is 1.0 s behind the database'],
] as const)
  test(`a clock that differs by ${aheadMs} ms is reported`, async () => {
    const failed = await checkClock({ aheadMs, uncertaintyMs: 1 }).catch((error) => error);
    expect(failed).toBeInstanceOf(CheckFailed);
    expect(failed.message).toContain(words);
  });

test('a clock that differs by a second is accepted', async () =>
  expect(await checkClock({ aheadMs: -1_000, uncertaintyMs: 1 })).toBe('Within 1000 ms of the database.'));
