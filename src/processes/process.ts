import { SECOND } from '../kernel/clock.ts';
import type { MetricsSnapshot } from '../kernel/metrics/metrics.ts';
import { programFile } from '../kernel/program-files.ts';
import type { FromProcess, ReadyMessage, StartMessage, ToProcess } from './messages.ts';

/** A process of the server, seen from the supervisor. */
export interface ServerProcess {
  /** Resolves when its database is open and migrated. */
  opened: Promise<void>;
  /** Resolves when it serves requests; rejects when it does not start. */
  ready: Promise<ReadyMessage>;
  /** Resolves with its status or the name of the signal that ended it. */
  exited: Promise<number | string>;
  send(message: ToProcess): void;
  /** Resolves when its event loop has run. One call at a time. */
  ping(): Promise<void>;
  /** Returns its metrics; null = it did not report them in time. */
  measure(ms: number): Promise<MetricsSnapshot | null>;
  /** Stops it gracefully; kills it after its grace period. */
  stop(): Promise<void>;
  kill(): void;
}

const PROGRAM = programFile('processes/child');
/** Longer than a process waits for its own requests and deliveries. */
const STOP_MS = 40 * SECOND;

/** @param receive called with its signals and requests */
export function startProcess(
  start: Omit<StartMessage, 'type'>,
  receive: (message: FromProcess) => void,
): ServerProcess {
  const opened = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<ReadyMessage>();
  const exited = Promise.withResolvers<number | string>();
  const measuring = new Map<number, (snapshot: MetricsSnapshot) => void>();
  let reason = 'a server process ended before it was ready';
  let measures = 0;
  let replied = (): void => {};
  let isConnected = true;
  let isReady = false;
  const child = Bun.spawn([process.execPath, PROGRAM], {
    stdio: ['ignore', 'inherit', 'inherit'],
    serialization: 'json',
    ipc(message: FromProcess) {
      if (message.type === 'ready') {
        isReady = true;
        ready.resolve(message);
      } else if (message.type === 'opened') opened.resolve();
      else if (message.type === 'pong') replied();
      else if (message.type === 'failed') reason = message.message;
      else if (message.type === 'measured') measuring.get(message.id)?.(message.snapshot);
      else receive(message);
    },
    onDisconnect() {
      isConnected = false;
    },
    onExit(_, status, signal) {
      ready.reject(new Error(reason));
      exited.resolve(typeof signal === 'number' || signal === null ? (status ?? 1) : signal);
    },
  });
  // Also reported by `exited`.
  ready.promise.catch(() => {});
  const send = (message: ToProcess) => {
    if (isConnected) child.send(message);
  };
  const kill = () => child.kill('SIGKILL');
  send({ type: 'start', ...start });
  return {
    opened: opened.promise,
    ready: ready.promise,
    exited: exited.promise,
    send,
    ping() {
      const { promise, resolve } = Promise.withResolvers<void>();
      replied = resolve;
      send({ type: 'ping' });
      return promise;
    },
    async measure(ms) {
      if (!isReady) return null;
      const id = ++measures;
      const { promise, resolve } = Promise.withResolvers<MetricsSnapshot | null>();
      const timer = setTimeout(() => resolve(null), ms);
      void exited.promise.then(() => resolve(null));
      measuring.set(id, resolve);
      send({ type: 'measure', id });
      return await promise.finally(() => {
        clearTimeout(timer);
        measuring.delete(id);
      });
    },
    async stop() {
      send({ type: 'stop' });
      const timer = setTimeout(kill, STOP_MS);
      await exited.promise.finally(() => clearTimeout(timer));
    },
    kill,
  };
}
