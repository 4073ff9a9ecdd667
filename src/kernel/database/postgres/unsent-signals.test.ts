import { expect, test } from 'bun:test';
import { createUnsentSignals } from './unsent-signals.ts';

const GAP = 'node gap ';

test('signals that wait are kept once each, up to a number, and then replaced by a gap', () => {
  const unsent = createUnsentSignals(GAP);
  unsent.connected();
  const signals = Array.from({ length: 1_000 }, (_, index) => `signal ${index}`);
  for (const signal of [...signals, ...signals.slice(0, -1)]) unsent.add(signal);
  expect(unsent.size).toBe(1_000);
  for (let more = 0; more < 5_000; more++) expect(unsent.add(`further ${more}`)).toBe(false);
  expect(unsent.take()).toEqual(signals);
  unsent.disconnected();
  unsent.connected();
  expect(unsent.take()).toEqual([GAP]);
});

test('without a connection no signal waits, and the loss is announced once there is one', () => {
  const unsent = createUnsentSignals(GAP);
  for (let index = 0; index < 5_000; index++) expect(unsent.add(`signal ${index}`)).toBe(false);
  expect(unsent.size).toBe(0);
  unsent.connected();
  expect(unsent.take()).toEqual([GAP]);
  expect(unsent.add('signal')).toBe(true);
  unsent.disconnected();
  expect([unsent.size, unsent.take()]).toEqual([0, []]);
});
