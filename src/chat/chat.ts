import type { Guard } from '../identity/guard.ts';
import { MINUTE, SECOND } from '../kernel/clock.ts';
import type { ShortRequests } from '../kernel/event-loop/short-requests.ts';
import { createAddressLimit } from '../kernel/limits/address-limit.ts';
import { createSharedRates } from '../kernel/limits/shared-rates.ts';
import type { MessagingDeps, Service } from '../kernel/service.ts';
import { createProbing } from './access/probing.ts';
import { createReach } from './access/reach.ts';
import { createBots, createTokenCheck } from './directory/bot-token.ts';
import { createChange } from './directory/change.ts';
import { createDirectory } from './directory/directory.ts';
import { createGuildImport } from './directory/guild-import.ts';
import { createTargets } from './directory/targets.ts';
import { createCall } from './platform/calls.ts';
import { createInvalidRequests } from './platform/invalid-requests.ts';
import { createPauses } from './platform/pauses.ts';
import { createPlatform } from './platform/platform.ts';
import { mountChannelTests } from './routes/admin/channel-tests.ts';
import { mountChannels } from './routes/admin/channels.ts';
import { mountClients } from './routes/admin/clients.ts';
import { mountGuilds } from './routes/admin/guilds.ts';
import { mountImport } from './routes/admin/import.ts';
import { createAnonymous } from './routes/callers.ts';
import { mountPing } from './routes/ping.ts';
import { mountSend } from './routes/send.ts';
import { createEditor } from './sending/editor.ts';
import { createFolding } from './sending/folding.ts';
import { createSend } from './sending/send.ts';
import { createSender } from './sending/sender.ts';

export interface ChatSettings {
  /** API of Discord or of a compatible server. */
  apiUrl: string;
  /** Base URL of its web app, for links to messages. */
  siteUrl: string;
  /** Messages that a channel accepts at once, and per minute after that. */
  limits: { burst: number; perMinute: number };
  /** Origins of pages that may send. */
  corsOrigins: readonly string[];
  /** Number of processes of this server. */
  processes: number;
}

interface ChatDeps extends MessagingDeps {
  guard: Guard;
  shortRequests: ShortRequests;
  settings: ChatSettings;
}

/**
 * How many times the limit of a channel an address may use; with the defaults 50 messages per second, the maximum of a
 * bot.
 */
const CHANNELS_OF_AN_ADDRESS = 50;
/** Maximum number of posts of a message that count for the limit of its channel. */
const MAX_POSTS_COUNTED = 1_000;

/** The relay of messages into chat channels. */
export function createChat(deps: ChatDeps): Service {
  const { database, vault, clock, log, outbox, attempts, guard, shortRequests } = deps;
  const { apiUrl, siteUrl, limits, corsOrigins, processes } = deps.settings;
  const invalidRequests = createInvalidRequests({ attempts, clock, log });
  const platform = createPlatform(apiUrl, invalidRequests.count);
  const bots = createBots(vault, platform);
  const targets = createTargets({ database, clock });
  const pauses = createPauses({ database, outbox });
  const folding = createFolding({ database, outbox, clock });
  const call = createCall({ bots, pauses, invalidRequests, siteUrl, clock });
  const reach = createReach({ bots, clock });
  const channelRates = createSharedRates({ database, name: 'chat', ...limits, maxCount: MAX_POSTS_COUNTED });
  const send = createSend({ database, outbox, folding, clock, channelRates, shortRequests });
  const probing = createProbing({ database, pauses, targets, reach, outbox });
  const directory = createDirectory({ vault, clock });
  const guildImport = createGuildImport({ database, directory, bots });
  const change = createChange({ database, outbox });
  const admin = { database, directory, pauses, change, guard };
  const anonymous = createAnonymous(
    createAddressLimit({
      burst: limits.burst * CHANNELS_OF_AN_ADDRESS,
      perMinute: limits.perMinute * CHANNELS_OF_AN_ADDRESS,
      clock,
      processes,
    }),
  );
  return {
    mount(app) {
      mountSend(app, { anonymous, targets, send, reach, outbox, attempts, corsOrigins });
      mountPing(app);
      mountClients(app, { ...admin, checkToken: createTokenCheck(platform) });
      mountImport(app, { directory, guildImport, change, guard });
      mountGuilds(app, admin);
      mountChannels(app, admin);
      mountChannelTests(app, { targets, send, reach, guard });
    },
    transports: [
      createSender({ call, targets, database, outbox }),
      createEditor({ call, targets, folding, outbox }),
    ],
    registerTasks(upkeep) {
      upkeep.every(MINUTE, 'folds of chat messages', folding.sweep);
      upkeep.every(MINUTE, 'rates of chat channels', channelRates.sweep);
      upkeep.every(15 * SECOND, 'probes of paused chat targets', probing);
    },
  };
}
