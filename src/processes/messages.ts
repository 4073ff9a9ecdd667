import type { RawSettings } from '../config/env.ts';
import type { MetricsSnapshot } from '../kernel/metrics/metrics.ts';

/* The messages between the supervisor and the processes of a server, as JSON. */

export interface StartMessage {
  type: 'start';
  settings: RawSettings;
  /** Number of the process, from 0. */
  slot: number;
  port: number;
}

/** A signal (`Signals`) for the other processes. */
export interface SignalMessage {
  type: 'signal';
  channel: string;
  payload: string;
}

export type ToProcess =
  | StartMessage
  | SignalMessage
  /** Requests the metrics of the process. */
  | { type: 'measure'; id: number }
  /** The metrics of all processes in the text format. */
  | { type: 'metrics'; id: number; text: string }
  /** Requests a `pong`. */
  | { type: 'ping' }
  /** Stops the process gracefully. */
  | { type: 'stop' };

export interface ReadyMessage {
  type: 'ready';
  url: string;
  port: number;
  setupLink: string | null;
}

export type FromProcess =
  /** The database is open and migrated, which may have taken long. */
  | { type: 'opened' }
  | ReadyMessage
  | { type: 'failed'; message: string }
  | { type: 'pong' }
  | SignalMessage
  | { type: 'measured'; id: number; snapshot: MetricsSnapshot }
  /** Requests the metrics of all processes. */
  | { type: 'sum'; id: number };
