import { afterEach, describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase, withClock } from '../../../test/harness/database.ts';
import { until } from '../../../test/harness/until.ts';
import { HOUR, MINUTE } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { LEASE_MS } from '../leases/leases.ts';
import { createLog } from '../log.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { createUpkeep, type Upkeep } from './upkeep.ts';

describe.each(DATABASES)('upkeep on %s', (kind) => {
  const running: Upkeep[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((upkeep) => upkeep.stop(MINUTE)));
  });
  const setUp = async () => {
    const clock = { at: 1_800_000_000_000, now: () => clock.at };
    const database = withClock(await freshDatabase(kind), clock);
    const node = (name: string) => {
      const metrics = createMetrics();
      const upkeep = createUpkeep({
        database,
        clock,
        log: createLog('silent'),
        metrics,
        node: name,
        pollMs: 5,
      });
      running.push(upkeep);
      return { upkeep, metrics };
    };
    return { clock, database, node };
  };
  const added = (database: Database) => async () =>
    (await database.read.selectFrom('upkeep').select('id').execute()).length > 0;

  test('a task runs on one node at a time, on any free one, and after its interval', async () => {
    const { clock, database, node } = await setUp();
    const runs: string[] = [];
    for (const name of ['a', 'b', 'c'])
      node(name).upkeep.every(MINUTE, 'sweep', async () => void runs.push(name));
    await until(added(database));
    for (let run = 1; run <= 3; run++) {
      clock.at += MINUTE;
      await until(() => runs.length === run);
      await until(
        async () =>
          (await database.read.selectFrom('upkeep').selectAll().executeTakeFirstOrThrow()).due_at > clock.at,
      );
    }
    expect(runs).toHaveLength(3);
  });

  test('a restart does not delay the next run', async () => {
    const { clock, database, node } = await setUp();
    const first = node('a').upkeep;
    first.every(MINUTE, 'sweep', async () => {});
    await until(added(database));
    await first.stop(MINUTE);
    clock.at += MINUTE;
    let ran = false;
    node('b').upkeep.every(MINUTE, 'sweep', async () => {
      ran = true;
    });
    await until(() => ran);
  });

  test('a task is not delayed when the clock of the database is set back', async () => {
    const { clock, database, node } = await setUp();
    let runs = 0;
    node('a').upkeep.every(MINUTE, 'sweep', async () => void runs++);
    await until(added(database));
    clock.at -= 2 * HOUR;
    const row = () => database.read.selectFrom('upkeep').select('due_at').executeTakeFirstOrThrow();
    await until(async () => (await row()).due_at <= clock.at + MINUTE);
    expect(runs).toBe(0);
    clock.at += MINUTE;
    await until(() => runs === 1);
  });

  test('the lease of a dead node ends after its length when the clock of the database is set back', async () => {
    const { clock, database, node } = await setUp();
    let runs = 0;
    node('alive').upkeep.every(MINUTE, 'sweep', async () => void runs++);
    await until(added(database));
    await database.transaction((trx) =>
      trx
        .updateTable('upkeep')
        .set({ due_at: 0, lease_owner: 'dead', lease_until: clock.at + LEASE_MS + HOUR })
        .execute(),
    );
    const row = () => database.read.selectFrom('upkeep').select('lease_until').executeTakeFirstOrThrow();
    await until(async () => (await row()).lease_until === clock.at + LEASE_MS);
    expect(runs).toBe(0);
    clock.at += LEASE_MS;
    await until(() => runs === 1);
  });

  test('another node takes over when the lease of a dead one has ended', async () => {
    const { clock, database, node } = await setUp();
    const runs: string[] = [];
    node('alive').upkeep.every(MINUTE, 'sweep', async () => void runs.push('alive'));
    await until(added(database));
    await database.transaction((trx) =>
      trx
        .updateTable('upkeep')
        .set({ due_at: 0, lease_owner: 'dead', lease_until: clock.at + LEASE_MS })
        .execute(),
    );
    const polled = await database.read.selectFrom('upkeep').selectAll().executeTakeFirstOrThrow();
    expect([polled.lease_owner, runs]).toEqual(['dead', []]);
    clock.at += LEASE_MS;
    await until(() => runs.length === 1);
  });

  test('failures and last runs are metrics of every node', async () => {
    const { clock, database, node } = await setUp();
    const [one, two] = [node('a'), node('b')];
    let fails = true;
    for (const { upkeep } of [one, two])
      upkeep.every(MINUTE, 'sweep', async () => {
        if (fails) throw new Error('cannot');
      });
    await until(added(database));
    const metrics = async () => {
      const texts = await Promise.all([one, two].map(({ metrics: of }) => of.render()));
      return texts.map((text) =>
        [...text.matchAll(/^posthouse_upkeep_(failures|last_\w+)\{task="sweep"\} (.*)$/gm)].map(
          ([, name, value]) => [name, Number(value)],
        ),
      );
    };
    clock.at += MINUTE;
    const at = clock.at / 1_000;
    await until(async () =>
      (await metrics())[0]?.some(([name, value]) => name === 'failures' && value === 1),
    );
    const failed = [
      ['last_run_timestamp_seconds', at],
      ['last_success_timestamp_seconds', 0],
      ['failures', 1],
    ];
    expect(await metrics()).toEqual([failed, failed]);
    fails = false;
    clock.at += MINUTE;
    const next = at + 60;
    await until(async () =>
      (await metrics())[0]?.some(
        ([name, value]) => name === 'last_success_timestamp_seconds' && value === next,
      ),
    );
  });

  test('a stop waits for the running tasks, but not for one that does not end', async () => {
    const { node } = await setUp();
    const { upkeep } = node('a');
    const { promise, resolve } = Promise.withResolvers<void>();
    let runs = 0;
    let ended = 0;
    upkeep.everywhere(1, 'short', () => {
      runs++;
      return promise.then(() => void ended++);
    });
    await until(() => runs === 1);
    const stopped = upkeep.stop(MINUTE);
    resolve();
    await stopped;
    expect([runs, ended]).toEqual([1, 1]);

    const other = node('b').upkeep;
    let isRunning = false;
    const endless = Promise.withResolvers<void>();
    other.everywhere(1, 'endless', () => {
      isRunning = true;
      return endless.promise;
    });
    await until(() => isRunning);
    await other.stop(1);
    endless.resolve();
  });

  test('a task of each node runs on all', async () => {
    const { node } = await setUp();
    const runs = new Set<string>();
    for (const name of ['a', 'b']) node(name).upkeep.everywhere(1, 'flush', async () => void runs.add(name));
    await until(() => runs.size === 2);
  });
});
