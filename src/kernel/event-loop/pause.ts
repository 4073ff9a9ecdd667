/** A wait that can be ended early. */
export interface Pause {
  /** Waits for `ms`, or until `end` is called. */
  wait(ms: number): Promise<void>;
  end(): void;
}

export function createPause(): Pause {
  let end = () => {};
  return {
    async wait(ms) {
      const { promise, resolve } = Promise.withResolvers<void>();
      end = resolve;
      const timer = setTimeout(resolve, ms);
      await promise;
      clearTimeout(timer);
    },
    end: () => end(),
  };
}
