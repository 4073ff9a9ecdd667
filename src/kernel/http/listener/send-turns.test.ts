import { expect, test } from 'bun:test';
import { createSendTurns } from './send-turns.ts';

const CHUNK = 65_536;
const TURN = 1_048_576;

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('all responses together send at most a megabyte in a turn of the event loop, in their order', async () => {
  const turns = createSendTurns();
  const sent: number[] = [];
  const send = async (response: number) => {
    for (let chunk = 0; chunk < 2; chunk++) {
      await turns.next(CHUNK);
      sent.push(response);
    }
  };
  const all = Array.from({ length: 100 }, (_, response) => send(response));
  // The bytes before the end of the first turn, and those of the next one.
  await nextTurn();
  expect(sent.length).toBeLessThanOrEqual((2 * TURN) / CHUNK);
  const inTurns: number[] = [];
  while (sent.length < 200) {
    const before = sent.length;
    await nextTurn();
    inTurns.push(sent.length - before);
  }
  await Promise.all(all);
  expect(Math.max(...inTurns)).toBeLessThanOrEqual(TURN / CHUNK);
  expect(sent.slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, response) => response));
});

test('a response that sends little is not delayed', () => {
  const turns = createSendTurns();
  for (let sent = 0; sent < TURN; sent += CHUNK) expect(turns.next(CHUNK)).toBeUndefined();
  expect(turns.next(CHUNK)).toBeInstanceOf(Promise);
});

test('a chunk larger than the bound is sent in a separate turn', async () => {
  const turns = createSendTurns();
  expect(turns.next(2 * TURN)).toBeUndefined();
  const order: string[] = [];
  const large = turns.next(2 * TURN)?.then(() => order.push('large'));
  const small = turns.next(1)?.then(() => order.push('small'));
  await nextTurn();
  expect(order).toEqual(['large']);
  await Promise.all([large, small]);
  expect(order).toEqual(['large', 'small']);
});
