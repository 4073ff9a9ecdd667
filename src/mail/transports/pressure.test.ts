import { expect, test } from 'bun:test';
import { createPressure } from './pressure.ts';

const MOST = 10;

function setUp() {
  const pressure = createPressure({ now: () => 0 });
  const fail = (server: string) => {
    pressure.enter({ server, most: MOST, groups: {} });
    pressure.leave({ server, most: MOST, groups: {} }, true);
  };
  /** Number of places that a server has. */
  const places = (server: string, groups: Record<string, number> = {}) => {
    let taken = 0;
    while (pressure.enter({ server, most: MOST, groups }) === 0) taken++;
    return taken;
  };
  return { pressure, fail, places };
}

test('a server that fails three times in a row has two places', () => {
  const { fail, places } = setUp();
  for (let time = 0; time < 3; time++) fail('bad');
  expect([places('bad'), places('good')]).toEqual([2, MOST]);
});

test('of failing servers that callers make up, the last ten thousand are remembered', () => {
  const { fail, places } = setUp();
  for (let time = 0; time < 3; time++) fail('first');
  for (let server = 0; server < 10_000; server++) fail(`made up ${server}`);
  expect(places('first')).toBe(MOST);
});

test('all servers of a group share its places, and free them', () => {
  const { pressure, places } = setUp();
  const groups = { ada: 15, all: 18 };
  expect([places('a', groups), places('b', groups)]).toEqual([MOST, 5]);
  expect([places('c', { bob: 15, all: 18 }), places('d')]).toEqual([3, MOST]);
  pressure.leave({ server: 'a', most: MOST, groups }, false);
  expect(places('e', groups)).toBe(1);
});

test.each([
  ['a full server', 'hanging', {}],
  ['a full group', 'another', { ada: MOST }],
])('deliveries that wait for %s are tried 200 a second, whatever their number', (_, server, groups) => {
  const { pressure, places } = setUp();
  places('hanging', { ada: MOST });
  const waits = Array.from({ length: 2_000 }, () => pressure.enter({ server, most: MOST, groups }));
  const inSecond = (second: number) =>
    waits.filter((wait) => wait >= second * 1_000 && wait < (second + 1) * 1_000).length;
  expect(Math.max(...Array.from({ length: 12 }, (_, second) => inSecond(second)))).toBeLessThanOrEqual(200);
});
