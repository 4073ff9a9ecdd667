import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase } from '../../../test/harness/database.ts';
import { type Clock, DAY, SECOND } from '../clock.ts';
import { createVault } from '../crypto/vault.ts';
import type { Database } from '../database/database.ts';
import { createLocalSignals } from '../database/signals.ts';
import { Problem } from '../http/problem.ts';
import { createLog } from '../log.ts';
import { createMetrics } from '../metrics.ts';
import { type Acceptance, type Answer, createAccept, fingerprintOf, type Sift } from './acceptance.ts';
import type { Claimed, Delivery } from './message.ts';
import { createOutbox, type Outbox } from './outbox.ts';

const SENT: Delivery = { outcome: 'sent', result: null };
const FAILED: Delivery = { outcome: 'later', code: 'trouble', reason: 'the peer is not well' };

describe.each(DATABASES)('accepting and delivering on %s', (kind) => {
  let database: Database;
  let outbox: Outbox;
  let clock: Clock & { ahead: number };
  let delivered: Claimed[];
  let away: boolean;
  let deliver: (message: Claimed, signal: AbortSignal) => Promise<Delivery>;

  beforeAll(async () => {
    database = await freshDatabase(kind);
  });
  beforeEach(async () => {
    await database.transaction(async (trx) => {
      await trx.deleteFrom('outbox').execute();
      await trx.deleteFrom('idempotency_keys').execute();
    });
    clock = { ahead: 0, now: () => Date.now() + clock.ahead };
    delivered = [];
    deliver = async () => SENT;
    away = false;
    const sometimesAway: Database = {
      ...database,
      transaction: (work) => (away ? Promise.reject(new Error('the database is away')) : database.transaction(work)),
    };
    outbox = createOutbox({
      database: sometimesAway,
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

  interface Wishes {
    key?: string | null;
    async?: boolean;
    text?: string;
    client?: string;
    lane?: string | null;
    parts?: number;
  }
  const acceptance = ({ key = null, async = false, text = 'hello', client = 'c', lane = null, parts = 1 }: Wishes = {}): Acceptance => ({
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
    answer: (id, rows): Answer =>
      rows.length > 0 && rows.every(({ status }) => status === 'sent') ? { status: 200, body: { id } } : { status: 202, body: { id } },
  });
  const createTaking = (sift?: Sift<Acceptance>) => {
    const accept = createAccept({ database, outbox, clock, sift });
    return async (wishes?: Wishes) => {
      const { status, body } = await accept(acceptance(wishes));
      return { status, id: (body as { id: string }).id };
    };
  };
  const stored = async () => (await database.read.selectFrom('outbox').select('id').execute()).length;

  test('the answer waits for the first attempt', async () => {
    start();
    const take = createTaking();
    const { status, id } = await take();
    expect(status).toBe(200);
    expect(await outbox.parts(id)).toMatchObject([{ status: 'sent', attempts: 1 }]);
  });

  test('a failed first attempt ends the waiting', async () => {
    deliver = async () => FAILED;
    start();
    expect((await createTaking()()).status).toBe(202);
    expect(delivered).toHaveLength(1);
  });

  test('so does a message that will not be tried in time', async () => {
    deliver = async () => ({ outcome: 'held', reason: 'the target is paused', untilMs: clock.now() + 60 * SECOND });
    start();
    expect((await createTaking()()).status).toBe(202);
  });

  test('what is held for a moment is waited for', async () => {
    deliver = async ({ messageId }) =>
      delivered.filter((each) => each.messageId === messageId).length > 1
        ? SENT
        : { outcome: 'held', reason: 'a moment', untilMs: clock.now() + 50 };
    start();
    expect((await createTaking()()).status).toBe(200);
  });

  test('who does not want to wait is answered when it is stored', async () => {
    const { status, id } = await createTaking()({ async: true });
    expect(status).toBe(202);
    expect(await outbox.parts(id)).toHaveLength(1);
  });

  test('all parts are waited for, and come in order', async () => {
    start();
    expect((await createTaking()({ parts: 5, lane: 'a' })).status).toBe(200);
    expect(delivered.map(({ part }) => part)).toEqual([0, 1, 2, 3, 4]);
  });

  test('what comes at once is stored together, each with its own answer', async () => {
    const take = createTaking();
    const answers = await Promise.all(Array.from({ length: 300 }, (_, index) => take({ async: true, text: `${index}` })));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(300);
    expect(await stored()).toBe(300);
  });

  test('one that cannot be stored does not drag down those stored with it', async () => {
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
    test('a repeat gets the first answer, and nothing more is stored', async () => {
      start();
      const take = createTaking();
      const first = await take({ key: 'k' });
      expect(await take({ key: 'k' })).toEqual(first);
      expect(await take({ key: 'k', async: true })).toEqual(first);
      expect(await stored()).toBe(1);
    });

    test('of many at once, one is stored', async () => {
      start();
      const take = createTaking();
      const answers = await Promise.all(Array.from({ length: 30 }, () => take({ key: 'k' })));
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
      expect(answers.every(({ status }) => status === 200)).toBe(true);
      expect(await stored()).toBe(1);
    });

    test('also when they come to several nodes', async () => {
      start();
      const nodes = Array.from({ length: 4 }, () => createTaking());
      const answers = await Promise.all(nodes.flatMap((take) => [take({ key: 'k' }), take({ key: 'k' })]));
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
      expect(await stored()).toBe(1);
    });

    test('another body is a conflict', async () => {
      const take = createTaking();
      await take({ key: 'k', async: true });
      await expect(take({ key: 'k', async: true, text: 'other' })).rejects.toMatchObject({ code: 'idempotency_conflict' });
    });

    test('they are of one client each', async () => {
      const take = createTaking();
      const [a, b] = [await take({ key: 'k', async: true, client: 'a' }), await take({ key: 'k', async: true, client: 'b' })];
      expect(a.id).not.toBe(b.id);
    });

    test('after a day they are forgotten', async () => {
      const take = createTaking();
      const first = await take({ key: 'k', async: true });
      clock.ahead = DAY - SECOND;
      expect((await take({ key: 'k', async: true })).id).toBe(first.id);
      clock.ahead = DAY + SECOND;
      expect((await take({ key: 'k', async: true })).id).not.toBe(first.id);
    });

    test('a repeat after a restart, before the first was answered, joins it', async () => {
      const first = createTaking();
      deliver = () => new Promise(() => {});
      start();
      void first({ key: 'k' }).catch(() => {});
      while ((await stored()) === 0) await Bun.sleep(1);
      const [row] = await database.read.selectFrom('outbox').select('message_id').execute();
      const repeat = createTaking()({ key: 'k', async: true });
      expect(await repeat).toEqual({ status: 202, id: row?.message_id ?? '' });
    });

    test('a refusal frees the key', async () => {
      const refuse = { now: true };
      const take = createTaking(async (_, arrivals) =>
        refuse.now ? new Map(arrivals.map(({ messageId }) => [messageId, new Problem('rate_limited', 'Wait.')])) : new Map(),
      );
      await expect(take({ key: 'k', async: true })).rejects.toMatchObject({ code: 'rate_limited' });
      expect(await stored()).toBe(0);
      refuse.now = false;
      expect((await take({ key: 'k', async: true })).status).toBe(202);
      expect(await stored()).toBe(1);
    });

    test('an answer without storing is kept', async () => {
      let sifted = 0;
      const take = createTaking(async (_, arrivals) => {
        sifted += arrivals.length;
        return new Map(arrivals.map(({ messageId }) => [messageId, { status: 200, body: { id: `folded ${sifted}` } }]));
      });
      expect(await take({ key: 'k' })).toEqual({ status: 200, id: 'folded 1' });
      expect(await take({ key: 'k' })).toEqual({ status: 200, id: 'folded 1' });
      expect(await stored()).toBe(0);
    });
  });

  describe('the worker', () => {
    const ended = async (count: number) => {
      const rows = () => database.read.selectFrom('outbox').select('id').where('status', '!=', 'queued').execute();
      while ((await rows()).length < count) await Bun.sleep(2);
    };

    test('delivers at most as many at once as the transport may', async () => {
      let underWay = 0;
      let most = 0;
      deliver = async () => {
        most = Math.max(most, ++underWay);
        await Bun.sleep(1);
        underWay--;
        return SENT;
      };
      start(3);
      const take = createTaking();
      await Promise.all(Array.from({ length: 50 }, () => take({ async: true })));
      await ended(50);
      expect(most).toBe(3);
      expect(delivered).toHaveLength(50);
    });

    test('one that hangs delays nobody else', async () => {
      deliver = ({ payload }) => ((payload as { text: string }).text === 'hang' ? new Promise(() => {}) : Promise.resolve(SENT));
      start(2);
      const take = createTaking();
      await take({ async: true, text: 'hang', lane: 'slow' });
      await Promise.all(Array.from({ length: 20 }, () => take({ lane: 'quick' })));
      expect(delivered).toHaveLength(21);
    });

    test('a transport that throws has failed for now', async () => {
      deliver = async () => {
        throw new Error('unforeseen');
      };
      start();
      const { id } = await createTaking()();
      expect(await outbox.parts(id)).toMatchObject([{ status: 'queued', attempts: 1, errorCode: 'internal_error' }]);
    });

    test('notes the end of a delivery when the database is back, and does not deliver again', async () => {
      deliver = async () => {
        away = true;
        setTimeout(() => {
          away = false;
        }, 20);
        return SENT;
      };
      start();
      const { id } = await createTaking()();
      expect(await outbox.parts(id)).toMatchObject([{ status: 'sent', attempts: 1 }]);
      expect(delivered).toHaveLength(1);
    });

    test('takes up what was stored while it did not run', async () => {
      const take = createTaking();
      await Promise.all(Array.from({ length: 20 }, () => take({ async: true })));
      start();
      await ended(20);
    });

    test('stops: what hangs is told so and given back uncounted, nothing new is begun', async () => {
      let told = false;
      deliver = (_, signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => {
            told = true;
            reject(signal.reason);
          }),
        );
      start(1);
      const take = createTaking();
      const { id } = await take({ async: true });
      await take({ async: true });
      while (delivered.length === 0) await Bun.sleep(1);
      await outbox.stop(1);
      expect(told).toBe(true);
      expect(delivered).toHaveLength(1);
      const row = await database.read.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      expect(row).toMatchObject({ status: 'queued', attempts: 0, lease_owner: null, lease_until: null });
    });
  });
});
