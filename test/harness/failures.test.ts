import { expect, test } from 'bun:test';
import { createFailures } from './failures.ts';

test('keeps the output of failed tests, hooks and crashed processes', () => {
  const failures = createFailures();
  failures.read(
    '\na.test.ts:\n(pass) first [1ms]\nerror: expected 1\n      at <anonymous> (a.test.ts:1:1)\n(fa',
  );
  failures.read(
    'il) second [1ms]\n(pass) third [1ms]\n\nb.test.ts:\n(skip) one without its program\nerror: late\n(fail) (unnamed) [0.2ms]\n',
  );
  failures.read(
    '✗ c.test.ts (worker crashed: SIGSEGV)\n\n3 tests failed:\n(fail) second [1ms]\n\n 2 pass\n 3 fail\n',
  );
  expect(failures.report().split('\n\n')).toEqual([
    'a.test.ts:\nerror: expected 1\n      at <anonymous> (a.test.ts:1:1)\n(fail) second [1ms]',
    'b.test.ts:\nerror: late\n(fail) (unnamed) [0.2ms]',
    'b.test.ts:\n✗ c.test.ts (worker crashed: SIGSEGV)',
  ]);
  expect(failures.found()).toEqual({ files: ['a.test.ts', 'b.test.ts', 'c.test.ts'], count: 3 });
});
