import type { Guard } from '../identity/guard.ts';
import { type Clock, MINUTE, SECOND } from '../kernel/clock.ts';
import type { Vault } from '../kernel/crypto/vault.ts';
import type { Database } from '../kernel/database/database.ts';
import type { Signals } from '../kernel/database/signals.ts';
import type { Attempts } from '../kernel/limits/attempts.ts';
import { createRateLimit } from '../kernel/limits/rates.ts';
import type { Log } from '../kernel/log.ts';
import type { Outbox } from '../kernel/outbox/outbox.ts';
import type { Service } from '../kernel/service.ts';
import { createDirectory } from './directory.ts';
import { createEditor } from './editor.ts';
import { createFolding } from './folding.ts';
import { createInvalidRequests } from './invalid-requests.ts';
import { createPauses } from './pauses.ts';
import { createPlaces } from './places.ts';
import { createPlatform } from './platform.ts';
import { createProbing } from './probing.ts';
import { createReach } from './reach.ts';
import { mountChannels } from './routes/admin/channels.ts';
import { mountClients } from './routes/admin/clients.ts';
import { mountGuilds } from './routes/admin/guilds.ts';
import { allowOrigins, createCallers } from './routes/callers.ts';
import { mountMessageStatus } from './routes/messages.ts';
import { mountPing } from './routes/ping.ts';
import { CAN_SEND, mountSend, SEND } from './routes/send.ts';
import { createSend } from './send.ts';
import { createCaller, createSender } from './sender.ts';
import { createTargets } from './targets.ts';

export interface ChatSettings {
  /** Of Discord or a compatible server. */
  apiUrl: string;
  /** Messages that a channel takes at once, and a minute after that. */
  limits: { burst: number; perMinute: number };
  /** Origins whose pages may send. */
  corsOrigins: readonly string[];
}

interface ChatParts {
  database: Database;
  signals: Signals;
  vault: Vault;
  clock: Clock;
  log: Log;
  outbox: Outbox;
  attempts: Attempts;
  guard: Guard;
  settings: ChatSettings;
}

/** What one address may do is a multiple of what one channel takes: as much as a bot may, 50 a second, by default. */
const CHANNELS_OF_AN_ADDRESS = 50;

/** The relay of messages into chat channels. */
export function createChat({ database, signals, vault, clock, log, outbox, attempts, guard, settings }: ChatParts): Service {
  const { apiUrl, limits, corsOrigins } = settings;
  const invalidRequests = createInvalidRequests({ attempts, clock, log });
  const platform = createPlatform(apiUrl, invalidRequests.count);
  const targets = createTargets({ database, signals, clock });
  const pauses = createPauses({ database, outbox, targets, clock });
  const folding = createFolding({ database, outbox, clock });
  const caller = createCaller({ platform, pauses, invalidRequests, vault, clock });
  const reach = createReach({ platform, vault, clock });
  const send = createSend({ database, outbox, folding, clock, limits });
  const probing = createProbing({ database, pauses, targets, reach, outbox });
  const directory = createDirectory({ vault, clock });
  const places = createPlaces({ database, directory, platform, vault });
  const admin = { database, directory, targets, pauses, outbox, guard };
  const callers = createCallers(
    createRateLimit({ burst: limits.burst * CHANNELS_OF_AN_ADDRESS, perMinute: limits.perMinute * CHANNELS_OF_AN_ADDRESS, clock }),
  );
  return {
    mount(app) {
      allowOrigins(app, corsOrigins, [SEND, CAN_SEND]);
      mountSend(app, { callers, targets, send, reach });
      mountMessageStatus(app, { callers, outbox });
      mountPing(app);
      mountClients(app, { ...admin, places });
      mountGuilds(app, admin);
      mountChannels(app, { ...admin, send, reach });
    },
    transports: [createSender({ caller, targets, database, outbox }), createEditor({ caller, targets, folding, outbox, clock })],
    keepUp(upkeep) {
      upkeep.every(MINUTE, 'folds of chat messages', folding.sweep);
      upkeep.every(15 * SECOND, 'probes of paused chat targets', probing);
    },
    async stop() {
      targets.stop();
    },
  };
}
