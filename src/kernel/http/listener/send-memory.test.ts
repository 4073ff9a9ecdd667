import { expect, test } from 'bun:test';
import { EventEmitter } from 'node:events';
import { createSendMemory } from './send-memory.ts';

function response(writableLength: number) {
  const emitter = new EventEmitter();
  const made = Object.assign(emitter, {
    writableLength,
    destroyed: false,
    destroy() {
      made.destroyed = true;
      emitter.emit('close');
      return made;
    },
  });
  return made;
}

type Sending = Parameters<ReturnType<typeof createSendMemory>['written']>[0];
const sending = (each: ReturnType<typeof response>) => each as unknown as Sending;

test('the responses that have waited longest are ended, and as few as needed', () => {
  const memory = createSendMemory(100);
  const all = [40, 40, 40, 40].map(response);
  for (const each of all) memory.written(sending(each));
  expect(all.map(({ destroyed }) => destroyed)).toEqual([true, true, false, false]);
});

test('bytes that were read meanwhile, and responses that have ended, do not count', () => {
  const memory = createSendMemory(100);
  const [first, second, third, fourth] = [40, 40, 40, 60].map(response);
  if (!first || !second || !third || !fourth) throw new Error('a response is missing');
  memory.written(sending(first));
  memory.written(sending(second));
  first.writableLength = 10;
  memory.written(sending(third));
  expect(first.destroyed).toBe(false);
  second.emit('close');
  memory.written(sending(fourth));
  expect([first, third, fourth].some(({ destroyed }) => destroyed)).toBe(true);
  expect(fourth.destroyed).toBe(false);
});

test('a response that is larger than the memory is ended', () => {
  const large = response(101);
  createSendMemory(100).written(sending(large));
  expect(large.destroyed).toBe(true);
});
