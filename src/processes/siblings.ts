import { createListeners, type Signals } from '../kernel/database/signals.ts';
import type { Metrics } from '../kernel/metrics/metrics.ts';
import type { FromProcess, ToProcess } from './messages.ts';

/** The other processes of the same server, seen from one of them. */
export interface Siblings {
  /** Number of this process, from 0. */
  slot: number;
  /** Call when the database is open and migrated. */
  opened(): void;
  /** Signals between the processes of this machine. */
  signals: Signals;
  /** Returns the metrics of all processes in the Prometheus text format. */
  renderMetrics(): Promise<string>;
  /** Sets the metrics of this process. */
  report(metrics: Metrics): void;
}

export interface Link {
  siblings: Siblings;
  /** Processes a message of the supervisor, unless it concerns the process itself. */
  receive(message: ToProcess): Promise<void>;
}

/** @param send sends a message to the supervisor */
export function createSiblingLink(slot: number, send: (message: FromProcess) => void): Link {
  const listeners = createListeners();
  const waiting = new Map<number, (text: string) => void>();
  let reported: Metrics | null = null;
  let requests = 0;

  return {
    siblings: {
      slot,
      opened: () => send({ type: 'opened' }),
      signals: {
        emit(channel, payload = '') {
          listeners.notify(channel, payload);
          send({ type: 'signal', channel, payload });
        },
        listen: listeners.add,
        close: async () => {},
      },
      renderMetrics() {
        const id = ++requests;
        const { promise, resolve } = Promise.withResolvers<string>();
        waiting.set(id, resolve);
        send({ type: 'sum', id });
        return promise;
      },
      report(metrics) {
        reported = metrics;
      },
    },
    async receive(message) {
      if (message.type === 'signal') listeners.notify(message.channel, message.payload);
      if (message.type === 'measure')
        send({ type: 'measured', id: message.id, snapshot: (await reported?.snapshot()) ?? [] });
      if (message.type === 'metrics') {
        waiting.get(message.id)?.(message.text);
        waiting.delete(message.id);
      }
    },
  };
}
