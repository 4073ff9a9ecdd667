import { expect, test } from 'bun:test';
import { HOUR, MINUTE } from '../../kernel/clock.ts';
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
