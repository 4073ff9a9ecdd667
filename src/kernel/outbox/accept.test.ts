import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase, withClock } from '../../../test/harness/database.ts';
import { until } from '../../../test/harness/until.ts';
import { type Clock, DAY, SECOND } from '../clock.ts';
import { createVault } from '../crypto/vault.ts';
import type { Database } from '../database/database.ts';
import { createLocalSignals } from '../database/signals.ts';
import { Unavailable } from '../errors/unavailable.ts';
import { firstIdAt } from '../ids.ts';
import { createLog } from '../log.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { Problem } from '../problem.ts';
import { createAccept } from './accept.ts';
import type { Acceptance, Answer, Screen } from './acceptance.ts';
import { ATTEMPTED, createFirstAttempt } from './first-attempt.ts';
import { fingerprintOf } from './idempotency.ts';
import type { Claimed, Delivery } from './message.ts';
import { createOutbox, type Outbox } from './outbox.ts';

const SENT: Delivery = { outcome: 'sent', result: null };
const FAILED: Delivery = { outcome: 'later', code: 'trouble', reason: 'the peer is unavailable' };

describe.each(DATABASES)('acceptance and delivery on %s', (kind) => {
  let database: Database;
  let outbox: Outbox;
  let clock: Clock & { ahead: number };
  let delivered: Claimed[];
  /** Number of transactions that fail from now on. */
  let failures: number;
  let deliver: (message: Claimed, signal: AbortSignal) => Promise<Delivery>;

  beforeAll(async () => {
    const clockOfTests = { now: () => clock.now() };
    database = withClock(await freshDatabase(kind), clockOfTests);
  });
  beforeEach(async () => {
    await database.transaction(async (trx) => {
      await trx.deleteFrom('outbox').execute();
      await trx.deleteFrom('idempotency_keys').execute();
    });
    clock = { ahead: 0, now: () => Date.now() + clock.ahead };
    delivered = [];
    deliver = async () => SENT;
    failures = 0;
    const sometimesDown: Database = {
      ...database,
      get now() {
        return database.now;
      },
      transaction: (work) =>
        failures-- > 0 ? Promise.reject(new Error('the database is down')) : database.transaction(work),
    };
    outbox = createOutbox({
      giveWay: () => undefined,
      database: sometimesDown,
      signals: createLocalSignals(),
      vault: createVault(Buffer.alloc(32, 7)),
      clock,
      log: createLog('silent'),
      metrics: createMetrics(),
    });
  });
  afterEach(() => outbox.stop(0));

  const start = (concurrency = 4) =>
    outbox.start([
      {
        kind: 'test',
        concurrency,
        deliver(message, signal) {
          delivered.push(message);
          return deliver(message, signal);
        },
      },
    ]);

  interface Options {
    key?: string | null;
    async?: boolean;
    text?: string;
    client?: string;
    lane?: string | null;
    parts?: number;
  }
  const acceptance = ({
    key = null,
    async = false,
    text = 'hello',
    client = 'c',
    lane = null,
    parts = 1,
  }: Options = {}): Acceptance => ({
    route: '/send',
    clientId: client,
    delivery: { idempotencyKey: key, async },
    fingerprint: fingerprintOf({ text }),
    compose: (messageId) =>
      Array.from({ length: parts }, (_, part) => ({
        id: part === 0 ? messageId : Bun.randomUUIDv7(),
        messageId,
        part,
        kind: 'test',
        clientId: client,
        lane,
        payload: { text },
        sandbox: false,
      })),
    answer: (id, attempted): Answer =>
      attempted?.parts.every(({ status }) => status === 'sent')
        ? { status: 200, body: { id } }
        : { status: 202, body: { id } },
  });
  const createSend = (screen?: Screen<Acceptance>) => {
    const accept = createAccept({ database, outbox, clock, screen });
    return async (options?: Options) => {
      const { status, body } = await accept(acceptance(options));
      return { status, id: (body as { id: string }).id };
    };
  };
  const stored = async () => (await database.read.selectFrom('outbox').select('id').execute()).length;

  test('the response waits for the first attempt', async () => {
    start();
    const send = createSend();
    const { status, id } = await send();
    expect(status).toBe(200);
    expect(await outbox.parts(id)).toMatchObject([{ status: 'sent', attempts: 1 }]);
  });

  test('the wait for the first attempt is shorter when storing took long', async () => {
    let elapsed = 0;
    const waits: number[] = [];
    const accept = createAccept({
      ...{ database, clock, now: () => elapsed },
      outbox: {
        ...outbox,
        firstAttempt: async (_, limitMs) => {
          waits.push(limitMs);
          return null;
        },
      },
      screen: async () => {
        elapsed += 4 * SECOND;
        return new Map();
      },
    });
    await accept(acceptance());
    expect(waits).toEqual([6 * SECOND]);
  });

  test('a stored message is acknowledged while the database cannot be read', async () => {
    const away: Database = {
      ...database,
      get read(): never {
        throw new Unavailable('database', 'the database is down');
      },
    };
    const firstAttempt = createFirstAttempt({
      database: away,
      signals: createLocalSignals(),
      giveWay: () => undefined,
    });
    expect(await firstAttempt(Bun.randomUUIDv7(), 20)).toBeNull();
    let transactions = 0;
    const broken: Database = {
      ...database,
      transaction: (work) =>
        transactions++ === 0
          ? database.transaction(work)
          : Promise.reject(new Unavailable('database', 'the database is down')),
    };
    const accept = createAccept({
      ...{ database: broken, clock },
      outbox: { ...outbox, firstAttempt: async () => null },
    });
    expect((await accept(acceptance({ key: 'k' }))).status).toBe(202);
    expect(await stored()).toBe(1);
  });

  test('the first attempts of many parts are read a few times, not once for each', async () => {
    const parts = 200;
    let reads = 0;
    const counted: Database = {
      ...database,
      get read() {
        reads++;
        return database.read;
      },
    };
    const signals = createLocalSignals();
    const messageId = Bun.randomUUIDv7();
    const messages = Array.from({ length: parts }, (_, part) => ({
      ...{ id: part === 0 ? messageId : Bun.randomUUIDv7(), messageId, part, kind: 'test', clientId: null },
      ...{ lane: null, payload: {}, sandbox: false },
    }));
    await database.transaction((trx) => outbox.add(trx, messages));
    let pauses = 0;
    const giveWay = async () => void pauses++;
    const waiting = createFirstAttempt({ database: counted, signals, giveWay })(messageId, 10 * SECOND);
    for (const { id } of messages) {
      await database.transaction((trx) =>
        trx.updateTable('outbox').set({ status: 'sent' }).where('id', '=', id).execute(),
      );
      signals.emit(ATTEMPTED, messageId);
    }
    const attempted = await waiting;
    expect(attempted?.parts.filter(({ status }) => status === 'sent')).toHaveLength(parts);
    expect(attempted?.parts.filter((part) => 'payload' in part)).toEqual([]);
    expect(attempted?.first).toMatchObject({ id: messageId, payload: {} });
    expect(reads).toBeLessThan(parts / 2);
    expect(pauses).toBe(reads - 1);
  });

  test('a failed first attempt ends the wait', async () => {
    deliver = async () => FAILED;
    start();
    expect((await createSend()()).status).toBe(202);
    expect(delivered).toHaveLength(1);
  });

  test('a message that is not due within the limit ends the wait', async () => {
    deliver = async () => ({
      outcome: 'held',
      reason: 'the target is paused',
      retryAfterMs: 60 * SECOND,
    });
    start();
    expect((await createSend()()).status).toBe(202);
  });

  test('a message that is held for a moment does not end the wait', async () => {
    deliver = async ({ messageId }) =>
      delivered.filter((each) => each.messageId === messageId).length > 1
        ? SENT
        : { outcome: 'held', reason: 'a moment', retryAfterMs: 50 };
    start();
    expect((await createSend()()).status).toBe(200);
  });

  test('an asynchronous caller gets a response when the message is stored', async () => {
    const { status, id } = await createSend()({ async: true });
    expect(status).toBe(202);
    expect(await outbox.parts(id)).toHaveLength(1);
  });

  test('ids of messages have the time of the database, by which the log is sorted', async () => {
    const send = createSend();
    const ids: string[] = [];
    for (const ahead of [0, 60, 120].map((minutes) => minutes * 60 * SECOND)) {
      clock.ahead = ahead;
      const begin = firstIdAt(clock.now());
      const { id } = await send({ async: true });
      expect(id > begin && id < firstIdAt(clock.now() + 1)).toBe(true);
      ids.push(id);
    }
    expect(ids.toSorted()).toEqual(ids);
  });

  test('the response waits for all parts, which are delivered in order', async () => {
    start();
    expect((await createSend()({ parts: 5, lane: 'a' })).status).toBe(200);
    expect(delivered.map(({ part }) => part)).toEqual([0, 1, 2, 3, 4]);
  });

  test('concurrent messages are stored together, each with its own response', async () => {
    const send = createSend();
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) => send({ async: true, text: `${index}` })),
    );
    expect(new Set(answers.map(({ id }) => id)).size).toBe(300);
    expect(await stored()).toBe(300);
  });

  test('a message that cannot be stored does not fail those stored with it', async () => {
    const accept = createAccept({ database, outbox, clock });
    const good = () => accept(acceptance({ async: true }));
    const bad = accept({
      ...acceptance({ async: true }),
      store: async () => {
        throw new Error('there is no room for it');
      },
    });
    const outcomes = await Promise.allSettled([good(), good(), bad, good()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(await stored()).toBe(3);
  });

  describe('idempotency keys', () => {
    test('a repeat gets the first response, and nothing more is stored', async () => {
      start();
      const send = createSend();
      const first = await send({ key: 'k' });
      expect(await send({ key: 'k' })).toEqual(first);
      expect(await send({ key: 'k', async: true })).toEqual(first);
      expect(await stored()).toBe(1);
    });

    test('of many concurrent requests with one key, one is stored', async () => {
      start();
      const send = createSend();
      const answers = await Promise.all(Array.from({ length: 30 }, () => send({ key: 'k' })));
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
      expect(answers.every(({ status }) => status === 200)).toBe(true);
      expect(await stored()).toBe(1);
    });

    test('also when they arrive at several nodes', async () => {
      start();
      const nodes = Array.from({ length: 4 }, () => createSend());
      const answers = await Promise.all(nodes.flatMap((send) => [send({ key: 'k' }), send({ key: 'k' })]));
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
      expect(await stored()).toBe(1);
    });

    test('a repeat with another body is a conflict', async () => {
      const send = createSend();
      await send({ key: 'k', async: true });
      await expect(send({ key: 'k', async: true, text: 'other' })).rejects.toMatchObject({
        code: 'idempotency_conflict',
      });
    });

    test('a key belongs to one client', async () => {
      const send = createSend();
      const [a, b] = [
        await send({ key: 'k', async: true, client: 'a' }),
        await send({ key: 'k', async: true, client: 'b' }),
      ];
      expect(a.id).not.toBe(b.id);
    });

    test('a key expires after a day', async () => {
      const send = createSend();
      const first = await send({ key: 'k', async: true });
      clock.ahead = DAY - SECOND;
      expect((await send({ key: 'k', async: true })).id).toBe(first.id);
      clock.ahead = DAY + SECOND;
      expect((await send({ key: 'k', async: true })).id).not.toBe(first.id);
    });

    test('a repeat after a restart, before the first response, joins the first request', async () => {
      const first = createSend();
      deliver = () => new Promise(() => {});
      start();
      void first({ key: 'k' }).catch(() => {});
      await until(async () => (await stored()) > 0);
      const [row] = await database.read.selectFrom('outbox').select('message_id').execute();
      const repeat = createSend()({ key: 'k', async: true });
      expect(await repeat).toEqual({ status: 202, id: row?.message_id ?? '' });
    });

    test('a problem releases the key', async () => {
      const refuse = { now: true };
      const send = createSend(async (_, arrivals) =>
        refuse.now
          ? new Map(arrivals.map(({ messageId }) => [messageId, new Problem('rate_limited', 'Wait.')]))
          : new Map(),
      );
      await expect(send({ key: 'k', async: true })).rejects.toMatchObject({ code: 'rate_limited' });
      expect(await stored()).toBe(0);
      refuse.now = false;
      expect((await send({ key: 'k', async: true })).status).toBe(202);
      expect(await stored()).toBe(1);
    });

    test('the response to a screened message is kept', async () => {
      let screened = 0;
      const send = createSend(async (_, arrivals) => {
        screened += arrivals.length;
        return new Map(
          arrivals.map(({ messageId }) => [messageId, { status: 200, body: { id: `folded ${screened}` } }]),
        );
      });
      expect(await send({ key: 'k' })).toEqual({ status: 200, id: 'folded 1' });
      expect(await send({ key: 'k' })).toEqual({ status: 200, id: 'folded 1' });
      expect(await stored()).toBe(0);
    });
  });

  describe('the worker', () => {
    const ended = async (count: number) => {
      const rows = () =>
        database.read.selectFrom('outbox').select('id').where('status', '!=', 'queued').execute();
      await until(async () => (await rows()).length >= count);
    };

    test('delivers at most as many messages at a time as the transport allows', async () => {
      let underWay = 0;
      let most = 0;
      deliver = async () => {
        most = Math.max(most, ++underWay);
        await new Promise(setImmediate);
        underWay--;
        return SENT;
      };
      start(3);
      const send = createSend();
      await Promise.all(Array.from({ length: 50 }, () => send({ async: true })));
      await ended(50);
      expect(most).toBe(3);
      expect(delivered).toHaveLength(50);
    });

    test('a delivery that hangs delays no other', async () => {
      deliver = ({ payload }) =>
        (payload as { text: string }).text === 'hang' ? new Promise(() => {}) : Promise.resolve(SENT);
      start(2);
      const send = createSend();
      await send({ async: true, text: 'hang', lane: 'slow' });
      await Promise.all(Array.from({ length: 20 }, () => send({ lane: 'quick' })));
      expect(delivered).toHaveLength(21);
    });

    test('a message whose deadline passed while no server ran fails without an attempt', async () => {
      const send = createSend();
      const { id } = await send({ async: true, lane: 'a' });
      clock.ahead = 2 * DAY;
      const { id: later } = await send({ async: true, lane: 'a' });
      start();
      await ended(2);
      const reason = 'the message could not be delivered within 24 hours';
      expect(await outbox.parts(id)).toMatchObject([
        { status: 'failed', errorCode: 'deadline', error: reason },
      ]);
      expect(delivered.map(({ messageId }) => messageId)).toEqual([later]);
    });

    test('an error of a transport is a temporary failure', async () => {
      deliver = async () => {
        throw new Error('unforeseen');
      };
      start();
      const { id } = await createSend()();
      expect(await outbox.parts(id)).toMatchObject([
        { status: 'queued', attempts: 1, errorCode: 'internal_error' },
      ]);
    });

    test('records an outcome when the database is back, and does not deliver again', async () => {
      deliver = async () => {
        failures = 3;
        return SENT;
      };
      start();
      const { id } = await createSend()();
      expect(await outbox.parts(id)).toMatchObject([{ status: 'sent', attempts: 1 }]);
      expect(delivered).toHaveLength(1);
    });

    test('delivers messages that were stored before it started', async () => {
      const send = createSend();
      await Promise.all(Array.from({ length: 20 }, () => send({ async: true })));
      start();
      await ended(20);
    });

    test('stops: aborts attempts that hang, releases them without counting them, and starts no new ones', async () => {
      let aborted = false;
      deliver = (_, signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => {
            aborted = true;
            reject(signal.reason);
          }),
        );
      start(1);
      const send = createSend();
      const { id } = await send({ async: true });
      await send({ async: true });
      await until(() => delivered.length > 0);
      await outbox.stop(1);
      expect(aborted).toBe(true);
      expect(delivered).toHaveLength(1);
      const row = await database.read
        .selectFrom('outbox')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      expect(row).toMatchObject({ status: 'queued', attempts: 0, lease_owner: null, lease_until: null });
    });
  });
});
