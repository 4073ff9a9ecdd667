import type { Clock } from './clock.ts';
import type { Vault } from './crypto/vault.ts';
import type { Database } from './database/database.ts';
import type { Topic } from './events.ts';
import type { App } from './http/context.ts';
import type { Attempts } from './limits/attempts.ts';
import type { Log } from './log.ts';
import type { Transport } from './outbox/message.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { Upkeep } from './upkeep/upkeep.ts';

/** Modules of the kernel for a service that sends messages. */
export interface MessagingDeps {
  database: Database;
  vault: Vault;
  clock: Clock;
  log: Log;
  outbox: Outbox;
  attempts: Attempts;
}

/** Checks that a dependency works; rejects when it does not. */
export type Probe = () => Promise<void>;

/** One service as the server uses it. */
export interface Service {
  mount(app: App): void;
  /** Checks for `/readyz`, by name. */
  probes?: Record<string, Probe>;
  transports?: readonly Transport[];
  /** Live events of its changes. */
  topics?: readonly Topic[];
  /** Recovers from the previous run; called once, before the first request. */
  start?(): Promise<void>;
  registerTasks?(upkeep: Upkeep): void;
  /** Releases its resources; called after the last request and the last delivery. */
  stop?(): Promise<void>;
}
