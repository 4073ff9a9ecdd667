import { expect, test } from 'bun:test';
import { createTelegramLimit } from './telegram-limit.ts';

const TOKEN = '1:token';
const MINUTE = 60_000;

function setUp(runningFor = MINUTE) {
  const clock = { at: 1_000_000, now: () => clock.at };
  const limit = createTelegramLimit(clock);
  clock.at += runningFor;
  const take = (chatId: string, token = TOKEN) => limit(token, chatId, false);
  return { clock, limit, take };
}

test('a chat allows one message per second, a group fewer', () => {
  const { clock, take } = setUp();
  expect(take('5')).toBe(0);
  expect(take('5')).toBe(1_000);
  expect(take('6')).toBe(0);
  for (let message = 0; message < 6; message++) {
    expect(take('-100')).toBe(0);
    clock.at += 1_000;
  }
  expect(take('-100')).toBeGreaterThan(0);
  expect(take('-100', '2:token')).toBe(0);
});

test('a message blocked by the bot’s limit does not count toward its chat’s', () => {
  const { clock, take } = setUp();
  for (let chat = 0; chat < 10; chat++) expect(take(String(chat))).toBe(0);
  const wait = take('next');
  expect(wait).toBe(50);
  clock.at += wait;
  expect(take('next')).toBe(0);
});

test('the limits count as used up after a restart', () => {
  const { clock, take } = setUp(0);
  expect([take('5'), take('-100'), take('@news')]).toEqual([1_000, 4_000, 4_000]);
  clock.at += 1_000;
  expect([take('5'), take('-100')]).toEqual([0, 3_000]);
});

test('a thousand waiting messages of a bot are sent in order, and later ones queue behind them', () => {
  const { clock, limit, take } = setUp();
  const turns = Array.from({ length: 1_000 }, (_, chat) => ({
    chat: String(chat),
    at: clock.at + take(String(chat)),
  }));
  const started = clock.at;
  expect(take('late')).toBeGreaterThan(49_000);
  expect(take('late', '2:token')).toBe(0);
  let sent = 0;
  for (const { chat, at } of turns.filter((turn) => turn.at > started)) {
    clock.at = at;
    sent++;
    expect(limit(TOKEN, chat, true)).toBe(0);
  }
  expect(sent).toBe(990);
  expect(clock.at - started).toBeLessThan(53_000);
});

test('a token with the number of another’s bot takes nothing from its limits', () => {
  const { take } = setUp();
  for (let chat = 0; chat < 30; chat++) take(String(chat), '1:forged');
  expect([take('5'), take('-100')]).toEqual([0, 0]);
});

test('a clock that is set back stops no chat', () => {
  const { clock, take } = setUp();
  expect([take('5'), take('-100')]).toEqual([0, 0]);
  clock.at -= 60 * MINUTE;
  expect(take('5')).toBe(1_000);
  clock.at += 1_000;
  expect([take('5'), take('-100')]).toEqual([0, 0]);
});
