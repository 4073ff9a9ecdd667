import { describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase } from '../../../test/harness/database.ts';
import { MINUTE } from '../clock.ts';
import { Problem } from '../http/problem.ts';
import { createAttempts } from './attempts.ts';

describe.each(DATABASES)('wrong attempts on %s', (kind) => {
  const setUp = async () => {
    const database = await freshDatabase(kind);
    const clock = { at: 1_800_000_000_000, now: () => clock.at };
    return { database, clock, attempts: createAttempts({ database, clock }) };
  };
  const here = { scope: 'file:1:address', limit: 3, windowMs: 15 * MINUTE };
  const everywhere = { scope: 'file:1', limit: 5, windowMs: 15 * MINUTE };
  const refusal = async (check: Promise<void>) =>
    await check.then(
      () => null,
      (error: unknown) => (error instanceof Problem ? [error.code, error.headers['Retry-After']] : error),
    );

  test('are allowed until the limit, then refused until the window that began with the first ends', async () => {
    const { attempts, clock } = await setUp();
    for (let i = 0; i < 3; i++) {
      expect(await refusal(attempts.check([here, everywhere]))).toBeNull();
      await attempts.fail([here, everywhere]);
      clock.at += MINUTE;
    }
    expect(await refusal(attempts.check([here, everywhere]))).toEqual(['too_many_attempts', String(12 * 60)]);
    clock.at += 12 * MINUTE - 1;
    expect(await refusal(attempts.check([here]))).toEqual(['too_many_attempts', '1']);
    clock.at += 1;
    expect(await refusal(attempts.check([here, everywhere]))).toBeNull();
    await attempts.fail([here]);
    expect(await refusal(attempts.check([here]))).toBeNull();
  });

  test('count from everywhere together', async () => {
    const { attempts } = await setUp();
    for (let i = 0; i < 5; i++) await attempts.fail([{ ...here, scope: `file:1:address ${i}` }, everywhere]);
    expect(await refusal(attempts.check([{ ...here, scope: 'file:1:new' }, everywhere]))).toEqual(['too_many_attempts', '900']);
    expect(await refusal(attempts.check([{ ...here, scope: 'file:2:new' }]))).toBeNull();
  });

  test('made at once are all counted', async () => {
    const { attempts, database } = await setUp();
    await Promise.all(Array.from({ length: 20 }, () => attempts.fail([everywhere, here])));
    const rows = await database.read.selectFrom('attempts').select(['scope', 'count']).orderBy('scope').execute();
    expect(rows).toEqual([
      { scope: 'file:1', count: 20 },
      { scope: 'file:1:address', count: 20 },
    ]);
  });

  test('are forgotten by prefix, taken literally', async () => {
    const { attempts, database } = await setUp();
    for (const scope of ['file:1', 'file:1:a', 'file:10', 'file_1', 'fileX1', 'file%1', 'file\\1', 'FILE:1'])
      await attempts.fail([{ ...here, scope }]);
    const left = async () => (await database.read.selectFrom('attempts').select('scope').execute()).map(({ scope }) => scope).sort();
    await database.transaction((trx) => attempts.clear(trx, 'file:1:'));
    expect(await left()).not.toContain('file:1:a');
    expect(await left()).toHaveLength(7);
    for (const prefix of ['file_', 'file%', 'file\\']) await database.transaction((trx) => attempts.clear(trx, prefix));
    expect(await left()).toEqual(['FILE:1', 'file:1', 'file:10', 'fileX1']);
  });

  test('that have run out are swept away', async () => {
    const { attempts, clock, database } = await setUp();
    await attempts.fail([here]);
    clock.at += 10 * MINUTE;
    await attempts.fail([everywhere]);
    clock.at += 5 * MINUTE;
    await attempts.sweep();
    expect(await database.read.selectFrom('attempts').select('scope').execute()).toEqual([{ scope: 'file:1' }]);
  });
});
