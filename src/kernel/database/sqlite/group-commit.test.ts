import { expect, test } from 'bun:test';
import { CompiledQuery, type Kysely } from 'kysely';
import { until } from '../../../../test/harness/until.ts';
import type { Transaction } from '../database.ts';
import { createGroupCommit } from './group-commit.ts';

/** A database that records its statements and can be made to fail. */
function recordingDatabase() {
  const notes: string[] = [];
  const state = { open: false, failAt: '', now: 0, caller: '', waits: '', sync: () => Promise.resolve() };
  const used: [owner: string, ms: number][] = [];
  const note = (text: string) => {
    notes.push(text);
    if (text === state.failAt) throw new Error(`failed at ${text}`);
  };
  const trx = {
    async executeQuery({ sql }: CompiledQuery) {
      note(sql);
    },
  } as unknown as Transaction;
  const grouped = createGroupCommit({
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
    caller: () => state.caller,
    pace: {
      mayRun: (owner) => !state.waits.includes(owner || '-'),
      charge: (owner, ms) => used.push([owner, ms]),
    },
    sync: () => state.sync(),
    now: () => state.now,
  });
  const transact = <Result>(work: (trx: Transaction) => Promise<Result>, name = 'one') =>
    grouped(work, () => notes.push(`committed ${name}`));
  return { notes, state, used, transact, write: (text: string) => transact((each) => run(each, text), text) };
}

async function run(trx: Transaction, sql: string): Promise<string> {
  await (trx as unknown as Kysely<unknown>).executeQuery(CompiledQuery.raw(sql));
  return sql;
}

const count = (notes: readonly string[], text: string) => notes.filter((note) => note === text).length;

test('concurrent transactions share one commit, each with its own result', async () => {
  const { notes, write } = recordingDatabase();
  expect(await Promise.all(['a', 'b', 'c'].map((text) => write(text)))).toEqual(['a', 'b', 'c']);
  expect(count(notes, 'commit')).toBe(1);
  expect(await write('d')).toBe('d');
  expect(count(notes, 'commit')).toBe(2);
});

test('a group that has used its time takes no more transactions', async () => {
  const { notes, state, transact } = recordingDatabase();
  const slow = (ms: number) =>
    transact(async () => {
      state.now += ms;
    });
  await Promise.all([slow(2), slow(2), slow(2), slow(1)]);
  expect(count(notes, 'commit')).toBe(2);
  expect(count(notes, 'release entry')).toBe(2);
});

test('a transaction that throws is rolled back alone', async () => {
  const { notes, transact, write } = recordingDatabase();
  const outcomes = await Promise.allSettled([
    write('a'),
    transact(async () => {
      throw new Error('changed my mind');
    }),
    write('c'),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(count(notes, 'rollback to entry')).toBe(1);
  expect(notes.slice(notes.indexOf('commit'))).toEqual(['commit', 'committed a', 'committed c']);
});

test('no success is reported when the commit fails', async () => {
  const { notes, state, write } = recordingDatabase();
  state.failAt = 'commit';
  const outcomes = await Promise.allSettled(['a', 'b'].map((text) => write(text)));
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(notes.at(-1)).toBe('commit');
  state.failAt = '';
  expect(await write('c')).toBe('c');
});

test('when the database ends the transaction, all that share it fail', async () => {
  const { state, transact, write } = recordingDatabase();
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

test('a failure to begin fails the transactions that wait, not later ones', async () => {
  const { notes, state, write } = recordingDatabase();
  state.failAt = 'begin';
  const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((text) => write(text)));
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(count(notes, 'begin')).toBe(1);
  state.failAt = '';
  expect(await write('d')).toBe('d');
});

test('callers take turns', async () => {
  const { notes, state, write } = recordingDatabase();
  const all = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((text) => {
    state.caller = text.charAt(0);
    return write(text);
  });
  await Promise.all(all);
  expect(notes.filter((note) => /^[abc][123]$/.test(note))).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('transactions of a caller that must wait let those of others pass, and run later', async () => {
  const { notes, state, used, write } = recordingDatabase();
  state.waits = 'a';
  const add = (text: string) => {
    state.caller = text.charAt(0);
    return write(text);
  };
  const first = add('a1');
  await add('b1');
  await add('b2');
  state.waits = '';
  await first;
  expect(notes.filter((note) => /^[ab][12]$/.test(note))).toEqual(['b1', 'b2', 'a1']);
  expect(used.map(([owner]) => owner)).toEqual(['b', 'b', 'a']);
});

test('the time of a transaction counts for its caller, also when it fails', async () => {
  const { state, used, transact } = recordingDatabase();
  state.caller = 'a';
  const failing = transact(async () => {
    state.now += 3;
    throw new Error('changed my mind');
  });
  expect(await failing.catch(() => 'failed')).toBe('failed');
  expect(used).toEqual([['a', 3]]);
});

test('success is reported after the sync of the disk, while later transactions run', async () => {
  const { notes, state, write } = recordingDatabase();
  const { promise, resolve } = Promise.withResolvers<void>();
  const reported: string[] = [];
  state.sync = () => promise;
  const first = write('a').then((text) => reported.push(text));
  await until(() => notes.includes('committed a'));
  state.sync = () => Promise.resolve();
  await write('b');
  expect(reported).toEqual([]);
  resolve();
  await first;
  expect(reported).toEqual(['a']);
});

test('no success is reported when the sync fails', async () => {
  const { state, write } = recordingDatabase();
  state.sync = () => Promise.reject(new Error('disk failed'));
  const outcomes = await Promise.allSettled(['a', 'b'].map((text) => write(text)));
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
