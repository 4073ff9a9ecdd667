/** Pause between two queries, which leaves time for other work. */
const PAUSE_MS = 20;

/** Repeats `query` until it returns something truthy, and returns that. Ends with the time limit of the test. */
export async function until<Value>(
  query: () => Value | Promise<Value>,
): Promise<Exclude<Value, false | null | undefined>> {
  for (;;) {
    const value = await query();
    if (value) return value as Exclude<Value, false | null | undefined>;
    await Bun.sleep(PAUSE_MS);
  }
}
