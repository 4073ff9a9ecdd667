import { expect, test } from 'bun:test';
import { createTelegramLimits } from './telegram-limits.ts';

const TOKEN = '1:token';

function setUp() {
  const clock = { at: 1_000_000, now: () => clock.at };
  return { clock, limits: createTelegramLimits(clock) };
}

test('one a second in a chat, and a group fewer', () => {
  const { clock, limits } = setUp();
  expect(limits.take(TOKEN, '5')).toBe(0);
  expect(limits.take(TOKEN, '5')).toBe(1_000);
  expect(limits.take(TOKEN, '6')).toBe(0);
  for (let message = 0; message < 6; message++) {
    expect(limits.take(TOKEN, '-100')).toBe(0);
    clock.at += 1_000;
  }
  expect(limits.take(TOKEN, '-100')).toBeGreaterThan(0);
  expect(limits.take('2:token', '-100')).toBe(0);
});

test('what the limit of the bot holds back has taken nothing of its chat’s', () => {
  const { clock, limits } = setUp();
  for (let chat = 0; chat < 10; chat++) expect(limits.take(TOKEN, String(chat))).toBe(0);
  const wait = limits.take(TOKEN, 'next');
  expect(wait).toBe(50);
  clock.at += wait;
  expect(limits.take(TOKEN, 'next')).toBe(0);
});
