import { SECOND } from '../../src/kernel/clock.ts';

/** Pauses between queries: short at first, and longer in long waits, so that they leave time for other work. */
const PAUSE_MS = { first: 10, factor: 1.3, longest: 100 };

/** Repeats `query` until it returns a truthy value, and returns that. Waits until the time limit of the test. */
export async function until<Value>(
  query: () => Value | Promise<Value>,
): Promise<Exclude<Value, false | null | undefined>> {
  for (let pause = PAUSE_MS.first; ; pause = Math.min(PAUSE_MS.longest, pause * PAUSE_MS.factor)) {
    const value = await query();
    if (value) return value as Exclude<Value, false | null | undefined>;
    await Bun.sleep(pause);
  }
}

/**
 * Repeats `request` while it is refused with 503, since the database of a busy machine does not respond in time. It waits
 * as the response asks, up to twice as long: the requests of many clients would otherwise be refused together again.
 */
export async function served<Answer extends Pick<Response, 'status' | 'headers'>>(
  request: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await request();
    if (answer.status !== 503) return answer;
    const seconds = Number(answer.headers.get('Retry-After') ?? 0);
    await Bun.sleep(seconds * SECOND * (1 + Math.random()));
  }
}
