import { describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase } from '../../test/harness/database.ts';
import { DAY } from '../kernel/clock.ts';
import type { Database } from '../kernel/database/database.ts';
import { createContents } from './contents.ts';

const KEPT = 33 * DAY;

describe.each(DATABASES)('contents of e-mails on %s', (kind) => {
  /** Counts the transactions of a database. */
  function counted(database: Database) {
    let count = 0;
    const transaction: Database['transaction'] = (work) => {
      count++;
      return database.transaction(work);
    };
    return {
      database: Object.create(database, { transaction: { value: transaction } }) as Database,
      count: () => count,
    };
  }

  test.each([
    ['many', 250, 10, 3],
    ['large', 3, 20_000_000, 2],
  ] as const)('%s old ones are deleted in several transactions, and later ones are kept', async (...of) => {
    const [, contents, bytes, transactions] = of;
    const { database, count } = counted(await freshDatabase(kind));
    const store = createContents({ database, clock: { now: () => KEPT } });
    const mime = Buffer.alloc(bytes);
    await database.transaction(async (trx) => {
      for (let id = 0; id < contents; id++) await store.add(trx, `old ${id}`, mime, 0);
      await store.add(trx, 'kept', mime, KEPT);
    });
    const before = count();
    await store.sweep();
    expect(count() - before).toBe(transactions);
    expect(await database.read.selectFrom('mail_contents').select('id').execute()).toEqual([{ id: 'kept' }]);
  });
});
