import { expect, test } from 'bun:test';
import { CompiledQuery, type Kysely } from 'kysely';
import type { Transaction } from './database.ts';
import { createGroupCommit } from './group-commit.ts';

/** A database that only notes what it was asked for, and can be made to fail. */
function notingDatabase() {
  const notes: string[] = [];
  const state = { open: false, failAt: '' };
  const note = (text: string) => {
    notes.push(text);
    if (text === state.failAt) throw new Error(`failed at ${text}`);
  };
  const trx = {
    async executeQuery({ sql }: CompiledQuery) {
      note(sql);
    },
  } as unknown as Transaction;
  const transact = createGroupCommit({
    async transaction(work) {
      note('begin');
      state.open = true;
      try {
        await work(trx);
        note('commit');
      } finally {
        state.open = false;
      }
    },
    isOpen: () => state.open,
  });
  return { notes, state, transact, write: (text: string) => transact((each) => run(each, text)) };
}

async function run(trx: Transaction, sql: string): Promise<string> {
  await (trx as unknown as Kysely<unknown>).executeQuery(CompiledQuery.raw(sql));
  return sql;
}

const count = (notes: readonly string[], text: string) => notes.filter((note) => note === text).length;

test('works that come together share one commit, each with its own answer', async () => {
  const { notes, write } = notingDatabase();
  expect(await Promise.all(['a', 'b', 'c'].map(write))).toEqual(['a', 'b', 'c']);
  expect(count(notes, 'commit')).toBe(1);
  expect(await write('d')).toBe('d');
  expect(count(notes, 'commit')).toBe(2);
});

test('one that throws is undone alone', async () => {
  const { notes, transact, write } = notingDatabase();
  const outcomes = await Promise.allSettled([
    write('a'),
    transact(async () => {
      throw new Error('changed my mind');
    }),
    write('c'),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(count(notes, 'rollback to one')).toBe(1);
  expect(count(notes, 'commit')).toBe(1);
});

test('nobody is told of success when the commit fails', async () => {
  const { state, write } = notingDatabase();
  state.failAt = 'commit';
  const outcomes = await Promise.allSettled(['a', 'b'].map(write));
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  state.failAt = '';
  expect(await write('c')).toBe('c');
});

test('when the database gives the transaction up, all that shared it fail', async () => {
  const { state, transact, write } = notingDatabase();
  const outcomes = await Promise.allSettled([
    write('a'),
    transact(async () => {
      state.open = false;
      throw new Error('disk full');
    }),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await write('c')).toBe('c');
});

test('a transaction that cannot begin fails what came first, not what comes later', async () => {
  const { state, write } = notingDatabase();
  state.failAt = 'begin';
  await expect(write('a')).rejects.toThrow('failed at begin');
  state.failAt = '';
  expect(await write('b')).toBe('b');
});

test('a group has an end, so that its first is not kept waiting by all that follow', async () => {
  const { notes, write } = notingDatabase();
  await Promise.all(Array.from({ length: 200 }, (_, index) => write(`work ${index}`)));
  expect(count(notes, 'commit')).toBe(4);
});

test('one that is patient goes with the next that comes, and alone when none comes', async () => {
  const { notes, transact, write } = notingDatabase();
  const patient = transact((trx) => run(trx, 'patient'), 60_000);
  expect(await Promise.all([write('a'), patient])).toEqual(['a', 'patient']);
  expect(count(notes, 'commit')).toBe(1);
  expect(notes.indexOf('a')).toBeLessThan(notes.indexOf('patient'));
  expect(await transact((trx) => run(trx, 'alone'), 1)).toBe('alone');
  expect(count(notes, 'commit')).toBe(2);
});
