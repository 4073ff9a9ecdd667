import { describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase } from '../../../test/harness/database.ts';

describe.each(DATABASES)('calls after a commit of %s', (kind) => {
  test('follow each transaction that succeeds, also where several share a commit', async () => {
    const database = await freshDatabase(kind);
    const calls: string[] = [];
    const write = (name: string, fails: boolean) =>
      database.transaction(async (trx) => {
        database.afterCommit(trx, () => calls.push(name));
        await trx.insertInto('facts').values({ name, value: '1' }).execute();
        if (fails) throw new Error(name);
        expect(calls).not.toContain(name);
      });
    const outcomes = await Promise.allSettled([write('a', false), write('b', true), write('c', false)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(calls.toSorted()).toEqual(['a', 'c']);
  });
});
