import { describe, expect, test } from 'bun:test';
import { DATABASES, emptyDatabase, withClock } from '../../../test/harness/database.ts';
import { MINUTE } from '../clock.ts';
import { Problem } from '../problem.ts';
import { createAttempts } from './attempts.ts';

describe.each(DATABASES)('wrong attempts on %s', (kind) => {
  const setUp = async () => {
    const clock = { at: 1_800_000_000_000, now: () => clock.at };
    const database = withClock(await emptyDatabase(kind), clock);
    return { database, clock, attempts: createAttempts({ database }) };
  };
  const here = { scope: 'file:1:address', limit: 3, windowMs: 15 * MINUTE };
  const everywhere = { scope: 'file:1', limit: 5, windowMs: 15 * MINUTE };
  const refusal = async (check: Promise<void>) =>
    await check.then(
      () => null,
      (error: unknown) => (error instanceof Problem ? [error.code, error.retryAfterMs] : error),
    );

  test('are allowed up to the limit, then rejected until the window ends', async () => {
    const { attempts, clock } = await setUp();
    for (let i = 0; i < 3; i++) {
      expect(await refusal(attempts.check([here, everywhere]))).toBeNull();
      await attempts.fail([here, everywhere]);
      clock.at += MINUTE;
    }
    expect(await refusal(attempts.check([here, everywhere]))).toEqual(['too_many_attempts', 12 * MINUTE]);
    clock.at += 12 * MINUTE - 1;
    expect(await refusal(attempts.check([here]))).toEqual(['too_many_attempts', 1]);
    clock.at += 1;
    expect(await refusal(attempts.check([here, everywhere]))).toBeNull();
    await attempts.fail([here]);
    expect(await refusal(attempts.check([here]))).toBeNull();
  });

  test('do not block longer than a window when the clock is set back', async () => {
    const { attempts, clock } = await setUp();
    for (let i = 0; i < 3; i++) await attempts.fail([here]);
    expect(await refusal(attempts.check([here]))).toEqual(['too_many_attempts', 15 * MINUTE]);
    clock.at -= MINUTE;
    expect(await refusal(attempts.check([here]))).toBeNull();
    for (let i = 0; i < 3; i++) await attempts.fail([here]);
    expect(await refusal(attempts.check([here]))).toEqual(['too_many_attempts', 15 * MINUTE]);
  });

  test('are counted across nodes', async () => {
    const { attempts } = await setUp();
    for (let i = 0; i < 5; i++) await attempts.fail([{ ...here, scope: `file:1:address ${i}` }, everywhere]);
    expect(await refusal(attempts.check([{ ...here, scope: 'file:1:new' }, everywhere]))).toEqual([
      'too_many_attempts',
      15 * MINUTE,
    ]);
    expect(await refusal(attempts.check([{ ...here, scope: 'file:2:new' }]))).toBeNull();
  });

  test('made concurrently are all counted', async () => {
    const { attempts, database } = await setUp();
    await Promise.all(Array.from({ length: 20 }, () => attempts.fail([everywhere, here])));
    const rows = await database.read
      .selectFrom('attempts')
      .select(['scope', 'count'])
      .orderBy('scope')
      .execute();
    expect(rows).toEqual([
      { scope: 'file:1', count: 20 },
      { scope: 'file:1:address', count: 20 },
    ]);
  });

  test('of one scope are cleared without those of scopes that begin with it', async () => {
    const { attempts, database } = await setUp();
    for (const scope of ['login:203.0.113.1', 'login:203.0.113.17'])
      await attempts.fail([{ ...here, scope }]);
    await database.transaction((trx) => attempts.clear(trx, 'login:203.0.113.1'));
    const rows = await database.read.selectFrom('attempts').select('scope').execute();
    expect(rows).toEqual([{ scope: 'login:203.0.113.17' }]);
  });

  test('are cleared by a literal prefix', async () => {
    const { attempts, database } = await setUp();
    for (const scope of ['file:1', 'file:1:a', 'file:10', 'file_1', 'fileX1', 'file%1', 'file\\1', 'FILE:1'])
      await attempts.fail([{ ...here, scope }]);
    const left = async () =>
      (await database.read.selectFrom('attempts').select('scope').execute()).map(({ scope }) => scope).sort();
    await database.transaction((trx) => attempts.clearAll(trx, 'file:1:'));
    expect(await left()).not.toContain('file:1:a');
    expect(await left()).toHaveLength(7);
    for (const prefix of ['file_', 'file%', 'file\\'])
      await database.transaction((trx) => attempts.clearAll(trx, prefix));
    expect(await left()).toEqual(['FILE:1', 'file:1', 'file:10', 'fileX1']);
  });

  test('of one address are counted together, and store no rows above the limit', async () => {
    const { attempts, database } = await setUp();
    const rule = (i: number) => [{ ...here, scope: `client ${i}` }];
    const fail = (i: number) => refusal(attempts.failFrom('192.0.2.1', rule(i)));
    const results = await Promise.all(Array.from({ length: 150 }, (_, i) => fail(i)));
    expect(results.filter((result) => result === null)).toHaveLength(100);
    expect(results.filter((result) => result !== null)).toHaveLength(50);
    expect(await refusal(attempts.failFrom('192.0.2.2', rule(0)))).toBeNull();
    const rows = await database.read.selectFrom('attempts').select('scope').execute();
    expect(rows).toHaveLength(102);
  });

  test('of one address are counted exactly by several nodes', async () => {
    const { database } = await setUp();
    const nodes = Array.from({ length: 3 }, () => createAttempts({ database }));
    const results = await Promise.all(
      Array.from({ length: 120 }, (_, i) =>
        refusal(nodes[i % 3]?.failFrom('192.0.2.1') ?? Promise.resolve()),
      ),
    );
    expect(results.filter((result) => result === null)).toHaveLength(100);
  });

  test('beyond the maximum of rows are swept away, the oldest first', async () => {
    const { database, clock } = await setUp();
    const attempts = createAttempts({ database, maxRows: 2 });
    for (let i = 0; i < 5; i++) {
      await attempts.fail([{ ...here, scope: `${i}` }]);
      clock.at++;
    }
    await attempts.sweep();
    const rows = await database.read.selectFrom('attempts').select('scope').orderBy('scope').execute();
    expect(rows).toEqual([{ scope: '3' }, { scope: '4' }]);
  });

  test('are swept when their window is over', async () => {
    const { attempts, clock, database } = await setUp();
    await attempts.fail([here]);
    clock.at += 10 * MINUTE;
    await attempts.fail([everywhere]);
    clock.at += 5 * MINUTE;
    await attempts.sweep();
    expect(await database.read.selectFrom('attempts').select('scope').execute()).toEqual([
      { scope: 'file:1' },
    ]);
  });
});
