/**
 * Returns a function that waits for one of `max` slots, in FIFO order, and returns the function that frees it (call
 * it once).
 */
export function createSlots(max: number): () => Promise<() => void> {
  const waiting: (() => void)[] = [];
  let taken = 0;
  const free = () => {
    const next = waiting.shift();
    if (next) next();
    else taken--;
  };
  return async () => {
    if (taken >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    else taken++;
    return free;
  };
}

/** Returns a function that runs at most `max` calls of `work` concurrently; the rest wait in FIFO order. */
export function limitConcurrency(max: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const slot = createSlots(max);
  return async (work) => {
    const free = await slot();
    try {
      return await work();
    } finally {
      free();
    }
  };
}
