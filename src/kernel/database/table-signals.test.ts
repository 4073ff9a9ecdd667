import { describe, expect, test } from 'bun:test';
import { DATABASES, freshLocation, openAt } from '../../../test/harness/database.ts';
import { migrations } from '../../foundation/schema.ts';
import { createLog } from '../log.ts';
import { migrate } from './migrate.ts';
import { createTableSignals } from './table-signals.ts';

describe.each(DATABASES)('signals over a table of %s', (kind) => {
  test('reach all nodes once, and the sender synchronously', async () => {
    const place = await freshLocation(kind);
    await migrate(openAt(place), migrations);
    const [one, two] = [0, 1].map(() =>
      createTableSignals({ database: openAt(place), log: createLog('silent') }),
    );
    if (!one || !two) throw new Error('two nodes');
    const own: string[] = [];
    const others: string[] = [];
    one.listen('letters', (payload) => own.push(payload));
    two.listen('letters', (payload) => others.push(payload));
    const letters = ['a', 'b c  d', '', 'ü 🏤'];
    for (const payload of letters) one.emit('letters', payload);
    expect(own).toEqual(letters);
    const { promise, resolve } = Promise.withResolvers<string>();
    two.listen('end', resolve);
    one.emit('end', 'of it');
    expect(await promise).toBe('of it');
    expect(others.toSorted()).toEqual(letters.toSorted());
    await Promise.all([one.close(), two.close()]);
  });
});
