/** Returns a function like `work`, whose calls during a run share the result of that run. */
export function shareRuns<Arguments extends unknown[], Result>(
  work: (...args: Arguments) => Promise<Result>,
): (...args: Arguments) => Promise<Result> {
  let running: Promise<Result> | undefined;
  return (...args) => {
    running ??= work(...args).finally(() => {
      running = undefined;
    });
    return running;
  };
}
