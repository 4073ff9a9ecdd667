import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase } from '../../../test/harness/database.ts';
import { DAY, MINUTE, SECOND } from '../clock.ts';
import { createVault } from '../crypto/vault.ts';
import type { Database } from '../database/database.ts';
import { newId } from '../ids.ts';
import type { Claimed, Delivery, NewMessage, OutboxMessage } from './message.ts';
import { createOutboxStore, LEASE_MS, type OutboxStore } from './store.ts';

const SENT: Delivery = { outcome: 'sent', result: { peer: 'has it' } };
const FAILED: Delivery = { outcome: 'later', code: 'trouble', reason: 'the peer is not well' };

describe.each(DATABASES)('the outbox table on %s', (kind) => {
  let database: Database;
  let now: number;
  let one: OutboxStore;
  let other: OutboxStore;

  beforeAll(async () => {
    database = await freshDatabase(kind);
  });
  beforeEach(async () => {
    await database.transaction((trx) => trx.deleteFrom('outbox').execute());
    now = Date.UTC(2026, 0, 1);
    const node = (name: string) =>
      createOutboxStore({ database, vault: createVault(Buffer.alloc(32, 7)), clock: { now: () => now }, node: name });
    one = node('one');
    other = node('other');
  });

  const message = (more: Partial<NewMessage> = {}): NewMessage => {
    const id = newId();
    return { id, messageId: id, part: 0, kind: 'test', clientId: null, lane: null, payload: { text: 'hello' }, sandbox: false, ...more };
  };
  const add = async (...messages: NewMessage[]) => {
    await database.transaction((trx) => one.add(trx, messages));
    return messages;
  };
  const claim = async (node = one, limit = 10) => (await node.turn('test', [], limit)).claimed;
  const settle = async (message: Claimed, delivery: Delivery, node = one) =>
    (await node.turn('test', [{ message, delivery }], 0)).settled[0] as OutboxMessage | null;
  const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
  const look = async (messageId: string) => (await one.parts(database.read, messageId))[0] as OutboxMessage;
  /** Claims what is due and gives the one row that this must be. */
  const claimOnly = async (id: string, node = one): Promise<Claimed> => {
    const rows = await claim(node);
    expect(ids(rows)).toEqual([id]);
    return rows[0] as Claimed;
  };

  test('a row comes out as it went in, its secret opened, and no secret lies in the table', async () => {
    const [sent] = await add(message({ payload: { text: 'Grüße 👋\u0000' }, secret: 'canary-secret', clientId: 'someone' }));
    const [claimed] = await claim();
    expect(claimed).toMatchObject({ ...sent, secret: 'canary-secret', status: 'queued', attempts: 0, error: null, dateCreated: now });
    const table = JSON.stringify(await database.read.selectFrom('outbox').selectAll().execute());
    expect(table).not.toContain('canary-secret');
  });

  test('nothing is left of rows whose transaction was rolled back', async () => {
    const failing = database.transaction(async (trx) => {
      await one.add(trx, [message()]);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow();
    expect(await claim()).toEqual([]);
  });

  test('many rows can be stored at once', async () => {
    const messages = Array.from({ length: 1_200 }, () => message());
    await add(...messages);
    expect(await claim(one, 2_000)).toHaveLength(1_200);
  });

  describe('leases', () => {
    test('a row is claimed by one node, whoever asks at once', async () => {
      await add(...Array.from({ length: 40 }, () => message()));
      const claims = await Promise.all([one, other, one, other].map((node) => claim(node, 15)));
      const all = claims.flatMap(ids);
      expect(all).toHaveLength(40);
      expect(new Set(all).size).toBe(40);
    });

    test('a dead worker’s row is claimed again when its lease is over, and the attempt that it began counts', async () => {
      const [sent] = await add(message());
      await claim(one);
      now += LEASE_MS;
      expect(await claim(other)).toEqual([]);
      now += 1;
      expect((await claimOnly(sent?.id ?? '', other)).attempts).toBe(1);
    });

    test('a renewed lease holds on', async () => {
      const [sent] = await add(message());
      await claim(one);
      now += LEASE_MS - 1;
      await one.renew([sent?.id ?? '']);
      now += LEASE_MS - 1;
      expect(await claim(other)).toEqual([]);
    });

    test('who lost the lease neither renews nor settles', async () => {
      const [sent] = await add(message());
      const [late] = await claim(one);
      now += LEASE_MS + 1;
      const [held] = await claim(other);
      await one.renew([sent?.id ?? '']);
      expect(await settle(late as Claimed, FAILED)).toBeNull();
      expect(await look(sent?.id ?? '')).toMatchObject({ attempts: 1, error: null });
      expect(await settle(held as Claimed, SENT, other)).toMatchObject({ status: 'sent', attempts: 2 });
    });

    test('a lease that is given back counts as no attempt', async () => {
      const [sent] = await add(message());
      await one.release(ids(await claim(one)));
      expect((await claimOnly(sent?.id ?? '', other)).attempts).toBe(0);
    });

    test('the next due time is known, without what this node has under way', async () => {
      expect(await one.nextDue('test')).toBeNull();
      const [first] = await add(message());
      await add(message({ notBefore: now + MINUTE }));
      expect(await one.nextDue('test')).toBe(now);
      await claimOnly(first?.id ?? '');
      expect(await one.nextDue('test')).toBe(now + MINUTE);
      expect(await other.nextDue('test')).toBe(now + LEASE_MS);
    });
  });

  describe('ends', () => {
    test.each([
      [SENT, { status: 'sent', error: null, result: { peer: 'has it' } }],
      [{ outcome: 'refused', code: 'no', reason: 'never' } as const, { status: 'failed', errorCode: 'no', error: 'never' }],
      [{ outcome: 'unknown', reason: 'silence' } as const, { status: 'unknown', errorCode: 'no_answer', error: 'silence' }],
    ])('%j', async (delivery, expected) => {
      const [sent] = await add(message({ secret: 'canary-secret' }));
      const [claimed] = await claim();
      const settled = await settle(claimed as Claimed, delivery);
      expect(settled).toMatchObject({ ...expected, attempts: 1, dateFinished: now } as object);
      expect(await claim()).toEqual([]);
      const row = await database.read
        .selectFrom('outbox')
        .select('secret')
        .where('id', '=', sent?.id ?? '')
        .executeTakeFirstOrThrow();
      expect(row.secret).toBeNull();
    });

    test('a failure waits 2 s, doubling, a quarter more or less', async () => {
      const [sent] = await add(message());
      for (const wait of [2, 4, 8, 16, 32, 64]) {
        const claimed = await claimOnly(sent?.id ?? '');
        const settled = (await settle(claimed, FAILED)) as OutboxMessage;
        expect(settled.nextAttemptAt - now).toBeGreaterThanOrEqual(wait * 0.75 * SECOND);
        expect(settled.nextAttemptAt - now).toBeLessThanOrEqual(wait * 1.25 * SECOND);
        now = settled.nextAttemptAt - 1;
        expect(await claim()).toEqual([]);
        now += 1;
      }
    });

    test('the peer’s own time to wait is obeyed when it is longer', async () => {
      await add(message());
      const [claimed] = await claim();
      const settled = await settle(claimed as Claimed, { ...FAILED, retryAfterMs: 90_500 } as Delivery);
      expect(settled?.nextAttemptAt).toBe(now + 90_500);
    });

    test('a failure may change what is sent next', async () => {
      await add(message());
      const [claimed] = await claim();
      await settle(claimed as Claimed, { ...FAILED, payload: { text: 'plain' } } as Delivery);
      now += MINUTE;
      expect((await claim())[0]?.payload).toEqual({ text: 'plain' });
    });

    test('what was held was not tried, and says why', async () => {
      const [sent] = await add(message());
      const [claimed] = await claim();
      await settle(claimed as Claimed, { outcome: 'held', reason: 'the target is paused', untilMs: now + MINUTE });
      expect(await look(sent?.id ?? '')).toMatchObject({ status: 'queued', attempts: 0, error: 'the target is paused', errorCode: 'held' });
      expect(await claim()).toEqual([]);
      now += MINUTE;
      expect(await claim()).toHaveLength(1);
    });

    test.each([FAILED, { outcome: 'held', reason: 'the target is paused', untilMs: 0 } as const])(
      'after 24 hours it is over: %j',
      async (delivery) => {
        await add(message());
        expect(await settle((await claim())[0] as Claimed, delivery)).toMatchObject({ status: 'queued' });
        now += DAY - 1;
        const again = await settle((await claim())[0] as Claimed, delivery);
        expect(again?.status).toBe('queued');
        expect(again?.nextAttemptAt).toBeLessThanOrEqual(now + 1);
        now += 1;
        const last = await settle((await claim())[0] as Claimed, delivery);
        expect(last).toMatchObject({ status: 'failed', dateFinished: now, error: delivery.reason });
      },
    );

    test('secrets in a peer’s words are struck out', async () => {
      await add(message());
      const reason = 'POST https://api.telegram.org/bot123456789:AAF-abcdefghijklmnopqrstuvwxyz0123456/sendMessage failed';
      const settled = await settle((await claim())[0] as Claimed, { ...FAILED, reason } as Delivery);
      expect(settled?.error).not.toContain('AAF-');
    });
  });

  describe('lanes', () => {
    const inLane = (lane: string, count: number) => Array.from({ length: count }, () => message({ lane }));
    const settleAll = async (rows: readonly Claimed[], delivery: Delivery) => {
      for (const row of rows) await settle(row, delivery);
    };

    test('one after the other, in order; lanes do not wait for each other', async () => {
      const a = await add(...inLane('a', 3));
      const b = await add(...inLane('b', 2));
      const order: string[] = [];
      for (let rows = await claim(); rows.length > 0; rows = await claim()) {
        order.push(...ids(rows));
        await settleAll(rows, SENT);
      }
      expect(order).toEqual([a[0], b[0], a[1], b[1], a[2]].map((each) => each?.id ?? ''));
    });

    test('a failure keeps its place, until the fifth', async () => {
      const [first, second] = await add(...inLane('a', 2));
      for (let attempt = 1; attempt <= 5; attempt++) {
        await settle(await claimOnly(first?.id ?? ''), FAILED);
        now += MINUTE;
      }
      const both = await claim();
      expect(ids(both)).toEqual(ids([first, second] as NewMessage[]));
      await settleAll(both, SENT);
      expect(await one.nextDue('test')).toBeNull();
    });

    test('one that stepped aside blocks nobody who comes later', async () => {
      const [first] = await add(...inLane('a', 1));
      for (let attempt = 1; attempt <= 5; attempt++) {
        await settle(await claimOnly(first?.id ?? ''), FAILED);
        now += MINUTE;
      }
      const later = await add(...inLane('a', 2));
      expect(ids(await claim())).toEqual([first?.id ?? '', later[0]?.id ?? '']);
    });

    test('one that kills its process five times steps aside as well', async () => {
      const [first, second] = await add(...inLane('a', 2));
      for (let attempt = 0; attempt < 5; attempt++) {
        await claimOnly(first?.id ?? '');
        now += LEASE_MS + 1;
      }
      expect(ids(await claim())).toEqual([first?.id ?? '']);
      expect(ids(await claim())).toEqual([second?.id ?? '']);
    });

    test('a held one keeps its place', async () => {
      const [first] = await add(...inLane('a', 2));
      for (let round = 0; round < 7; round++) {
        await settle(await claimOnly(first?.id ?? ''), { outcome: 'held', reason: 'paused', untilMs: now + MINUTE });
        now += MINUTE;
      }
    });

    test('hastening makes the free ones of a lane due', async () => {
      const [first] = await add(...inLane('a', 2));
      const [elsewhere] = await add(...inLane('b', 1));
      await settleAll(await claim(), { outcome: 'held', reason: 'paused', untilMs: now + DAY });
      await database.transaction((trx) => one.hasten(trx, ['a']));
      await claimOnly(first?.id ?? '');
      expect((await look(elsewhere?.id ?? '')).nextAttemptAt).toBe(now + DAY);
    });

    test('hastening is not undone by an attempt that was under way', async () => {
      const [first] = await add(...inLane('a', 1));
      const claimed = await claimOnly(first?.id ?? '');
      now += 5;
      await database.transaction((trx) => one.hasten(trx, ['a']));
      now += 5;
      await settle(claimed, { outcome: 'held', reason: 'paused', untilMs: now + DAY });
      await claimOnly(first?.id ?? '');
    });

    test('a cancelled one lets the next go, one under way is not cancelled', async () => {
      const [first, second, third] = await add(...inLane('a', 3));
      const claimed = await claimOnly(first?.id ?? '');
      const cancel = (id = '') => database.transaction((trx) => one.cancel(trx, id));
      expect(await cancel(first?.id)).toBe(0);
      expect(await cancel(second?.id)).toBe(1);
      expect(await cancel(second?.id)).toBe(0);
      expect((await look(second?.id ?? '')).status).toBe('cancelled');
      expect(await claim()).toEqual([]);
      await settle(claimed, SENT);
      await claimOnly(third?.id ?? '');
    });

    test('cancelling the first lets the second go', async () => {
      const [first, second] = await add(...inLane('a', 2));
      await database.transaction((trx) => one.cancel(trx, first?.id ?? ''));
      await claimOnly(second?.id ?? '');
    });

    test('however many add and settle at once, each lane has exactly one to go', async () => {
      const work = async () => {
        for (let round = 0; round < 5; round++) {
          await add(message({ lane: 'a' }), message({ lane: 'b' }));
          await settleAll(await claim(one, 1), SENT);
        }
      };
      await Promise.all(Array.from({ length: 8 }, work));
      const delivered: string[] = [];
      for (let rows = await claim(); rows.length > 0; rows = await claim()) {
        expect(new Set(rows.map(({ lane }) => lane)).size).toBe(rows.length);
        delivered.push(...ids(rows));
        await settleAll(rows, SENT);
      }
      const left = await database.read.selectFrom('outbox').select('id').where('status', '=', 'queued').execute();
      expect(left).toEqual([]);
    });
  });
});
