import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { freshDatabase, withClock } from '../../../test/harness/database.ts';
import { until } from '../../../test/harness/until.ts';
import { MINUTE, systemClock } from '../clock.ts';
import { createVault } from '../crypto/vault.ts';
import type { Database } from '../database/database.ts';
import { Unavailable } from '../errors/unavailable.ts';
import { newId } from '../ids.ts';
import { createLeases, LEASE_MS } from '../leases/leases.ts';
import { createLog } from '../log.ts';
import type { Claim } from './claim-runs.ts';
import { type Claims, createClaims } from './claims.ts';
import { createLanes } from './lanes.ts';
import type { Claimed, Delivery, Transport } from './message.ts';
import { createQueue } from './queue.ts';
import { LEASE_COLUMNS } from './rows.ts';
import { startWorker, type Worker } from './worker.ts';

const SENT: Delivery = { outcome: 'sent', result: null };
/** More failures than seconds in a lease. */
const MANY = 40;

describe('an outage of the database that is longer than a lease', () => {
  let database: Database;
  let now: number;
  let isDown: boolean;
  /** Transactions that failed. */
  let failures: number;
  /** Rows that were claimed, in order, and the ends of their deliveries. */
  let claimed: string[];
  let deliveries: { id: string; end(): void }[];
  let worker: Worker;

  beforeEach(async () => {
    now = Date.UTC(2026, 0, 1);
    [isDown, failures, claimed, deliveries] = [false, 0, [], []];
    database = withClock(await freshDatabase('sqlite'), { now: () => now });
    worker = await startDelivery();
  });
  afterEach(async () => await worker.stop(0));

  /** Stores a message, and returns a worker that is delivering it. */
  async function startDelivery(): Promise<Worker> {
    const leases = createLeases(LEASE_COLUMNS, { database, clock: systemClock });
    const deps = { database, vault: createVault(Buffer.alloc(32, 7)), lanes: createLanes(database), leases };
    await add(deps);
    const started = startWorker({
      claims: withOutages(createClaims({ ...deps, node: 'one' })),
      transport: {
        kind: 'test',
        concurrency: 4,
        deliver: ({ id }) => new Promise((end) => deliveries.push({ id, end: () => end(SENT) })),
      },
      log: createLog('silent'),
      attempted() {},
      pauseMs: 1,
    });
    await until(() => deliveries.length === 1);
    return started;
  }

  function withOutages(claims: Claims): Claims {
    return {
      ...claims,
      async recordAndClaim(...args) {
        if (isDown) {
          failures++;
          throw new Unavailable('database', 'is down');
        }
        const result = await claims.recordAndClaim(...args);
        claimed.push(...result.claimed.flat().map(({ id }) => id));
        return result;
      },
    };
  }

  async function add(deps: Parameters<typeof createQueue>[0]): Promise<void> {
    const id = newId();
    const message = { id, messageId: id, part: 0, kind: 'test', clientId: null, lane: null, payload: {} };
    await database.transaction((trx) => createQueue(deps).add(trx, [{ ...message, sandbox: false }]));
  }

  const row = () => database.read.selectFrom('outbox').selectAll().executeTakeFirstOrThrow();
  const isSent = async () => (await row()).status === 'sent';
  const failOften = () => {
    const enough = failures + MANY;
    return until(() => failures >= enough);
  };
  const finish = () => deliveries[0]?.end();

  test('starts no second delivery of a message that is being delivered', async () => {
    now += LEASE_MS;
    worker.wake();
    await until(() => claimed.length === 2);
    expect((await row()).lease_until).toBe(now + LEASE_MS);
    finish();
    await until(isSent);
    expect(deliveries).toHaveLength(1);
  });

  test('loses no outcome', async () => {
    isDown = true;
    finish();
    await failOften();
    now += LEASE_MS;
    isDown = false;
    worker.wake();
    await until(isSent);
    expect(deliveries).toHaveLength(1);
  });

  test('a stop waits until the outcome is recorded', async () => {
    isDown = true;
    finish();
    await failOften();
    const stopped = worker.stop(MINUTE);
    await failOften();
    isDown = false;
    await stopped;
    expect(await isSent()).toBe(true);
  });

  test('a stop without time leaves the lease of a message whose outcome is not recorded', async () => {
    isDown = true;
    finish();
    await failOften();
    await worker.stop(0);
    isDown = false;
    expect(await row()).toMatchObject({ status: 'queued', lease_owner: 'one' });
  });
});

describe('a worker', () => {
  const row = (id: string, position: number) =>
    ({ id, messageId: id, kind: 'test', lane: 'a', position }) as Claimed;
  const claims: Omit<Claims, 'recordAndClaim'> = {
    nextDueInMs: async () => null,
    keep: () => ({ isHeld: () => true, stop() {} }),
    release: async () => {},
  };
  const log = createLog('silent');
  const attempted = () => {};
  /** A transport whose deliveries last until they are aborted. Adds the ids of their rows to `delivered`. */
  const hanging = (delivered: string[]): Transport => ({
    kind: 'test',
    concurrency: 4,
    deliver({ id }, signal) {
      delivered.push(id);
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(SENT)));
    },
  });

  test('releases the rows behind one that is being delivered when it is claimed again', async () => {
    const [first, ...behind] = [row('1', 1), row('2', 2), row('3', 3)] as [Claimed, ...Claimed[]];
    const runs = [[first], [first, ...behind]];
    const released: string[] = [];
    const delivered: string[] = [];
    const worker = startWorker({
      claims: {
        ...claims,
        recordAndClaim: async () => ({ recorded: [], claimed: runs.splice(0, 1) }),
        release: async (ids) => void released.push(...ids),
      },
      transport: hanging(delivered),
      log,
      attempted,
    });
    await until(() => delivered.length === 1);
    worker.wake();
    await until(() => runs.length === 0);
    worker.wake();
    await until(() => released.length === 2);
    expect(released).toEqual(['2', '3']);
    await worker.stop(0);
    expect(delivered).toEqual(['1']);
  });

  test('delivers the message of a client although the backlog of another one uses the whole concurrency', async () => {
    const backlog = ['1', '2', '3', '4', '5'].map((id) => ({ ...row(id, 1), clientId: 'many' }));
    const few = { ...row('6', 1), clientId: 'few' };
    const delivered: string[] = [];
    const claimed: Omit<Claim, 'kind'>[] = [];
    const worker = startWorker({
      claims: {
        ...claims,
        async recordAndClaim(_, claim) {
          claimed.push(claim);
          const others = claim.busy.includes('many') && !claim.busy.includes('few') ? [few] : [];
          const due = [...backlog.splice(0, claim.runs), ...others.slice(0, claim.extra)];
          return { recorded: [], claimed: due.map((message) => [message]) };
        },
      },
      transport: hanging(delivered),
      log,
      attempted,
    });
    await until(() => delivered.length === 4);
    worker.wake();
    await until(() => delivered.length === 5);
    expect(delivered).toEqual(['1', '2', '3', '4', '6']);
    worker.wake();
    await until(() => claimed.at(-1)?.extra === 0);
    expect(claimed.at(-1)).toMatchObject({ runs: 0, busy: ['many', 'few'] });
    await worker.stop(0);
  });

  test('stops while the database is down, and leaves the leases', async () => {
    let isDelivering = false;
    const worker = startWorker({
      claims: {
        ...claims,
        recordAndClaim: async (_, { runs }) => ({ recorded: [], claimed: runs > 0 ? [[row('1', 1)]] : [] }),
        async release() {
          throw new Unavailable('database', 'is down');
        },
      },
      transport: {
        kind: 'test',
        concurrency: 1,
        deliver() {
          isDelivering = true;
          return new Promise(() => {});
        },
      },
      log,
      attempted,
    });
    await until(() => isDelivering);
    await worker.stop(0);
  });

  test('keeps no more outcomes that cannot be recorded than it delivers at once', async () => {
    const claimable: number[] = [];
    const worker = startWorker({
      claims: {
        ...claims,
        async recordAndClaim(attempts, { runs }) {
          if (attempts.length > 0) throw new Unavailable('database', 'is down');
          claimable.push(runs);
          return { recorded: [], claimed: claimable.length === 1 ? [[row('1', 1)], [row('2', 1)]] : [] };
        },
      },
      transport: { kind: 'test', concurrency: 3, deliver: async () => SENT },
      log,
      attempted,
      pauseMs: MINUTE,
    });
    await until(() => {
      worker.wake();
      return claimable.at(-1) === 1;
    });
    expect(claimable[0]).toBe(3);
    await worker.stop(0);
  });
});
