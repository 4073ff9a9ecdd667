import { SECOND } from '../clock.ts';
import { tooMany } from '../problem.ts';

/**
 * Returns a function that runs work with the same key sequentially, in the order of the calls.
 * @param longest maximum number of calls of one key, with the running one; more are refused
 * @throws Problem 429 `too_many_attempts`
 */
export function createKeyedQueue(
  longest = Number.POSITIVE_INFINITY,
): <Result>(key: string, work: () => Promise<Result>) => Promise<Result> {
  const queues = new Map<string, { last: Promise<unknown>; calls: number }>();
  return async (key, work) => {
    const queue = queues.get(key) ?? { last: Promise.resolve(), calls: 0 };
    if (queue.calls >= longest)
      throw tooMany('too_many_attempts', 'Too many attempts at once. Try again in a moment.', SECOND);
    const mine = queue.last.then(work, work);
    queue.last = mine;
    queue.calls++;
    queues.set(key, queue);
    try {
      return await mine;
    } finally {
      queue.calls--;
      if (queue.calls === 0) queues.delete(key);
    }
  };
}
