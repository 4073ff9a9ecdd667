/** Calls `work`, which must not fail, every `ms`, never twice at once. @returns a function that ends the calls */
export function repeat(ms: number, work: () => Promise<void>): () => void {
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    void work().finally(() => {
      isRunning = false;
    });
  }, ms);
  return () => clearInterval(timer);
}
