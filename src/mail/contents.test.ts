import { describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase } from '../../test/harness/database.ts';
import { DAY, HOUR } from '../kernel/clock.ts';
import type { Database } from '../kernel/database/database.ts';
import { nextRound } from '../kernel/event-loop/next-round.ts';
import { PART_BYTES } from './content-parts.ts';
import { createContents, type MailBytes, wholeMail } from './contents.ts';

const KEPT = 33 * DAY;
const LARGE = Buffer.from(crypto.getRandomValues(new Uint8Array(65_536)).toHex().repeat(20));

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

  async function open() {
    const database = await freshDatabase(kind);
    const clock = { at: KEPT, now: () => clock.at };
    const contents = createContents({ database, clock, giveWay: nextRound });
    return {
      database,
      clock,
      contents,
      add: (mail: MailBytes) => database.transaction((trx) => contents.add(trx, mail, clock.at)),
      async read(id: string) {
        const found = await contents.find(id);
        return found && { size: found.size, whole: await wholeMail(found) };
      },
      parts: () =>
        database.read
          .selectFrom('mail_content_parts')
          .select(['content_id', 'part', 'bytes'])
          .orderBy('content_id')
          .orderBy('part')
          .execute(),
    };
  }

  test.each([
    ['many', 250, 10, 3],
    ['large', 3, 20_000_000, 3],
  ] as const)('%s old ones are deleted in several transactions, and later ones are kept', async (...of) => {
    const [, number, bytes, transactions] = of;
    const { database, count } = counted(await freshDatabase(kind));
    const clock = { at: 0, now: () => clock.at };
    const contents = createContents({ database, clock, giveWay: nextRound });
    const store = async (rowId: string) => {
      const mail = { rowId, mime: Buffer.alloc(bytes, 'x') };
      await contents.prepare([mail]);
      await database.transaction((trx) => contents.add(trx, mail, clock.at));
    };
    for (let id = 0; id < number; id++) await store(`old ${id}`);
    clock.at = KEPT;
    await store('kept');
    const before = count();
    await contents.sweep();
    expect(count() - before).toBe(transactions);
    expect(await database.read.selectFrom('mail_contents').select('id').execute()).toEqual([{ id: 'kept' }]);
    const parts = await database.read
      .selectFrom('mail_content_parts')
      .select('content_id')
      .distinct()
      .execute();
    expect(parts.map(({ content_id }) => content_id).filter((id) => id !== 'kept')).toEqual([]);
  });

  test('a large one is stored in parts, and found whole', async () => {
    const { contents, add, read, parts } = await open();
    const small = { rowId: 'small', mime: LARGE.subarray(0, PART_BYTES) };
    const large = { rowId: 'large', mime: LARGE };
    const discard = await contents.prepare([small, large]);
    for (const mail of [small, large]) await add(mail);
    await discard();
    for (const { rowId, mime } of [small, large])
      expect(await read(rowId)).toEqual({ size: mime.length, whole: mime });
    // PostgreSQL has joined them.
    const sizes = kind === 'sqlite' ? [PART_BYTES, PART_BYTES, PART_BYTES, PART_BYTES, PART_BYTES] : [];
    expect((await parts()).map(({ content_id, part, bytes }) => [content_id, part, bytes.length])).toEqual(
      sizes.map((size, part) => ['large', part, size]),
    );
  });

  test('a large one that is not prepared is stored whole', async () => {
    const { add, read, parts } = await open();
    await add({ rowId: 'large', mime: LARGE });
    expect(await read('large')).toEqual({ size: LARGE.length, whole: LARGE });
    expect(await parts()).toEqual([]);
  });

  test('one that is prepared and not added is deleted, at the latest after an hour', async () => {
    const { clock, contents, read, parts } = await open();
    const discard = await contents.prepare([{ rowId: 'refused', mime: LARGE }]);
    await contents.prepare([{ rowId: 'lost', mime: LARGE }]);
    await discard();
    expect(await read('refused')).toBeNull();
    expect((await parts()).filter(({ content_id }) => content_id === 'refused')).toEqual([]);
    clock.at += HOUR;
    await contents.sweep();
    expect(await read('lost')).toEqual({ size: LARGE.length, whole: LARGE });
    clock.at += 1;
    await contents.sweep();
    expect(await read('lost')).toBeNull();
    expect(await parts()).toEqual([]);
  });

  test('one that is deleted while it is read is never read in part', async () => {
    const { database, contents, add } = await open();
    const large = { rowId: 'large', mime: LARGE };
    await contents.prepare([large]);
    await add(large);
    const found = await contents.find('large');
    await database.transaction((trx) => trx.deleteFrom('mail_contents').execute());
    expect(found && (await wholeMail(found).catch(String))).toEqual(
      'Error: the e-mail large was deleted while it was read',
    );
  });
});
