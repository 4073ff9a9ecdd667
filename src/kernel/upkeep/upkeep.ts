import { type Clock, SECOND } from '../clock.ts';
import type { Database } from '../database/database.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { createRota } from './rota.ts';
import { addRotaMetrics } from './rota-metrics.ts';

type Task = () => Promise<void>;

/** Periodic tasks. Runs of one task never overlap; a failed run is logged, and the next one follows as usual. */
export interface Upkeep {
  /**
   * Runs `task` on one node at a time, `ms` after the end of the last run on any node, so the start of a node does not
   * delay it. When a node dies in a run, another one runs the task after the lease.
   */
  every(ms: number, name: string, task: Task): void;
  /** Runs `task` on each node. For the state of a process, and for work that all nodes share. */
  everywhere(ms: number, name: string, task: Task): void;
  /**
   * Starts no further runs and waits for the running ones, at most `graceMs`. Those that run longer fail when the
   * database closes, and another node repeats them after the lease.
   */
  stop(graceMs: number): Promise<void>;
}

interface UpkeepDeps {
  database: Database;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  node: string;
  /** Interval at which a node looks for due tasks. */
  pollMs?: number;
}

const POLL_MS = 5 * SECOND;

export function createUpkeep({ pollMs = POLL_MS, ...deps }: UpkeepDeps): Upkeep {
  const { log, metrics } = deps;
  const rota = createRota(deps);
  const shared = new Map<string, Task>();
  const timers = new Set<Timer>();
  const running = new Set<Promise<void>>();
  let stopped = false;
  const durations = metrics.histogram(
    'posthouse_upkeep_duration_seconds',
    'Duration of the runs of periodic tasks on this node',
    ['task', 'outcome'],
    [0.01, 0.1, 1, 10, 60, 600],
  );
  addRotaMetrics(deps.database, metrics);

  /** Runs a task; reports whether it succeeded. */
  async function attempt(name: string, task: Task): Promise<boolean> {
    const started = performance.now();
    const observe = (outcome: string) =>
      durations.observe({ task: name, outcome }, (performance.now() - started) / SECOND);
    try {
      await task();
      observe('succeeded');
      return true;
    } catch (error) {
      observe('failed');
      log.error({ task: name, error }, 'upkeep failed');
      return false;
    }
  }

  /** Calls `round` every `ms`, after the end of the previous call. */
  function repeat(ms: number, round: () => Promise<unknown>): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      const work = round().then(() => {
        running.delete(work);
        if (!stopped) repeat(ms, round);
      });
      running.add(work);
    }, ms);
    timers.add(timer);
  }

  async function poll(): Promise<void> {
    const taken = await rota.take();
    for (const name of taken) {
      const task = shared.get(name);
      if (!task) continue;
      const work = rota
        .run(name, () => attempt(name, task))
        .catch((error) => log.error({ task: name, error }, 'upkeep failed'))
        .finally(() => running.delete(work));
      running.add(work);
    }
  }

  async function ended(): Promise<void> {
    while (running.size > 0) await Promise.all(running);
  }

  repeat(pollMs, () => attempt('upkeep', poll));
  return {
    every(ms, name, task) {
      shared.set(name, task);
      rota.add(name, ms);
    },
    everywhere: (ms, name, task) => repeat(ms, () => attempt(name, task)),
    async stop(graceMs) {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
      const { promise: isLate, resolve } = Promise.withResolvers<void>();
      const late = setTimeout(() => {
        log.warn({ running: running.size }, 'periodic tasks did not end in time');
        resolve();
      }, graceMs);
      await Promise.race([ended(), isLate]);
      clearTimeout(late);
    },
  };
}
