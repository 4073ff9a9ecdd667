import { beforeEach, describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase, isLockAwaited, withClock } from '../../../test/harness/database.ts';
import { until } from '../../../test/harness/until.ts';
import { DAY, MINUTE, SECOND } from '../../kernel/clock.ts';
import { createVault } from '../../kernel/crypto/vault.ts';
import type { Database } from '../../kernel/database/database.ts';
import { createLeases } from '../../kernel/leases/leases.ts';
import { type Claims, createClaims } from '../../kernel/outbox/claims.ts';
import { createLanes } from '../../kernel/outbox/lanes.ts';
import type { Outbox } from '../../kernel/outbox/outbox.ts';
import { createQueue } from '../../kernel/outbox/queue.ts';
import { LEASE_COLUMNS } from '../../kernel/outbox/rows.ts';
import { CHAT_EDIT, createFolding, type EditPayload, type Folded, type Folding } from './folding.ts';

// SQLite runs one transaction at a time.
describe('repeats on two nodes when a fold expires', () => {
  const OPENED = 1_800_000_000_000;
  const outbox = { add: async () => {} } as unknown as Outbox;
  let database: Database;
  let before: Folding;
  let after: Folding;

  beforeEach(async () => {
    database = await freshDatabase('postgres');
    const node = (at: number) => createFolding({ database, outbox, clock: { now: () => at } });
    before = node(OPENED);
    after = node(OPENED + MINUTE);
    await database.transaction((trx) => before.fold(trx, [candidate('first')], () => true));
  });

  const candidate = (messageId: string) => ({ messageId, channelId: 'one', foldKey: 'key', sandbox: true });

  /** Folds `messageId` on `node`, from a time at which a transaction that frees the fold has not committed. */
  async function foldBeside(node: Folding, messageId: string, isAdmitted: boolean) {
    let folds: Promise<Map<string, Folded>> | undefined;
    await database.transaction(async (trx) => {
      await after.fold(trx, [candidate('freeing')], () => isAdmitted);
      folds = database.transaction((other) => node.fold(other, [candidate(messageId)], () => true));
      await until(() => isLockAwaited(database));
    });
    return await folds;
  }

  test('a message after the first of the next fold is its repeat', async () => {
    const folds = await foldBeside(after, 'second', true);
    expect(folds).toEqual(new Map([['second', { into: 'freeing', count: 2 }]]));
  });

  test('a message whose fold was freed meanwhile is a first one', async () => {
    expect(await foldBeside(before, 'second', false)).toEqual(new Map());
    const rows = await database.read.selectFrom('chat_folds').select(['message_id', 'count']).execute();
    expect(rows).toEqual([{ message_id: 'second', count: 1 }]);
  });
});

test.each(DATABASES)(
  'a count whose edit has ended undelivered is deleted after two days on %s',
  async (kind) => {
    let now = 1_800_000_000_000;
    const database = await freshDatabase(kind);
    const outbox = { add: async () => {} } as unknown as Outbox;
    const folding = createFolding({ database, outbox, clock: { now: () => now } });
    for (const messageId of ['first', 'repeat']) {
      const candidate = { messageId, channelId: 'one', foldKey: 'key', sandbox: true };
      await database.transaction((trx) => folding.fold(trx, [candidate], () => true));
    }
    const counts: number[] = [];
    for (let day = 0; day < 3; day++) {
      now += DAY;
      await folding.sweep();
      counts.push((await database.read.selectFrom('chat_folds').select('count').execute()).length);
    }
    expect(counts).toEqual([1, 1, 0]);
  },
);

describe.each(DATABASES)('edits of folded messages by two nodes on %s', (kind) => {
  test('are delivered one after the other for one message, and carry its last count', async () => {
    let now = Date.UTC(2026, 0, 1);
    const clock = { now: () => now };
    const database = withClock(await freshDatabase(kind), clock);
    const leases = createLeases(LEASE_COLUMNS, { database, clock });
    const deps = { database, vault: createVault(Buffer.alloc(32, 7)), lanes: createLanes(database), leases };
    const [first, second] = ['one', 'two'].map((node) => createClaims({ ...deps, node }));
    if (!first || !second) throw new Error('two nodes');
    const folding = createFolding({ database, outbox: createQueue(deps) as Outbox, clock });
    const send = (messageId: string, foldKey: string) =>
      database.transaction((trx) =>
        folding.fold(trx, [{ messageId, channelId: 'one', foldKey, sandbox: true }], () => true),
      );
    /** Claims the edits that are due after a second; returns them with the messages that they edit. */
    const claim = async (node: Claims) => {
      now += SECOND;
      const { claimed } = await node.recordAndClaim([], {
        kind: CHAT_EDIT,
        runs: 9,
        extra: 0,
        busy: [],
        length: 1,
      });
      return claimed.flat().map((edit) => ({ edit, of: (edit.payload as EditPayload).messageId }));
    };

    await send('first', 'key');
    await send('repeat', 'key');
    const [earlier, ...others] = await claim(first);
    if (!earlier) throw new Error('an edit');
    expect([earlier.of, others, await folding.takeCount('first')]).toEqual(['first', [], 2]);
    await send('another repeat', 'key');
    await send('other', 'other key');
    await send('repeat of the other', 'other key');
    expect((await claim(second)).map(({ of }) => of)).toEqual(['other']);
    const delivery = { outcome: 'sent' as const, result: null };
    await first.recordAndClaim([{ message: earlier.edit, delivery }], {
      kind: CHAT_EDIT,
      runs: 0,
      extra: 0,
      busy: [],
      length: 1,
    });
    expect((await claim(second)).map(({ of }) => of)).toEqual(['first']);
    expect(await folding.takeCount('first')).toBe(3);
  });
});
