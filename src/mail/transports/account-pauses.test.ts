import { expect, test } from 'bun:test';
import { createLog } from '../../kernel/log.ts';
import { createAccountPauses } from './account-pauses.ts';

test('an account that is refused is paused, longer each time, until an e-mail is accepted', () => {
  let now = 0;
  const pauses = createAccountPauses({ clock: { now: () => now }, log: createLog('silent') });
  const account = { key: 'a', name: 'robot', server: 'mail.example.org:25' };
  const refuse = () => {
    pauses.refused(account, 'no');
    return pauses.waitMs('a');
  };
  expect(pauses.waitMs('a')).toBe(0);
  expect(refuse()).toBe(30_000);
  // From a delivery that began before the pause. Its mail is tried after the first.
  expect(refuse()).toBe(30_006);
  expect(pauses.waitMs('b')).toBe(0);
  const later: number[] = [];
  for (let times = 0; times < 6; times++) {
    now += pauses.waitMs('a');
    later.push(refuse());
  }
  expect(later).toEqual([60_000, 120_000, 240_000, 480_000, 900_000, 900_000]);
  pauses.accepted(account);
  expect([pauses.waitMs('a'), pauses.reasonOf('a')]).toEqual([0, '']);
  expect([refuse(), pauses.reasonOf('a')]).toEqual([30_000, 'no']);
});

test('a clock that is set back does not extend a pause', () => {
  let now = 0;
  const pauses = createAccountPauses({ clock: { now: () => now }, log: createLog('silent') });
  pauses.refused({ key: 'a', name: 'robot', server: 'mail.example.org:25' }, 'no');
  now -= 3_600_000;
  expect(pauses.waitMs('a')).toBe(30_000);
  now += 30_000;
  expect(pauses.waitMs('a')).toBe(0);
});
