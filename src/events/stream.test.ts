import { expect, test } from 'bun:test';
import { createEventStream } from './stream.ts';

const open = () => {
  let hasLeft = false;
  const stream = createEventStream(() => {
    hasLeft = true;
  });
  const reader = stream.body.getReader();
  const read = async () => new TextDecoder().decode((await reader.read()).value);
  return { stream, reader, read, hasLeft: () => hasLeft };
};

test('frames that wait are sent together, each once', async () => {
  const { stream, read } = open();
  expect(await read()).toBe(': open\n\n');
  for (const frame of ['a\n\n', 'b\n\n', 'a\n\n']) expect(stream.send(frame)).toBe(true);
  expect(await read()).toBe('a\n\nb\n\n');
  expect(stream.send('a\n\n')).toBe(true);
  expect(await read()).toBe('a\n\n');
});

test('the number of frames that wait for a reader is bounded', async () => {
  const { stream } = open();
  let count = 0;
  while (stream.send(`${count}\n\n`)) count++;
  expect(count).toBeGreaterThan(100);
  expect(count).toBeLessThan(1000);
});

test('a comment that was not read since the one before is refused', async () => {
  const { stream, read } = open();
  expect(stream.sendComment()).toBe(true);
  expect(stream.sendComment()).toBe(false);
  expect(await read()).toBe(': open\n\n:\n\n');
  expect(stream.sendComment()).toBe(true);
});

test('an end interrupts a reader that waits, and a reader that leaves is reported', async () => {
  const ended = open();
  await ended.read();
  const waiting = ended.reader.read();
  ended.stream.end();
  expect((await waiting).done).toBe(true);
  expect(ended.hasLeft()).toBe(false);

  const left = open();
  await left.read();
  await left.reader.cancel();
  expect(left.hasLeft()).toBe(true);
  left.stream.end();
});
