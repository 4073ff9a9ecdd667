import { expect, test } from 'bun:test';
import { createShortRequests } from './short-requests.ts';

test('two requests within 10 ms are recent, and sixteen are many', () => {
  let now = 0;
  const requests = createShortRequests(() => now);
  const state = () => [requests.areRecent(), requests.areMany()];
  requests.record();
  expect(state()).toEqual([false, false]);
  requests.record();
  expect(state()).toEqual([true, false]);
  for (let count = 2; count < 15; count++) requests.record();
  expect(state()).toEqual([true, false]);
  now = 5;
  requests.record();
  expect(state()).toEqual([true, true]);
  now = 11;
  expect(state()).toEqual([false, false]);
  requests.record();
  expect(state()).toEqual([true, false]);
});
