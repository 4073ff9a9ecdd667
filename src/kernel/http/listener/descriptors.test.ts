import { expect, test } from 'bun:test';
import { findProgram, runProgram } from '../../../../test/harness/programs.ts';
import { openDescriptorLimit } from './descriptors.ts';

test('the limit of descriptors is known', () => {
  expect(Number.isSafeInteger(openDescriptorLimit()())).toBe(true);
});

// Only prlimit changes the limit of a running process.
test.skipIf(findProgram('prlimit') === null)('a changed limit holds at once', async () => {
  const limit = openDescriptorLimit();
  const before = limit();
  const change = (count: number) => runProgram('prlimit', '--pid', String(process.pid), `--nofile=${count}:`);
  await change(before - 1);
  expect(limit()).toBe(before - 1);
  await change(before);
  expect(limit()).toBe(before);
});
