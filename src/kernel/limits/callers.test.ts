import { expect, test } from 'bun:test';
import { createCallers, inThisContext, type Requester } from './callers.ts';
import { PROGRAM } from './round-robin.ts';

test('work belongs to the request that started it, by address until its caller is known', async () => {
  const callers = createCallers();
  const request: Requester = { address: '192.0.2.1' };
  const seen = [callers.current()];
  const note = async () => {
    seen.push(callers.current());
  };
  await callers.run(request, async () => {
    await note();
    request.callerId = 'ada';
    await callers.run({ address: '192.0.2.2' }, note);
    await note();
  });
  await note();
  expect(seen).toEqual(['', '192.0.2.1', '192.0.2.2', 'ada', '']);
});

test('work that outlives its request belongs to none', async () => {
  const callers = createCallers();
  const later = Promise.withResolvers<void>();
  let outliving: Promise<string> | undefined;
  const start = () => {
    outliving = later.promise.then(callers.current);
  };
  await callers.run({ address: '192.0.2.1' }, async () => start());
  later.resolve();
  expect(await outliving).toBe(PROGRAM);
  callers.run({ address: '192.0.2.1' }, start);
  expect(await outliving).toBe(PROGRAM);
});

test('work that serves several requests belongs to none', async () => {
  const callers = createCallers();
  const shared = inThisContext(async (suffix: string) => {
    await null;
    return callers.current() + suffix;
  });
  expect(await callers.run({ address: '192.0.2.1' }, () => shared('!'))).toBe('!');
});

test('the last read by others is that of another caller, or of one without an id', () => {
  let now = 0;
  const callers = createCallers(() => now);
  const read = (callerId?: string) => {
    now++;
    callers.recordRead({ callerId });
  };
  expect(callers.lastReadByOthers('ada')).toBe(Number.NEGATIVE_INFINITY);
  read('ada');
  read('ada');
  expect(['ada', 'bob'].map(callers.lastReadByOthers)).toEqual([Number.NEGATIVE_INFINITY, 2]);
  read('bob');
  read('ada');
  read('ada');
  expect(['ada', 'bob', 'cleo'].map(callers.lastReadByOthers)).toEqual([3, 5, 5]);
  read();
  expect(['ada', '192.0.2.1'].map(callers.lastReadByOthers)).toEqual([6, 6]);
});
