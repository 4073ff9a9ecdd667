interface WorkersDeps {
  /** Returns the maximum number of workers, which may change. */
  atOnce(): number;
  /** Each worker waits for this before its work. */
  ready(): Promise<void> | undefined;
  /** Completes one piece of work; false = there was none. */
  workOnce(): Promise<boolean>;
}

/** Workers that end when there is no work. */
export interface Workers {
  /** Starts workers, and waits until all have ended. */
  round(): Promise<void>;
  /** Starts no more work, and waits for that in progress. */
  stop(): Promise<void>;
}

export function createWorkers({ atOnce, ready, workOnce }: WorkersDeps): Workers {
  /** The running workers by their numbers, from 0. */
  const workers = new Map<number, Promise<void>>();
  let rounds = 0;
  let stopped = false;

  /** Works until there is nothing to do, and checks again if a round began meanwhile. */
  async function work(number: number): Promise<void> {
    await ready();
    for (let round = -1; round !== rounds; ) {
      round = rounds;
      while (!stopped && number < atOnce() && (await workOnce())) startWorkers();
    }
  }

  function startWorkers(): void {
    for (let number = 0; !stopped && number < atOnce(); number++)
      if (!workers.has(number))
        workers.set(
          number,
          work(number).finally(() => workers.delete(number)),
        );
  }

  return {
    async round() {
      rounds++;
      startWorkers();
      while (workers.size > 0) await Promise.all(workers.values());
    },
    async stop() {
      stopped = true;
      await Promise.allSettled(workers.values());
    },
  };
}
