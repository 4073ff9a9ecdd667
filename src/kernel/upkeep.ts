import { describeError, type Log } from './log.ts';

/** Periodic tasks. Runs of one task never overlap; a failed run is logged and the next one follows. */
export interface Upkeep {
  every(ms: number, name: string, task: () => Promise<void>): void;
  /** Starts no further runs and waits for the running ones. */
  stop(): Promise<void>;
}

export function createUpkeep(log: Log): Upkeep {
  const timers = new Map<string, Timer>();
  const running = new Set<Promise<void>>();
  let stopped = false;
  return {
    every(ms, name, task) {
      const round = () => {
        const work = task()
          .catch((error) => log.error({ task: name, error: describeError(error) }, 'upkeep failed'))
          .finally(() => {
            running.delete(work);
            if (!stopped) timers.set(name, setTimeout(round, ms));
          });
        running.add(work);
      };
      timers.set(name, setTimeout(round, ms));
    },
    async stop() {
      stopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(running);
    },
  };
}
