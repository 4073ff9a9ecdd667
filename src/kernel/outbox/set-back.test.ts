import { beforeAll, describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase, withClock } from '../../../test/harness/database.ts';
import { HOUR, MINUTE, SECOND, systemClock } from '../clock.ts';
import { createVault } from '../crypto/vault.ts';
import type { Database } from '../database/database.ts';
import { newId } from '../ids.ts';
import { createLeases } from '../leases/leases.ts';
import { createLanes } from './lanes.ts';
import { createQueue } from './queue.ts';
import { LEASE_COLUMNS } from './rows.ts';
import { createSetBack } from './set-back.ts';

describe.each(DATABASES)('the outbox on %s, after its clock was set back by an hour', (kind) => {
  const start = Date.UTC(2026, 0, 1);
  let now = start;
  let database: Database;
  beforeAll(async () => {
    database = withClock(await freshDatabase(kind), { now: () => now });
  });

  test('makes new rows due, waiting ones after the rest of their wait, and scheduled ones at their time', async () => {
    const leases = createLeases(LEASE_COLUMNS, { database, clock: systemClock });
    const queue = createQueue({
      ...{ database, leases, lanes: createLanes(database) },
      vault: createVault(Buffer.alloc(32, 7)),
    });
    const row = (notBefore = 0) => {
      const id = newId();
      const fields = { kind: 'test', clientId: null, lane: null, payload: {}, sandbox: false };
      return { ...fields, id, messageId: id, part: 0, notBefore };
    };
    const [fresh, retried, scheduled] = [row(), row(), row(start + HOUR)];
    await database.transaction(async (trx) => {
      await queue.add(trx, [fresh, retried, scheduled]);
      await trx
        .updateTable('outbox')
        .set({ error_code: 'trouble', attempts: 3, next_attempt_at: start + 10 * MINUTE })
        .where('id', '=', retried.id)
        .execute();
    });
    let elapsed = 0;
    const check = createSetBack(database, () => elapsed);
    await check();
    elapsed += MINUTE;
    now += MINUTE - HOUR;
    await check();
    await check();
    const rows = await database.read.selectFrom('outbox').select(['id', 'next_attempt_at']).execute();
    const due = new Map(rows.map(({ id, next_attempt_at }) => [id, next_attempt_at]));
    expect([fresh, retried, scheduled].map(({ id }) => (due.get(id) ?? 0) - now)).toEqual([
      0,
      9 * MINUTE,
      2 * HOUR - MINUTE,
    ]);
  });

  test('makes waiting rows due as much earlier when no server ran meanwhile, once', async () => {
    const waiting = () =>
      database.read
        .selectFrom('outbox')
        .select(({ fn }) => fn.max('next_attempt_at').as('due'))
        .where('error_code', '=', 'trouble')
        .executeTakeFirstOrThrow();
    const { due } = await waiting();
    await database.transaction((trx) =>
      trx.insertInto('upkeep').values({ id: 'a', due_at: now, date_finished: now }).execute(),
    );
    now -= HOUR;
    for (let run = 0; run < 2; run++) await createSetBack(database, () => 0)();
    expect((await waiting()).due).toBe(due - HOUR);
  });

  test('changes nothing while the clock runs, or is set by less than a second', async () => {
    const before = await database.read.selectFrom('outbox').selectAll().execute();
    let elapsed = 0;
    const check = createSetBack(database, () => elapsed);
    for (const step of [MINUTE, MINUTE - SECOND, HOUR]) {
      await check();
      elapsed += MINUTE;
      now += step;
    }
    await check();
    expect(await database.read.selectFrom('outbox').selectAll().execute()).toEqual(before);
  });
});
