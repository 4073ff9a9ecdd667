import { expect, test } from 'bun:test';
import { createPressure, type Destination } from './pressure.ts';

const LIMITS = { client: 10, clients: 25 };

function setUp() {
  const clock = { at: 0, now: () => clock.at };
  const pressure = createPressure(clock, LIMITS);
  const enter = (client: string, server = client) => pressure.enter({ server, client });
  const leave = (client: string, failed = false, server = client) =>
    pressure.leave({ server, client }, failed);
  const fail = (server: string) => {
    enter('ada', server);
    leave('ada', true, server);
  };
  /** Returns the number of permits acquired until there is none. */
  const fill = (client: string, server = client) => {
    let taken = 0;
    while (enter(client, server) === 0) taken++;
    return taken;
  };
  return { clock, pressure, enter, leave, fail, fill };
}

test('a server that fails three times in a row has two permits', () => {
  const { fail, fill } = setUp();
  for (let time = 0; time < 3; time++) fail('bad');
  expect([fill('ada', 'bad'), fill('ada', 'good'), fill('bob', 'bad')]).toEqual([2, 8, 10]);
});

test('of failing servers that callers make up, the last ten thousand are remembered', () => {
  const { fail, fill } = setUp();
  for (let time = 0; time < 3; time++) fail('first');
  for (let server = 0; server < 10_000; server++) fail(`made up ${server}`);
  expect(fill('ada', 'first')).toBe(LIMITS.client);
});

test('clients share their permits, and release them; the configured server has its own', () => {
  const { pressure, leave, fill } = setUp();
  const configured: Destination = { server: 'a', client: null };
  expect([fill('a'), fill('b'), fill('c')]).toEqual([10, 10, 5]);
  expect(pressure.enter(configured)).toBe(0);
  pressure.leave(configured, false);
  leave('a');
  expect(fill('d')).toBe(1);
});

test('the first message of a client waits a second, whatever the backlog of others, and gets the next permit', () => {
  const { clock, enter, leave, fill } = setUp();
  for (const client of ['a', 'b', 'c']) fill(client);
  for (let message = 0; message < 10_000; message++) enter('d');
  expect(enter('e')).toBe(1_000);
  clock.at += 1_500;
  leave('a');
  expect(enter('d')).toBe(0);
  leave('b');
  expect([enter('d') > 0, enter('a') > 0, enter('b') > 0, enter('e')]).toEqual([true, true, true, 0]);
});

test('a permit that is reserved for a client that no longer needs it is free again', () => {
  const { clock, enter, leave, fill } = setUp();
  for (const client of ['a', 'b', 'c']) fill(client);
  enter('d');
  leave('a');
  clock.at += 1_999;
  expect(enter('a')).toBeGreaterThan(0);
  clock.at += 1;
  expect(enter('a')).toBe(0);
});

const inEachSecond = (waits: readonly number[]) =>
  Array.from(
    { length: 20 },
    (_, second) => waits.filter((wait) => Math.floor(wait / 1_000) === second).length,
  );

test.each([
  ['one client', ['a']],
  ['all clients', ['d', 'e', 'f', 'g']],
])('deliveries that wait for the permits of %s are tried 200 times a second', (_, waiting) => {
  const { enter, fill } = setUp();
  for (const client of ['a', 'b', 'c']) fill(client);
  for (const client of waiting) enter(client);
  const waits = Array.from({ length: 2_000 }, (_, message) => enter(waiting[message % waiting.length] ?? ''));
  expect(Math.max(...inEachSecond(waits))).toBeLessThanOrEqual(205);
});

test('deliveries to a server that succeeds are tried as fast as it accepts them', () => {
  const { clock, enter, leave, fill } = setUp();
  fill('a');
  // They reach this speed at once: the turns of a backlog are given within the first seconds.
  for (let message = 0; message < 300; message++) {
    clock.at += 1;
    leave('a');
    enter('a');
  }
  const waits = Array.from({ length: 2_000 }, () => enter('a'));
  expect(inEachSecond(waits)[1]).toBeGreaterThan(1_000);
  clock.at += 10_000;
  expect(Math.max(...inEachSecond(Array.from({ length: 2_000 }, () => enter('a'))))).toBeLessThanOrEqual(200);
});
