import { describe, expect, test } from 'bun:test';
import { DATABASES, freshLocation, openAt } from '../../../test/harness/database.ts';
import { until } from '../../../test/harness/until.ts';
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

  test('are stored whenever they are emitted after a commit', async () => {
    const place = await freshLocation(kind);
    await migrate(openAt(place), migrations);
    const database = openAt(place);
    let committed = async () => {};
    const observed: typeof database = {
      ...database,
      transaction(work) {
        const stored = database.transaction(work);
        void stored.then(() => committed());
        return stored;
      },
    };
    const signals = createTableSignals({ database: observed, log: createLog('silent') });
    const isStored = async (payload: string) =>
      (await database.read.selectFrom('signals').select('id').where('payload', '=', payload).execute())
        .length > 0;
    for (let turns = 0; turns < 6; turns++) {
      committed = async () => {
        committed = async () => {};
        for (let turn = 0; turn < turns; turn++) await null;
        signals.emit('letters', `after ${turns}`);
      };
      signals.emit('letters', `before ${turns}`);
      await until(() => isStored(`after ${turns}`));
    }
    await signals.close();
  });
});
