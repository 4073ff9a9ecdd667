import type { App } from './http/context.ts';
import type { Probe } from './http/health.ts';
import type { Transport } from './outbox/message.ts';
import type { Upkeep } from './upkeep.ts';

/** What each of the services gives to the server that is put together of them. */
export interface Service {
  /** Mounts its routes. */
  mount(app: App): void;
  /** What `/readyz` asks, by name. */
  probes?: Record<string, Probe>;
  /** What delivers its messages. */
  transports?: readonly Transport[];
  /** Puts right what its last run left; called once, before the first request. */
  start?(): Promise<void>;
  /** Registers its work that comes round. */
  keepUp?(upkeep: Upkeep): void;
  /** Ends what it holds open; called after the last request and the last delivery. */
  stop?(): Promise<void>;
}
