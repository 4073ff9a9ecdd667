import { expect, test } from 'bun:test';
import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createShortRequests } from '../../event-loop/short-requests.ts';
import { createBodyFlow } from './body-flow.ts';
import { createBodyTurns } from './body-turns.ts';

/** The flow of a body, and its calls to the connection. */
function begin() {
  const done: string[] = [];
  const incoming = Object.assign(new EventEmitter(), {
    pause: () => void done.push('pause'),
    resume: () => void done.push('resume'),
    socket: { destroy: () => void done.push('destroy') },
  });
  const turns = createBodyTurns({ shortRequests: createShortRequests() });
  const flow = createBodyFlow(incoming as unknown as IncomingMessage, turns);
  const arrive = (chunks: number, bytes: number) => {
    for (let count = 0; count < chunks; count++) flow.arrived(bytes);
  };
  return { flow, done, arrive };
}

const nextTurn = () => new Promise(setImmediate);

test('at most a megabyte of a body is read in each turn of the event loop', async () => {
  const { flow, done, arrive } = begin();
  arrive(16, 65_536);
  expect(done).toEqual([]);
  arrive(2, 65_536);
  expect(done).toEqual(['pause']);
  flow.resume();
  expect(done).toEqual(['pause']);
  await nextTurn();
  expect(done).toEqual(['pause', 'resume']);
  arrive(16, 65_536);
  expect(done).toEqual(['pause', 'resume']);
});

test('a body that its consumer paused stays paused in the next turn', async () => {
  const { flow, done, arrive } = begin();
  arrive(17, 65_536);
  flow.pause();
  await nextTurn();
  expect(done).toEqual(['pause', 'pause']);
  flow.resume();
  expect(done).toEqual(['pause', 'pause', 'resume']);
});

test('the connection of a body with very many chunks of one byte is closed', async () => {
  const { done, arrive } = begin();
  for (let turn = 0; turn < 10; turn++) {
    arrive(16_000, 1);
    await nextTurn();
  }
  expect(done).toEqual([]);
  arrive(17_000, 1);
  expect(done[0]).toBe('destroy');
});

test('chunks of the length of a line are read over several turns', async () => {
  const { done, arrive } = begin();
  for (let turn = 0; turn < 3; turn++) {
    arrive(33_000, 20);
    await nextTurn();
  }
  expect(done).toEqual(['pause', 'resume', 'pause', 'resume', 'pause', 'resume']);
});
