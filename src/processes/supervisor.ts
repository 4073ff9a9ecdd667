import type { Config } from '../config/config.ts';
import type { RawSettings } from '../config/env.ts';
import { lockDataDirectory } from '../foundation/data-directory-lock.ts';
import { SECOND } from '../kernel/clock.ts';
import { createLog, describeError } from '../kernel/log.ts';
import type { RunningServer } from '../server.ts';
import { createCombinedMetrics } from './combined-metrics.ts';
import type { FromProcess, ReadyMessage, SignalMessage } from './messages.ts';
import { requireFreePort } from './port.ts';
import { type ServerProcess, startProcess } from './process.ts';

/** Time in which the processes must report their metrics; of later ones, the previous metrics are used. */
const MEASURE_MS = 2 * SECOND;
/** Longest pause before a process that does not start is started again. */
const MAX_PAUSE_MS = 5 * SECOND;
const FIRST_PAUSE_MS = 100;

interface SupervisorOptions {
  start?: typeof startProcess;
}

/**
 * Runs a server as several processes on one port: the system distributes connections among them (SO_REUSEPORT). A
 * process that ends is replaced. They share the database like nodes; this process relays their signals, sums up their
 * metrics and, on SQLite, holds the lock of the data directory.
 * @throws DataDirectoryInUse, and an error with the message of a process that does not start
 */
export async function startProcesses(
  config: Config,
  settings: RawSettings,
  { start = startProcess }: SupervisorOptions = {},
): Promise<RunningServer> {
  const log = createLog(config.logLevel);
  const metrics = createCombinedMetrics();
  const running = new Map<number, ServerProcess>();
  let port = config.port;
  let stopping = false;

  async function launch(slot: number): Promise<ReadyMessage> {
    const child = start({ settings, slot, port }, (message) => receive(slot, message));
    running.set(slot, child);
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
    for (;;) {
      const status = await running.get(slot)?.exited;
      if (stopping) return;
      log.error({ process: slot, status }, 'a server process ended; starting another one');
      await replace(slot);
    }
  }

  async function replace(slot: number): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; !stopping; pause = Math.min(MAX_PAUSE_MS, pause * 2)) {
      try {
        await launch(slot);
        return;
      } catch (error) {
        log.error({ process: slot, error: describeError(error) }, 'a server process failed to start');
        await Bun.sleep(pause);
      }
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
    await Promise.all([...running.values()].map((child) => child.stop()));
  }

  const unlock = lockDataDirectory(config);
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
