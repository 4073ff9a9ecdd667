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

/** Repeats `request` while it is refused with 503, since the database of a busy machine does not respond in time. */
export async function served<Answer extends { status: number }>(
  request: () => Promise<Answer>,
): Promise<Answer> {
  return await until(async () => {
    const answer = await request();
    return answer.status === 503 ? null : answer;
  });
}
