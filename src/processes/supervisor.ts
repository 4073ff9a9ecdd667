import type { Config } from '../config/config.ts';
import type { RawSettings } from '../config/env.ts';
import { lockDataDirectory } from '../foundation/data-directory-lock.ts';
import { MINUTE, SECOND } from '../kernel/clock.ts';
import { createLog } from '../kernel/log.ts';
import type { RunningServer } from '../server.ts';
import { createCombinedMetrics } from './combined-metrics.ts';
import { CHECK_MS, createHangs } from './hangs.ts';
import type { FromProcess, ReadyMessage, SignalMessage } from './messages.ts';
import { requireFreePort } from './port.ts';
import { type ServerProcess, startProcess } from './process.ts';

/** Time in which the processes must report their metrics; of later ones, the previous metrics are used. */
const MEASURE_MS = 2 * SECOND;
/** Pauses before a process that does not start, or ends soon after it was ready, is started again. */
const MAX_PAUSE_MS = 5 * SECOND;
const FIRST_PAUSE_MS = 100;
/** Time after which a process that ends is started again without regard to earlier ends. */
const STABLE_MS = MINUTE;

/** The time of this process. */
interface Timers {
  /** Returns milliseconds since any fixed time; never goes back. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Calls `work` every `ms`. @returns a function that ends this */
  every(ms: number, work: () => void): () => void;
}

interface SupervisorOptions {
  start?: typeof startProcess;
  timers?: Timers;
}

const TIMERS: Timers = {
  now: () => performance.now(),
  sleep: Bun.sleep,
  every(ms, work) {
    const timer = setInterval(work, ms);
    return () => clearInterval(timer);
  },
};

/**
 * Runs a server as several processes on one port: the system distributes connections among them (SO_REUSEPORT). A
 * process that ends or hangs is replaced. They share the database like nodes; this process relays their signals, sums
 * up their metrics and, on SQLite, holds the lock of the data directory.
 * @throws DataDirectoryInUse, and an error with the message of a process that does not start
 */
export async function startProcesses(
  config: Config,
  settings: RawSettings,
  { start = startProcess, timers = TIMERS }: SupervisorOptions = {},
): Promise<RunningServer> {
  const log = createLog(config.logLevel);
  const metrics = createCombinedMetrics();
  const running = new Map<number, ServerProcess>();
  const hangs = createHangs({
    now: timers.now,
    found: (slot, reason) => log.error({ process: slot, reason }, 'a server process hangs, and is killed'),
  });
  let port = config.port;
  let stopping = false;

  async function launch(slot: number): Promise<ReadyMessage> {
    const child = start({ settings, slot, port }, (message) => receive(slot, message));
    running.set(slot, child);
    hangs.watch(slot, child);
    void child.exited.then(() => {
      running.delete(slot);
      metrics.end(slot);
    });
    const ready = await child.ready;
    port = ready.port;
    return ready;
  }

  /** Starts a process, and from then on replaces it whenever it ends. */
  async function startAndKeep(slot: number): Promise<ReadyMessage> {
    const ready = await launch(slot);
    void keep(slot);
    return ready;
  }

  async function keep(slot: number): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(MAX_PAUSE_MS, pause * 2)) {
      const readyAt = timers.now();
      const status = await running.get(slot)?.exited;
      if (stopping) return;
      if (timers.now() - readyAt > STABLE_MS) pause = FIRST_PAUSE_MS;
      log.error({ process: slot, status, pause }, 'a server process ended; another one starts after a pause');
      await timers.sleep(pause);
      if (stopping) return;
      await launch(slot).catch((error) =>
        log.error({ process: slot, error }, 'a server process failed to start'),
      );
    }
  }

  function receive(from: number, message: FromProcess): void {
    if (message.type === 'signal') relay(from, message);
    if (message.type === 'sum') void sum(from, message.id);
  }

  function relay(from: number, message: SignalMessage): void {
    for (const [slot, child] of running) if (slot !== from) child.send(message);
  }

  async function sum(from: number, id: number): Promise<void> {
    await Promise.all(
      [...running].map(async ([slot, child]) => {
        const snapshot = await child.measure(MEASURE_MS);
        if (snapshot && running.get(slot) === child) metrics.set(slot, snapshot);
      }),
    );
    running.get(from)?.send({ type: 'metrics', id, text: await metrics.render() });
  }

  async function stop(): Promise<void> {
    stopping = true;
    stopChecks();
    await Promise.all([...running.values()].map((child) => child.stop()));
  }

  const unlock = lockDataDirectory(config);
  const stopChecks = timers.every(CHECK_MS, hangs.check);
  try {
    requireFreePort(config);
    // The first one migrates the database and, with port 0, chooses the port.
    const first = await startAndKeep(0);
    await Promise.all(Array.from({ length: config.processes - 1 }, (_, index) => startAndKeep(index + 1)));
    log.info({ processes: config.processes }, 'all server processes are ready');
    return {
      url: first.url,
      port,
      setupLink: first.setupLink,
      stop: () => stop().finally(unlock),
    };
  } catch (error) {
    await stop().finally(unlock);
    throw error;
  }
}
