import { describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase, withClock } from '../../../test/harness/database.ts';
import { until } from '../../../test/harness/until.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { createAttempts } from '../../kernel/limits/attempts.ts';
import { createLog } from '../../kernel/log.ts';
import { createInvalidRequests } from './invalid-requests.ts';

describe.each(DATABASES)('invalid requests on %s', (kind) => {
  test('after a thousand in ten minutes all nodes stop, also after a restart, until the window is over', async () => {
    const clock = { at: Date.UTC(2026, 0, 1), now: () => clock.at };
    const database = withClock(await freshDatabase(kind), clock);
    const attempts = createAttempts({ database });
    const node = () => createInvalidRequests({ attempts, clock, log: createLog('silent') });
    const one = node();
    for (let count = 0; count < 999; count++) one.count();
    const counted = () => database.read.selectFrom('attempts').select('count').executeTakeFirst();
    await until(async () => (await counted())?.count === 999);
    expect(one.waitMs()).toBe(0);
    one.count();
    await until(() => one.waitMs() !== 0);
    expect(one.waitMs()).toBe(10 * MINUTE);
    const restarted = node();
    await until(() => restarted.waitMs() !== 0);
    // A clock that is set back lengthens nothing.
    clock.at -= 60 * MINUTE;
    expect(one.waitMs()).toBe(10 * MINUTE);
    expect(restarted.waitMs()).toBe(10 * MINUTE);
    clock.at += 10 * MINUTE;
    expect([one.waitMs(), restarted.waitMs()]).toEqual([0, 0]);
  });
});
