import { describe, expect, test } from 'bun:test';
import { DATABASES, emptyDatabase, isLockAwaited, withClock } from '../../../test/harness/database.ts';
import { until } from '../../../test/harness/until.ts';
import { createSharedRates } from './shared-rates.ts';

describe.each(DATABASES)('rates of all nodes on %s', (kind) => {
  const setUp = async (burst: number, perMinute: number) => {
    const clock = { at: 1_800_000_000_000, now: () => clock.at };
    const database = withClock(await emptyDatabase(kind), clock);
    const node = () => {
      const rates = createSharedRates({ database, name: 'test', burst, perMinute, maxCount: 5 });
      const take = (...takes: [key: string, count?: number][]) =>
        database.transaction(async (trx) => {
          const buckets = await rates.open(
            trx,
            takes.map(([key]) => key),
          );
          const waits = takes.map(([key, count]) => buckets.take(key, count));
          await buckets.save();
          return waits;
        });
      return { ...rates, take };
    };
    return { clock, database, node };
  };

  test('a burst passes once on all nodes, then one at a time as the bucket fills', async () => {
    const { clock, node } = await setUp(3, 60);
    const [one, two] = [node(), node()];
    expect(await one.take(['a'], ['a'])).toEqual([0, 0]);
    expect(await two.take(['a'], ['a'], ['b'])).toEqual([0, 1_000, 0]);
    clock.at += 400;
    expect(await one.take(['a'])).toEqual([600]);
    clock.at += 600;
    expect(await two.take(['a'])).toEqual([0]);
    expect(await one.take(['a'])).toEqual([1_000]);
    clock.at += 60_000;
    expect(await one.take(['a'], ['a'], ['a'], ['a'])).toEqual([0, 0, 0, 1_000]);
  });

  test('a cost above the balance must refill before the next take', async () => {
    const { clock, node } = await setUp(3, 60);
    const { take } = node();
    expect(await take(['a', 5], ['a'])).toEqual([0, 3_000]);
    clock.at += 3_000;
    expect(await take(['a'])).toEqual([0]);
  });

  test('the burst is whole with a rate that does not divide a minute', async () => {
    const { node } = await setUp(60, 7);
    const { take } = node();
    for (let count = 0; count < 60; count++) expect(await take(['a'])).toEqual([0]);
    expect(await take(['a'])).toEqual([8_572]);
  });

  test('of many takes at once on several nodes, as many pass as there are tokens', async () => {
    const { node } = await setUp(20, 60);
    const nodes = [node(), node(), node()];
    const waits = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        nodes[index % 3]?.take(...((index % 2 ? [['a'], ['b']] : [['b'], ['a']]) as [string][])),
      ),
    );
    for (const key of [0, 1]) expect(waits.filter((wait) => wait?.[key] === 0)).toHaveLength(20);
  });

  // SQLite runs one transaction at a time.
  test.if(kind === 'postgres')('the first use of a bucket locks it', async () => {
    const { database, node } = await setUp(3, 60);
    let isTaken = false;
    let waits: Promise<number[]> | undefined;
    await database.transaction(async (trx) => {
      const buckets = await node().open(trx, ['a']);
      waits = node().take(['a'], ['a'], ['a']);
      void waits.then(() => {
        isTaken = true;
      });
      await until(async () => isTaken || (await isLockAwaited(database)));
      for (let token = 0; token < 3; token++) expect(buckets.take('a')).toBe(0);
      await buckets.save();
    });
    expect(await waits).toEqual([1_000, 1_000, 1_000]);
  });

  test('a bucket blocks no longer than it takes to fill when the clock is set back', async () => {
    const { clock, database, node } = await setUp(3, 60);
    const { take } = node();
    expect(await take(['a'], ['a'], ['a'], ['a'])).toEqual([0, 0, 0, 1_000]);
    clock.at -= 60_000;
    expect(await take(['a'], ['a'], ['a'], ['a'])).toEqual([0, 0, 0, 1_000]);
    clock.at += 3_001;
    await createSharedRates({ database, name: 'test', burst: 3, perMinute: 60 }).sweep();
    expect(await database.read.selectFrom('rates').select('scope').execute()).toEqual([]);
  });

  test('full buckets are swept', async () => {
    const { clock, database, node } = await setUp(3, 60);
    const { take, sweep } = node();
    await take(['a'], ['b', 3]);
    clock.at += 1_001;
    await sweep();
    expect(await database.read.selectFrom('rates').select('scope').execute()).toEqual([{ scope: 'test:b' }]);
  });
});
