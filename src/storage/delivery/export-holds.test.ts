import { expect, test } from 'bun:test';
import { HOUR, MINUTE } from '../../kernel/clock.ts';
import { Unavailable } from '../../kernel/errors/unavailable.ts';
import { createLog } from '../../kernel/log.ts';
import { createHoldForExport } from './export-holds.ts';

let taken: string[] = [];
const released = Promise.withResolvers<void>();
const holds = {
  async take(resource: string) {
    taken.push(resource);
    return { assertHeld() {}, release: async () => released.resolve() };
  },
};
const at = (now: number) =>
  createHoldForExport({ holds, clock: { now: () => now }, log: createLog('silent') })('w');

test('a hold for a ZIP file ends with the hour', async () => {
  await at(5 * HOUR - 1);
  expect(taken).toHaveLength(1);
  await released.promise;
});

test('in the first minute of an hour there is none', async () => {
  taken = [];
  const end = await at(5 * HOUR + MINUTE - 1);
  await end();
  expect(taken).toEqual([]);
});

test.each([
  ['the disk is full', Object.assign(new Error('full'), { code: 'SQLITE_FULL' })],
  ['the database cannot be used', new Unavailable('database', 'no answer')],
])('there is none while %s', async (_, error) => {
  const clock = { now: () => 6 * HOUR - 1 };
  const hold = (take: typeof holds.take) =>
    createHoldForExport({ holds: { take }, clock, log: createLog('silent') })('w');
  const end = await hold(() => Promise.reject(error));
  await end();
  const endTaken = await hold(async () => ({ assertHeld() {}, release: () => Promise.reject(error) }));
  await endTaken();
  await expect(hold(() => Promise.reject(new Error('a defect')))).rejects.toThrow('a defect');
});
