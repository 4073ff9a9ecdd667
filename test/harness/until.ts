/** Pauses between queries: short at first, and longer in long waits, so that they leave time for other work. */
const PAUSE_MS = { first: 10, factor: 1.3, longest: 100 };

/** Repeats `query` until it returns something truthy, and returns that. Ends with the time limit of the test. */
export async function until<Value>(
  query: () => Value | Promise<Value>,
): Promise<Exclude<Value, false | null | undefined>> {
  for (let pause = PAUSE_MS.first; ; pause = Math.min(PAUSE_MS.longest, pause * PAUSE_MS.factor)) {
    const value = await query();
    if (value) return value as Exclude<Value, false | null | undefined>;
    await Bun.sleep(pause);
  }
}
