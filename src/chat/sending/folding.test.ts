import { beforeEach, describe, expect, test } from 'bun:test';
import { freshDatabase, isLockAwaited } from '../../../test/harness/database.ts';
import { until } from '../../../test/harness/until.ts';
import { MINUTE } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Outbox } from '../../kernel/outbox/outbox.ts';
import { createFolding, type Folded, type Folding } from './folding.ts';

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
