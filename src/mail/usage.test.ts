import { beforeAll, describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase } from '../../test/harness/database.ts';
import { HOUR } from '../kernel/clock.ts';
import type { Database } from '../kernel/database/database.ts';
import type { Claimed, Delivery } from '../kernel/outbox/message.ts';
import type { Client, Clients } from './clients.ts';
import { limited } from './transports/limited.ts';
import { createUsage } from './usage.ts';

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
      return (await Promise.all(takes)).filter((held) => held === null).length;
    };
    expect(await takeMany()).toBe(20);
    // A message that one node did not attempt leaves its place to another.
    await nodes[0]?.giveBack('of all nodes');
    now += HOUR - 1;
    expect(await takeMany()).toBe(1);
    now += 1;
    expect(await takeMany()).toBe(10);
  });
});
