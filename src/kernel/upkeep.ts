import { describeError, type Log } from './log.ts';

/** Work that comes round: each task again and again, never twice at once, its failures logged and survived. */
export interface Upkeep {
  every(ms: number, name: string, task: () => Promise<void>): void;
  /** Starts no more and waits for what is under way. */
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
