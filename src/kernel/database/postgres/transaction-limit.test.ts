import { expect, test } from 'bun:test';
import type { PostgresPool } from './pool.ts';
import { lendUntil } from './transaction-limit.ts';

test('a transaction sends no statement after its time, except its end', async () => {
  let time = 0;
  const sent: string[] = [];
  const pool: Pick<PostgresPool, 'lend'> = {
    lend: async () => ({
      async query<Result>(text: string) {
        sent.push(text);
        return null as Result;
      },
      release: () => void sent.push('released'),
    }),
  };
  const limited = lendUntil(pool, 5, () => time);
  const lent = await limited.lend(1);
  time = 5;
  await lent.query('in time', []);
  time = 6;
  expect(lent.query('late', [])).rejects.toMatchObject({ name: 'Unavailable', isUnknown: false });
  await lent.query('commit', []);
  await lent.query('rollback', []);
  lent.release();
  expect(limited.lend(1)).rejects.toMatchObject({ name: 'Unavailable' });
  expect(sent).toEqual(['in time', 'commit', 'rollback', 'released']);
});
