import { expect, test } from 'bun:test';
import { freshLocation } from '../../../../test/harness/database.ts';
import { PROGRAM } from '../../limits/round-robin.ts';
import { createLog } from '../../log.ts';
import { openSqlite } from './sqlite.ts';
import { createWritePace } from './write-pace.ts';

/** Creates a pace with a clock that the test sets. */
function paceOf() {
  const state = { now: 1_000, readAt: Number.NEGATIVE_INFINITY };
  const pace = createWritePace(
    () => state.readAt,
    () => state.now,
  );
  /** Lets time pass, in which others read without pause. */
  const passWithReads = (ms: number) => {
    state.now += ms;
    state.readAt = state.now;
  };
  passWithReads(0);
  /** Returns the milliseconds after which an owner may run, while others read. */
  const waitOf = (owner: string) => {
    let ms = 0;
    for (; !pace.mayRun(owner); ms++) passWithReads(1);
    return ms;
  };
  return { state, pace, passWithReads, waitOf };
}

test('while others read, a caller waits three times as long as its transactions took', () => {
  const { pace, waitOf } = paceOf();
  pace.charge('ada', 4);
  pace.charge('ada', 3);
  expect(waitOf('ada')).toBe(21);
});

test('a caller waits only once it has used some time', () => {
  const { pace, waitOf } = paceOf();
  pace.charge('ada', 1);
  pace.charge('ada', 1);
  expect(waitOf('ada')).toBe(0);
  pace.charge('ada', 1);
  expect(waitOf('ada')).toBe(9);
});

test('a caller waits no longer when the reads by others end', () => {
  const { state, pace, passWithReads } = paceOf();
  pace.charge('ada', 20);
  passWithReads(5);
  expect(pace.mayRun('ada')).toBe(false);
  state.now += 2.5;
  expect(pace.mayRun('ada')).toBe(true);
});

test('all callers and the program together leave as long as their transactions take', () => {
  const { pace, waitOf } = paceOf();
  for (const owner of ['ada', 'bob', 'cleo', PROGRAM]) pace.charge(owner, 2);
  expect([waitOf('dan'), waitOf(PROGRAM)]).toEqual([8, 0]);
});

test('a long transaction delays its caller for 100 ms, others and the program for 10', () => {
  const { pace, waitOf } = paceOf();
  pace.charge('ada', 5_000);
  expect([waitOf('bob'), waitOf(PROGRAM), waitOf('ada')]).toEqual([10, 0, 90]);
});

test('on SQLite, a caller that has used much time lets others pass while others read', async () => {
  let caller = 'ada';
  const callers = { current: () => caller, lastReadByOthers: () => performance.now() };
  const database = openSqlite(await freshLocation('sqlite'), createLog('silent'), { callers });
  const done: string[] = [];
  const write = (name: string, ms: number) => {
    caller = name;
    return database.transaction(async () => {
      const end = performance.now() + ms;
      while (performance.now() < end);
      done.push(name);
    });
  };
  await write('ada', 20);
  await Promise.all([write('ada', 0), write('bob', 0)]);
  expect(done).toEqual(['ada', 'bob', 'ada']);
  await database.close();
});
