import { afterEach, beforeAll, beforeEach, describe, expect, setSystemTime, test } from 'bun:test';
import { sql } from 'kysely';
import { DATABASES, freshDatabase, isLockAwaited, withClock } from '../../../test/harness/database.ts';
import { until } from '../../../test/harness/until.ts';
import { DAY, HOUR, MINUTE, SECOND, systemClock } from '../clock.ts';
import { createVault } from '../crypto/vault.ts';
import type { Database } from '../database/database.ts';
import { newId } from '../ids.ts';
import { createLeases, LEASE_MS } from '../leases/leases.ts';
import type { Claim } from './claim-runs.ts';
import { type Claims, createClaims } from './claims.ts';
import { createLanes } from './lanes.ts';
import type { Claimed, Delivery, NewMessage, OutboxMessage } from './message.ts';
import { createQueries, type Queries } from './queries.ts';
import { createQueue, type Queue } from './queue.ts';
import { LEASE_COLUMNS } from './rows.ts';

const SENT: Delivery = { outcome: 'sent', result: { peer: 'has it' } };
const NOTHING: Claim = { kind: 'test', runs: 0, extra: 0, busy: [], length: 1 };
const FAILED: Delivery = { outcome: 'later', code: 'trouble', reason: 'the peer is unavailable' };

interface Node extends Queue, Queries, Claims {
  renew(ids: readonly string[]): Promise<number>;
}

function openNode(database: Database, node: string): Node {
  const vault = createVault(Buffer.alloc(32, 7));
  const lanes = createLanes(database);
  const leases = createLeases(LEASE_COLUMNS, { database, clock: systemClock });
  return {
    ...createQueue({ database, vault, lanes, leases }),
    ...createQueries(database),
    ...createClaims({ database, vault, lanes, leases, node }),
    renew: (ids) => leases.renew(ids, node),
  };
}

function newMessage(more: Partial<NewMessage> = {}): NewMessage {
  const id = newId();
  return {
    id,
    messageId: id,
    part: 0,
    kind: 'test',
    clientId: null,
    lane: null,
    payload: { text: 'hello' },
    sandbox: false,
    ...more,
  };
}

describe.each(DATABASES)('the outbox table on %s', (kind) => {
  let database: Database;
  let now: number;
  let one: Node;
  let other: Node;

  beforeAll(async () => {
    database = withClock(await freshDatabase(kind), { now: () => now });
  });
  beforeEach(async () => {
    await database.transaction((trx) => trx.deleteFrom('outbox').execute());
    now = Date.UTC(2026, 0, 1);
    const node = (name: string) => openNode(database, name);
    one = node('one');
    other = node('other');
  });

  const message = newMessage;
  const add = async (...messages: NewMessage[]) => {
    await database.transaction((trx) => one.add(trx, messages));
    return messages;
  };
  const claimRuns = async (length: number, node = one) =>
    (await node.recordAndClaim([], { ...NOTHING, runs: 10, length })).claimed;
  const claim = async (node = one, runs = 10) =>
    (await node.recordAndClaim([], { ...NOTHING, runs })).claimed.flat();
  const record = async (message: Claimed, delivery: Delivery, node = one) =>
    (await node.recordAndClaim([{ message, delivery }], NOTHING)).recorded[0] as OutboxMessage | null;
  const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
  const look = async (messageId: string) => (await one.parts(messageId))[0] as OutboxMessage;
  /** Claims the due rows, which must be the one with this id. */
  const claimOnly = async (id: string, node = one): Promise<Claimed> => {
    const rows = await claim(node);
    expect(ids(rows)).toEqual([id]);
    return rows[0] as Claimed;
  };

  test('a row is read as it was written, with its secret unsealed, and the table contains no secret', async () => {
    const [sent] = await add(
      message({ payload: { text: 'Grüße 👋\u0000' }, secret: 'canary-secret', clientId: 'someone' }),
    );
    const [claimed] = await claim();
    expect(claimed).toMatchObject({
      ...sent,
      secret: 'canary-secret',
      status: 'queued',
      attempts: 0,
      error: null,
      dateCreated: now,
    });
    const table = JSON.stringify(await database.read.selectFrom('outbox').selectAll().execute());
    expect(table).not.toContain('canary-secret');
  });

  test('a row that kills each process that claims it is overdue an hour after its deadline', async () => {
    const [row] = await add(message({ notBefore: now + MINUTE }));
    now += MINUTE + DAY + HOUR;
    expect((await claimOnly(row?.id ?? '')).isOverdue).toBe(false);
    now += LEASE_MS;
    expect((await claimOnly(row?.id ?? '', other)).isOverdue).toBe(true);
  });

  test('a client with many rows leaves capacity for the first row of each other client', async () => {
    const ofClient = (clientId: string | null) => message({ clientId });
    await add(...Array.from({ length: 20 }, () => ofClient('many')));
    now += 1;
    await add(...['few', 'few', null, null, 'later'].map(ofClient));
    const claimWith = async (claim: Partial<Claim>) =>
      (await one.recordAndClaim([], { ...NOTHING, ...claim })).claimed
        .flat()
        .map(({ clientId }) => clientId ?? '')
        .sort();
    expect(await claimWith({ runs: 2, extra: 9, busy: ['later'] })).toEqual(['', 'few', 'many', 'many']);
    expect(await claimWith({ extra: 9, busy: ['many', 'few'] })).toEqual(['', 'later']);
    expect(await claimWith({ extra: 1 })).toHaveLength(1);
    expect(await claimWith({ extra: 9, busy: ['many', 'few', ''] })).toEqual([]);
  });

  test('a rolled back transaction leaves no rows', async () => {
    const failing = database.transaction(async (trx) => {
      await one.add(trx, [message()]);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow();
    expect(await claim()).toEqual([]);
  });

  test('many rows can be stored in one call', async () => {
    const messages = Array.from({ length: 1_200 }, () => message());
    await add(...messages);
    expect(await claim(one, 2_000)).toHaveLength(1_200);
  });

  describe('leases', () => {
    test('a row is claimed by one node only', async () => {
      await add(...Array.from({ length: 40 }, () => message()));
      const claims = await Promise.all([one, other, one, other].map((node) => claim(node, 15)));
      const all = claims.flatMap(ids);
      expect(all).toHaveLength(40);
      expect(new Set(all).size).toBe(40);
    });

    test('a node claims no more rows than its limit, with any statistics of the table', async () => {
      for (let round = 0; round < 20; round++) {
        await database.transaction((trx) => trx.deleteFrom('outbox').execute());
        if (round % 3 === 0) await database.transaction((trx) => sql`analyze outbox`.execute(trx));
        await add(message(), message(), message());
        if (round % 7 === 0) await database.transaction((trx) => sql`analyze outbox`.execute(trx));
        expect(await claim(one, 1)).toHaveLength(1);
      }
    });

    test('a row of a dead worker is claimed again when its lease has ended, and the attempt counts', async () => {
      const [sent] = await add(message());
      await claim(one);
      now += LEASE_MS - 1;
      expect(await claim(other)).toEqual([]);
      now += 1;
      expect((await claimOnly(sent?.id ?? '', other)).attempts).toBe(1);
    });

    test('a renewed lease lasts', async () => {
      const [sent] = await add(message());
      await claim(one);
      now += LEASE_MS - 1;
      await one.renew([sent?.id ?? '']);
      now += LEASE_MS - 1;
      expect(await claim(other)).toEqual([]);
    });

    test('a node that lost a lease can neither renew it nor record an outcome', async () => {
      const [sent] = await add(message());
      const [late] = await claim(one);
      now += LEASE_MS;
      const [held] = await claim(other);
      await one.renew([sent?.id ?? '']);
      expect(await record(late as Claimed, FAILED)).toBeNull();
      expect(await look(sent?.id ?? '')).toMatchObject({ attempts: 1, error: null });
      expect(await record(held as Claimed, SENT, other)).toMatchObject({ status: 'sent', attempts: 2 });
    });

    test('a released lease does not count as an attempt', async () => {
      const [sent] = await add(message());
      await one.release(ids(await claim(one)));
      expect((await claimOnly(sent?.id ?? '', other)).attempts).toBe(0);
    });

    test('the next due time leaves out the rows that this node has leased', async () => {
      expect(await one.nextDueInMs('test')).toBeNull();
      const [first] = await add(message());
      await add(message({ notBefore: now + MINUTE }));
      expect(await one.nextDueInMs('test')).toBe(0);
      await claimOnly(first?.id ?? '');
      expect(await one.nextDueInMs('test')).toBe(MINUTE);
      expect(await other.nextDueInMs('test')).toBe(LEASE_MS);
      // A claim that failed after its commit has left the row behind.
      now += LEASE_MS;
      expect(await one.nextDueInMs('test')).toBe(0);
    });

    test('rows leased by another node hide no later ones', async () => {
      await add(message(), message());
      const foreign = ids(await claim(other));
      await add(message({ notBefore: now + SECOND }));
      expect(await one.nextDueInMs('test')).toBe(SECOND);
      now += SECOND;
      await other.renew(foreign);
      expect(await one.nextDueInMs('test')).toBe(0);
      expect(await claim(one)).toHaveLength(1);
      expect(await one.nextDueInMs('test')).toBe(LEASE_MS);
    });

    test('the lease of a node that stopped ends after its length when the clock was set back', async () => {
      await add(message());
      await claim(other);
      now -= MINUTE;
      await database.transaction((trx) => trx.updateTable('outbox').set({ next_attempt_at: now }).execute());
      expect(await one.nextDueInMs('test')).toBe(LEASE_MS);
      now += LEASE_MS;
      expect(await claim(one)).toHaveLength(1);
    });

    test('a lease of another node that ends before a row is due comes first', async () => {
      await add(message());
      await claim(other);
      await add(message({ notBefore: now + MINUTE }));
      expect(await one.nextDueInMs('test')).toBe(LEASE_MS);
    });
  });

  describe('outcomes', () => {
    test.each([
      [SENT, { status: 'sent', error: null, result: { peer: 'has it' } }],
      [
        { outcome: 'refused', code: 'no', reason: 'never' } as const,
        { status: 'failed', errorCode: 'no', error: 'never' },
      ],
      [
        { outcome: 'unknown', reason: 'silence' } as const,
        { status: 'unknown', errorCode: 'no_answer', error: 'silence' },
      ],
    ])('%j', async (delivery, expected) => {
      const [sent] = await add(message({ secret: 'canary-secret' }));
      const [claimed] = await claim();
      const recorded = await record(claimed as Claimed, delivery);
      expect(recorded).toMatchObject({ ...expected, attempts: 1, dateFinished: now } as object);
      expect(await claim()).toEqual([]);
      const row = await database.read
        .selectFrom('outbox')
        .select('secret')
        .where('id', '=', sent?.id ?? '')
        .executeTakeFirstOrThrow();
      expect(row.secret).toBeNull();
    });

    test('the delay after a failure is 2 s, doubling, ±25 %', async () => {
      const [sent] = await add(message());
      for (const wait of [2, 4, 8, 16, 32, 64]) {
        const claimed = await claimOnly(sent?.id ?? '');
        const recorded = (await record(claimed, FAILED)) as OutboxMessage;
        expect(recorded.nextAttemptAt - now).toBeGreaterThanOrEqual(wait * 0.75 * SECOND);
        expect(recorded.nextAttemptAt - now).toBeLessThanOrEqual(wait * 1.25 * SECOND);
        now = recorded.nextAttemptAt - 1;
        expect(await claim()).toEqual([]);
        now += 1;
      }
    });

    test('a longer delay of the peer is respected', async () => {
      await add(message());
      const [claimed] = await claim();
      const recorded = await record(claimed as Claimed, { ...FAILED, retryAfterMs: 90_500 } as Delivery);
      expect(recorded?.nextAttemptAt).toBe(now + 90_500);
    });

    test('a failure can change the payload of the next attempt', async () => {
      await add(message());
      const [claimed] = await claim();
      await record(claimed as Claimed, { ...FAILED, payload: { text: 'plain' } } as Delivery);
      now += MINUTE;
      expect((await claim())[0]?.payload).toEqual({ text: 'plain' });
    });

    test('the last failure can change the payload, too', async () => {
      const [sent] = await add(message());
      const [claimed] = await claim();
      now += DAY;
      const delivery = { ...FAILED, payload: { sentTo: ['ada'] }, result: { sentTo: 1 } } as Delivery;
      await record(claimed as Claimed, delivery);
      expect(await look(sent?.id ?? '')).toMatchObject({
        status: 'failed',
        payload: { sentTo: ['ada'] },
        result: { sentTo: 1 },
      });
    });

    test('a held row keeps its number of attempts and the reason', async () => {
      const [sent] = await add(message());
      const [claimed] = await claim();
      await record(claimed as Claimed, {
        outcome: 'held',
        reason: 'the target is paused',
        retryAfterMs: MINUTE,
      });
      expect(await look(sent?.id ?? '')).toMatchObject({
        status: 'queued',
        attempts: 0,
        error: 'the target is paused',
        errorCode: 'held',
      });
      expect(await claim()).toEqual([]);
      now += MINUTE;
      expect(await claim()).toHaveLength(1);
    });

    test.each([FAILED, { outcome: 'held', reason: 'the target is paused', retryAfterMs: 0 } as const])(
      'a row fails after 24 hours: %j',
      async (delivery) => {
        await add(message());
        expect(await record((await claim())[0] as Claimed, delivery)).toMatchObject({ status: 'queued' });
        now += DAY - 1;
        const again = await record((await claim())[0] as Claimed, delivery);
        expect(again?.status).toBe('queued');
        expect(again?.nextAttemptAt).toBeLessThanOrEqual(now + 1);
        now += 1;
        const last = await record((await claim())[0] as Claimed, delivery);
        expect(last).toMatchObject({ status: 'failed', dateFinished: now, error: delivery.reason });
      },
    );

    test.each([
      FAILED,
      { outcome: 'refused', code: 'no', reason: 'never' },
      { outcome: 'unknown', reason: 'silence' },
      { outcome: 'held', reason: 'paused', retryAfterMs: MINUTE },
    ] as Delivery[])('any reason of a peer can be recorded: %j', async (delivery) => {
      const reason = 'no\u0000\ud800';
      await add(message());
      const recorded = await record(
        (await claim())[0] as Claimed,
        {
          ...delivery,
          reason,
          result: { reason },
          payload: { reason },
        } as Delivery,
      );
      expect(recorded?.error).toStartWith('no');
    });

    test('any result of a peer can be recorded', async () => {
      await add(message());
      const result = { text: 'done\u0000\ud800' };
      const recorded = await record((await claim())[0] as Claimed, { outcome: 'sent', result });
      expect(recorded?.status).toBe('sent');
    });

    test('secrets in the error of a peer are removed', async () => {
      await add(message());
      const reason =
        'POST https://api.telegram.org/bot123456789:AAF-abcdefghijklmnopqrstuvwxyz0123456/sendMessage failed';
      const recorded = await record((await claim())[0] as Claimed, { ...FAILED, reason } as Delivery);
      expect(recorded?.error).not.toContain('AAF-');
    });
  });

  describe('lanes', () => {
    const inLane = (lane: string, count: number) => Array.from({ length: count }, () => message({ lane }));
    const recordAll = async (rows: readonly Claimed[], delivery: Delivery) => {
      for (const row of rows) await record(row, delivery);
    };

    test('rows are delivered one after the other; lanes do not wait for each other', async () => {
      const a = await add(...inLane('a', 3));
      const b = await add(...inLane('b', 2));
      const order: string[] = [];
      for (let rows = await claim(); rows.length > 0; rows = await claim()) {
        order.push(...ids(rows));
        await recordAll(rows, SENT);
      }
      expect(order).toEqual([a[0], b[0], a[1], b[1], a[2]].map((each) => each?.id ?? ''));
    });

    test('rows without a lane have no position and are not blocked, also when stored with those of a lane', async () => {
      const [free, first, , last] = await add(message(), ...inLane('a', 2), message());
      const claimed = await claim();
      expect(new Map(claimed.map(({ id, position }) => [id, position]))).toEqual(
        new Map([
          [free?.id ?? '', 0],
          [first?.id ?? '', 1],
          [last?.id ?? '', 0],
        ]),
      );
      await add(message());
      expect(ids(await claim()).length).toBe(1);
    });

    test('the order is that of storing, not that of the ids', async () => {
      const [early, late] = [message({ lane: 'a' }), message({ lane: 'a' })];
      await add(late);
      await add(early);
      await record(await claimOnly(late.id), SENT);
      await claimOnly(early.id);
    });

    test('a reopened message goes to the end of its lane', async () => {
      const [first, second, third] = await add(...inLane('a', 3));
      await record(await claimOnly(first?.id ?? ''), SENT);
      await database.transaction((trx) => one.reopen(trx, first?.id ?? ''));
      for (const next of [second, third, first]) await record(await claimOnly(next?.id ?? ''), SENT);
    });

    test('a message that is reopened twice at once is queued once', async () => {
      const [first] = await add(...inLane('a', 1));
      await record(await claimOnly(first?.id ?? ''), SENT);
      const committed = Promise.withResolvers<void>();
      const read = Promise.withResolvers<void>();
      const reopen = (until: Promise<void>) =>
        database.transaction(async (trx) => {
          const reopened = await one.reopen(trx, first?.id ?? '');
          read.resolve();
          await until;
          return reopened;
        });
      const both = [reopen(committed.promise)];
      await read.promise;
      both.push(reopen(Promise.resolve()));
      if (kind === 'postgres') await until(() => isLockAwaited(database));
      committed.resolve();
      expect(await Promise.all(both)).toEqual(['test', null]);
      await record(await claimOnly(first?.id ?? ''), SENT);
    });

    test('a failed row keeps its position until the fifth failure', async () => {
      const [first, second] = await add(...inLane('a', 2));
      for (let attempt = 1; attempt <= 5; attempt++) {
        await record(await claimOnly(first?.id ?? ''), FAILED);
        now += MINUTE;
      }
      const both = await claim();
      expect(ids(both)).toEqual(ids([first, second] as NewMessage[]));
      await recordAll(both, SENT);
      expect(await one.nextDueInMs('test')).toBeNull();
    });

    test('a row that stepped aside does not block later rows', async () => {
      const [first] = await add(...inLane('a', 1));
      for (let attempt = 1; attempt <= 5; attempt++) {
        await record(await claimOnly(first?.id ?? ''), FAILED);
        now += MINUTE;
      }
      const later = await add(...inLane('a', 2));
      expect(ids(await claim())).toEqual([first?.id ?? '', later[0]?.id ?? '']);
    });

    test('a row that kills its process five times steps aside as well', async () => {
      const [first, second] = await add(...inLane('a', 2));
      for (let attempt = 0; attempt < 5; attempt++) {
        await claimOnly(first?.id ?? '');
        now += LEASE_MS;
      }
      expect(ids(await claim())).toEqual([first?.id ?? '']);
      expect(ids(await claim())).toEqual([second?.id ?? '']);
    });

    test('a held row keeps its position', async () => {
      const [first] = await add(...inLane('a', 2));
      for (let round = 0; round < 7; round++) {
        await record(await claimOnly(first?.id ?? ''), {
          outcome: 'held',
          reason: 'paused',
          retryAfterMs: MINUTE,
        });
        now += MINUTE;
      }
    });

    test('expediting a lane makes its unblocked rows due', async () => {
      const [first] = await add(...inLane('a', 2));
      const [elsewhere] = await add(...inLane('b', 1));
      await recordAll(await claim(), { outcome: 'held', reason: 'paused', retryAfterMs: DAY });
      await database.transaction((trx) => one.expedite(trx, ['a']));
      await claimOnly(first?.id ?? '');
      expect((await look(elsewhere?.id ?? '')).nextAttemptAt).toBe(now + DAY);
    });

    test('an attempt that was running does not undo the expediting', async () => {
      const [first] = await add(...inLane('a', 1));
      const claimed = await claimOnly(first?.id ?? '');
      now += 5;
      await database.transaction((trx) => one.expedite(trx, ['a']));
      now += 5;
      await record(claimed, { outcome: 'held', reason: 'paused', retryAfterMs: DAY });
      await claimOnly(first?.id ?? '');
    });

    test('a cancelled row unblocks the next; a row that is being delivered is not cancelled', async () => {
      const [first, second, third] = await add(...inLane('a', 3));
      const claimed = await claimOnly(first?.id ?? '');
      const cancel = (id = '') => database.transaction((trx) => one.cancel(trx, id));
      expect(await cancel(first?.id)).toBe(0);
      expect(await cancel(second?.id)).toBe(1);
      expect(await cancel(second?.id)).toBe(0);
      expect((await look(second?.id ?? '')).status).toBe('cancelled');
      expect(await claim()).toEqual([]);
      await record(claimed, SENT);
      await claimOnly(third?.id ?? '');
    });

    test('cancelling the first row unblocks the second', async () => {
      const [first, second] = await add(...inLane('a', 2));
      await database.transaction((trx) => one.cancel(trx, first?.id ?? ''));
      await claimOnly(second?.id ?? '');
    });

    test('a run has the next rows of its lane, which are delivered in the order of their positions', async () => {
      const a = await add(...inLane('a', 5));
      const b = await add(...inLane('b', 1));
      const alone = await add(message());
      const runs = await claimRuns(3);
      expect(runs.map(ids)).toEqual([ids(a.slice(0, 3)), ids(b), ids(alone)]);
      expect(await claimRuns(3, other)).toEqual([]);
      await recordAll(runs.flat(), SENT);
      expect((await claimRuns(3)).map(ids)).toEqual([ids(a.slice(3))]);
    });

    test('the rest of a run is blocked until the failed row before it is sent', async () => {
      const [first, second, third] = await add(...inLane('a', 3));
      const [run = []] = await claimRuns(3);
      await record(run[0] as Claimed, SENT);
      await record(run[1] as Claimed, FAILED);
      await one.release([third?.id ?? '']);
      expect(await claimRuns(3, other)).toEqual([]);
      now += MINUTE;
      expect((await claimRuns(3, other)).map(ids)).toEqual([ids([second, third] as NewMessage[])]);
      expect((await look(first?.id ?? '')).status).toBe('sent');
    });

    test('another node claims a run again after its leases have ended; the attempt of the first counts', async () => {
      const rows = await add(...inLane('a', 3));
      await claimRuns(3);
      now += LEASE_MS - 1;
      expect(await claimRuns(3, other)).toEqual([]);
      now += 1;
      const [run = []] = await claimRuns(3, other);
      expect(ids(run)).toEqual(ids(rows));
      expect(run.map(({ attempts }) => attempts)).toEqual([1, 0, 0]);
    });

    test('a run has neither later parts of messages nor rows that are not due', async () => {
      const lane = 'a';
      const sent = await add(
        message({ lane }),
        message({ lane, part: 1 }),
        message({ lane, notBefore: now + MINUTE }),
        message({ lane }),
      );
      const [run = []] = await claimRuns(4);
      expect(ids(run)).toEqual(ids([sent[0], sent[3]] as NewMessage[]));
      // The gap ends the run when it is delivered.
      expect(run.map(({ position }) => position)).toEqual([1, 4]);
    });

    test('a row that stepped aside has no rows behind it in its run', async () => {
      await add(...inLane('a', 1));
      for (let attempt = 1; attempt <= 5; attempt++) {
        await recordAll(await claim(), FAILED);
        now += MINUTE;
      }
      await add(...inLane('a', 3));
      expect((await claimRuns(3)).map((run) => run.length)).toEqual([1, 3]);
    });

    test('a row queues behind one of its lane that a concurrent transaction is storing', async () => {
      const [first, second] = inLane('a', 2) as [NewMessage, NewMessage];
      const stored = Promise.withResolvers<void>();
      const commit = Promise.withResolvers<void>();
      const earlier = database.transaction(async (trx) => {
        await one.add(trx, [first]);
        stored.resolve();
        await commit.promise;
      });
      await stored.promise;
      const later = add(second);
      if (kind === 'postgres') await Promise.race([later, until(() => isLockAwaited(database))]);
      commit.resolve();
      await Promise.all([earlier, later]);
      expect(ids(await claim())).toEqual([first.id]);
    });

    test('with concurrent writers each lane has one unblocked row', async () => {
      const work = async () => {
        for (let round = 0; round < 5; round++) {
          await add(message({ lane: 'a' }), message({ lane: 'b' }));
          await recordAll(await claim(one, 1), SENT);
        }
      };
      await Promise.all(Array.from({ length: 8 }, work));
      const delivered: string[] = [];
      for (let rows = await claim(); rows.length > 0; rows = await claim()) {
        expect(new Set(rows.map(({ lane }) => lane)).size).toBe(rows.length);
        delivered.push(...ids(rows));
        await recordAll(rows, SENT);
      }
      const left = await database.read
        .selectFrom('outbox')
        .select('id')
        .where('status', '=', 'queued')
        .execute();
      expect(left).toEqual([]);
    });
  });
});

describe.each(DATABASES)('nodes on %s whose clocks differ by four minutes', (kind) => {
  let database: Database;
  let node: Node;
  let other: Node;

  beforeAll(async () => {
    database = await freshDatabase(kind);
  });
  beforeEach(async () => {
    await database.transaction((trx) => trx.deleteFrom('outbox').execute());
    node = openNode(database, 'node');
    other = openNode(database, 'other');
  });
  afterEach(() => {
    setSystemTime();
  });

  /** Runs `work` on a node whose clock is wrong by `skewMs`. */
  async function skewed<Result>(skewMs: number, work: () => Promise<Result>): Promise<Result> {
    setSystemTime();
    setSystemTime(Date.now() + skewMs);
    return await work();
  }
  const behind = <Result>(work: () => Promise<Result>) => skewed(-2 * MINUTE, work);
  const ahead = <Result>(work: () => Promise<Result>) => skewed(2 * MINUTE, work);
  const add = (more: Partial<NewMessage>) => database.transaction((trx) => node.add(trx, [newMessage(more)]));
  const claim = async (by: Node) => (await by.recordAndClaim([], { ...NOTHING, runs: 10 })).claimed.flat();

  test('do not claim rows that the other has leased', async () => {
    await add({});
    expect(await behind(() => claim(node))).toHaveLength(1);
    expect(await ahead(() => claim(other))).toEqual([]);
  });

  test('renew and release leases on the same time', async () => {
    await add({});
    const [row] = await ahead(() => claim(node));
    await behind(() => node.renew([row?.id ?? '']));
    expect(await ahead(() => claim(other))).toEqual([]);
    await behind(() => node.release([row?.id ?? '']));
    expect(await behind(() => claim(other))).toHaveLength(1);
  });

  test('deliver nothing early', async () => {
    await add({ notBefore: Date.now() + MINUTE });
    await behind(() => add({ delayMs: MINUTE }));
    expect(await ahead(() => claim(node))).toEqual([]);
    const dueInMs = (await ahead(() => node.nextDueInMs('test'))) ?? 0;
    expect(dueInMs).toBeGreaterThan(0);
    expect(dueInMs).toBeLessThanOrEqual(MINUTE);
  });

  test('deliver nothing late', async () => {
    await ahead(() => add({}));
    expect(await behind(() => claim(node))).toHaveLength(1);
  });

  test('retry after the same delay', async () => {
    await add({});
    const [message] = await behind(() => claim(node));
    const delivery: Delivery = { outcome: 'held', reason: 'paused', retryAfterMs: 1 };
    await ahead(() => node.recordAndClaim([{ message: message as Claimed, delivery }], NOTHING));
    let again: Claimed[] = [];
    while (again.length === 0) again = await behind(() => claim(other));
  });
});
