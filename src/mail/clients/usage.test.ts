import { beforeAll, describe, expect, test } from 'bun:test';
import { sql } from 'kysely';
import { DATABASES, freshDatabase, isLockAwaited } from '../../../test/harness/database.ts';
import { until } from '../../../test/harness/until.ts';
import { HOUR, SECOND } from '../../kernel/clock.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import { Unavailable } from '../../kernel/errors/unavailable.ts';
import { type Claimed, type Delivery, held } from '../../kernel/outbox/message.ts';
import { limited } from '../transports/limited.ts';
import type { Client, Clients } from './clients.ts';
import { createUsage } from './usage.ts';
import { countIn, periodsOf, removeFromCounts } from './usage-periods.ts';

const DATABASE_FAILED = held('waits: the database could not count the message', SECOND);

describe.each(DATABASES)('the limits of a client on %s', (kind) => {
  let database: Database;
  beforeAll(async () => {
    database = await freshDatabase(kind);
  });

  test('a message that was held counts once, when it is sent', async () => {
    let now = 1_000 * HOUR;
    const clock = { now: () => now };
    const client = { limits: { second: null, hour: 2, day: 3 } } as Client;
    const clients = { find: async () => client } as unknown as Clients;
    const delivered: Delivery[] = [];
    const transport = limited(
      {
        kind: 'email',
        concurrency: 1,
        deliver: async () => delivered.shift() ?? { outcome: 'sent', result: null },
      },
      createUsage({ database, clients, clock }),
    );
    const deliver = (attempts = 0) =>
      transport.deliver(
        { clientId: 'one', attempts, errorCode: null } as Claimed,
        new AbortController().signal,
      );
    const outcomes = async (count: number) => {
      const ends: string[] = [];
      for (let index = 0; index < count; index++) ends.push((await deliver()).outcome);
      return ends;
    };

    for (let index = 0; index < 5; index++)
      delivered.push({ outcome: 'held', reason: 'full', retryAfterMs: 0 });
    expect(await outcomes(8)).toEqual(['held', 'held', 'held', 'held', 'held', 'sent', 'sent', 'held']);
    expect(await deliver(1)).toMatchObject({ outcome: 'sent' });
    expect(await deliver()).toEqual({
      outcome: 'held',
      // A turn after the one that was held before.
      retryAfterMs: HOUR + 6,
      reason: 'waits: this client may send 2 messages an hour',
    });
    now += HOUR;
    expect(await outcomes(2)).toEqual(['sent', 'held']);
    expect(await deliver()).toMatchObject({ reason: 'waits: this client may send 3 messages a day' });
  });

  test('of many messages at once on several nodes, as many pass as the limits allow', async () => {
    let now = 2_000 * HOUR;
    const clock = { now: () => now };
    const client = { limits: { second: null, hour: 20, day: 30 } } as Client;
    const clients = { find: async () => client } as unknown as Clients;
    const nodes = [1, 2, 3].map(() => createUsage({ database, clients, clock }));
    const takeMany = async () => {
      const takes = Array.from({ length: 60 }, (_, index) => nodes[index % 3]?.take('of all nodes', false));
      return (await Promise.all(takes)).filter((taken) => taken?.hold === null).length;
    };
    expect(await takeMany()).toBe(20);
    // A message that one node did not attempt leaves its place to another.
    await nodes[0]?.giveBack('of all nodes', periodsOf(client.limits, now));
    now += HOUR - 1;
    expect(await takeMany()).toBe(1);
    now += 1;
    expect(await takeMany()).toBe(10);
  });

  test('a message that was held across the turn of an hour does not reduce the count of the next hour', async () => {
    let now = 3_000 * HOUR - 1;
    const clock = { now: () => now };
    const client = { limits: { second: null, hour: 1, day: 2 } } as Client;
    const clients = { find: async () => client } as unknown as Clients;
    const usage = createUsage({ database, clients, clock });
    const deliver = (delivery: () => Promise<Delivery>) =>
      limited({ kind: 'email', concurrency: 1, deliver: delivery }, usage).deliver(
        { clientId: 'at the turn', attempts: 0, errorCode: null } as Claimed,
        new AbortController().signal,
      );
    const sent: Delivery = { outcome: 'sent', result: null };
    const held: Delivery = { outcome: 'held', reason: 'full', retryAfterMs: 0 };
    const outer = await deliver(async () => {
      now += 1;
      expect(await deliver(async () => sent)).toEqual(sent);
      return held;
    });
    expect(outer).toEqual(held);
    expect(await deliver(async () => sent)).toMatchObject({ outcome: 'held' });
    now += HOUR;
    expect(await deliver(async () => sent)).toEqual(sent);
  });

  test('a failure of the database before or after a delivery is not an attempt', async () => {
    const client = { limits: { second: null, hour: 1, day: null } } as Client;
    const clients = { find: async () => client } as unknown as Clients;
    let failing = true;
    const transaction: Database['transaction'] = async (work) => {
      if (failing) throw new Unavailable('database', 'deadlock detected');
      return await database.transaction(work);
    };
    const usage = createUsage({
      database: { ...database, transaction },
      clients,
      clock: { now: () => 4_000 * HOUR },
    });
    const deliver = (delivery: () => Promise<Delivery>) =>
      limited({ kind: 'email', concurrency: 1, deliver: delivery }, usage).deliver(
        { clientId: 'in trouble', attempts: 0, errorCode: null } as Claimed,
        new AbortController().signal,
      );
    const never = () => Promise.reject(new Error('must not be attempted'));
    expect(await deliver(never)).toEqual(DATABASE_FAILED);
    failing = false;
    const full: Delivery = { outcome: 'held', reason: 'full', retryAfterMs: 7 };
    const delivery = deliver(async () => {
      failing = true;
      return full;
    });
    expect(await delivery).toEqual(full);
  });
});

test('counts are added and removed in one order, so that no two transactions wait for each other', async () => {
  const database = await freshDatabase('postgres');
  const periods = periodsOf({ second: 10, hour: 10, day: 10 }, 1_000 * HOUR);
  const [first, ...others] = periods.map(({ name }) => name);
  await countIn(database, 'one', periods);
  const rowOf = (trx: Transaction, period = '') =>
    sql`select from mail_usage where client_id = 'one' and period = ${period} for update nowait`.execute(trx);
  let removed = Promise.resolve();
  await database.transaction(async (trx) => {
    await rowOf(trx, first);
    removed = removeFromCounts(database, 'one', periods);
    await until(() => isLockAwaited(database));
    for (const period of others) await rowOf(trx, period);
  });
  await removed;
  const rows = await database.read.selectFrom('mail_usage').select('count').execute();
  expect(rows.map(({ count }) => count)).toEqual([0, 0, 0]);
});
