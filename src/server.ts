import { join } from 'node:path';
import type { Config } from './config/config.ts';
import type { Secrets } from './config/secrets.ts';
import { warningsOf } from './config/warnings.ts';
import { mountEvents } from './events/routes/events.ts';
import { createStreams } from './events/streams.ts';
import { type EngineLimits, SERVER_LIMITS } from './foundation/engine-limits.ts';
import { openServerFoundation } from './foundation/foundation.ts';
import { resealAfterChange } from './foundation/server-key.ts';
import { ownOrigins } from './identity/origins.ts';
import { HOUR, MINUTE, SECOND } from './kernel/clock.ts';
import type { Argon2idCost } from './kernel/crypto/argon2id.ts';
import { createWriteProbe } from './kernel/database/write-probe.ts';
import { createShortRequests } from './kernel/event-loop/short-requests.ts';
import { createAddresses } from './kernel/http/address.ts';
import { createHttp } from './kernel/http/app.ts';
import type { App } from './kernel/http/context.ts';
import { createHolds } from './kernel/leases/holds.ts';
import { createCallers } from './kernel/limits/callers.ts';
import { createSharedSlots } from './kernel/limits/shared-slots.ts';
import type { LogOutput } from './kernel/log.ts';
import { createIdempotencyKeys } from './kernel/outbox/idempotency.ts';
import { KEPT_DAYS } from './kernel/outbox/rows.ts';
import { createSetBack } from './kernel/outbox/set-back.ts';
import type { Service } from './kernel/service.ts';
import { watchClock } from './kernel/upkeep/clock-watch.ts';
import { createHistory, type History } from './messages/history.ts';
import { messagesTopic, mountMessages } from './messages/messages.ts';
import type { Siblings } from './processes/siblings.ts';
import { type Components, createComponents } from './server/components.ts';
import { createGateway } from './server/gateway.ts';
import { loadOnDemand } from './server/on-demand.ts';
import { createServices, type Services } from './server/services.ts';
import { mountHealth } from './site/health.ts';
import { mountMetrics } from './site/metrics.ts';
import { mountOpenApi } from './site/openapi.ts';
import { mountOverview } from './site/overview.ts';
import { createWebApp } from './site/web-app.ts';
import { VERSION } from './version.ts';

export interface RunningServer {
  /** URL of the listening socket. */
  url: string;
  port: number;
  /** The one-time link that creates the first administrator; null when there is an administrator. */
  setupLink: string | null;
  /**
   * Accepts no further requests, finishes the running ones and releases leases.
   * @param graceMs the longest time for running requests, deliveries and periodic tasks (30 s)
   */
  stop(graceMs?: number): Promise<void>;
}

const GRACE_MS = 30 * SECOND;
/** Maximum age in days, and maximum number of each kind, of the finished messages that are kept. */
const MESSAGES_KEPT = { days: KEPT_DAYS, count: 200_000 };

interface StartOptions {
  limits?: EngineLimits;
  /** The other processes of this server; null = there are none. */
  siblings?: Siblings | null;
  /** Receives the lines of the log; standard error by default. */
  output?: LogOutput;
  /** Cost of new hashes of passwords. */
  passwordCost?: Argon2idCost;
  /** Duration of uploads whose session or token is not checked again at their end. */
  uploadRecheckMs?: number;
}

/** Creates all components, mounts the enabled services, and listens. */
export async function startServer(
  config: Config,
  secrets: Secrets,
  { limits = SERVER_LIMITS, siblings = null, output, passwordCost, uploadRecheckMs }: StartOptions = {},
): Promise<RunningServer> {
  const shortRequests = createShortRequests();
  const callers = createCallers();
  const addresses = createAddresses(config.trustedProxies);
  const gateway = createGateway(config, { shortRequests, addresses, isShared: siblings !== null });
  const origins = ownOrigins(config.publicUrl, config.otherUrls, gateway.port ?? config.port);
  const [publicUrl] = origins;
  const options = { limits, siblings, output, passwordCost, callers };
  const foundation = await openServerFoundation(config, secrets, options).catch(async (error) => {
    await gateway.cut();
    throw error;
  });
  siblings?.opened();
  const { log } = foundation;
  for (const warning of warningsOf(config, secrets)) log.warn(warning);
  const components = createComponents(foundation, config, shortRequests);
  const services = createServices({ components, config, secrets, origins, s3: limits.s3, uploadRecheckMs });
  const { problems, metrics, events, eventLoop, outbox, upkeep } = components;
  const { identity, enabled } = services;
  const history = createHistory(components.database);
  const isIdentityEnabled = config.services.has('identity');

  const secure = publicUrl.startsWith('https:');
  const http = createHttp({ problems, log, metrics, addresses, eventLoop, callers, secure });
  const { app } = http;
  const { visitorPage } = identity;
  const directory = join(config.dataDir, 'web');
  const webApp = isIdentityEnabled ? createWebApp({ directory, visitorPage, log }) : null;
  webApp?.mount(app);
  for (const service of enabled) service.mount(app);
  const site: Site = { app, components, services, config, secrets, origins, siblings };
  const checkHealth = mountOperation(site);
  const { slots, streams } = createEventStreams(components, services);
  if (isIdentityEnabled) mountAdministration(site, history);
  if (isIdentityEnabled || config.services.has('storage')) {
    const auth = identity.guard.accountOr(services.storage.tokens.find);
    mountEvents(app, { auth, streams, corsOrigins: config.corsOrigins });
  }
  mountOpenApi(app, { problems, version: VERSION, publicUrl });
  const transports = transportsOf(enabled);
  outbox.start(siblings?.slot ? transports.filter(({ isShared }) => isShared !== false) : transports);
  for (const service of enabled) await service.start?.();
  for (const service of enabled) service.registerTasks?.(upkeep);
  registerTasks(components, history);
  upkeep.every(HOUR, 'slots', slots.sweep);
  const setupLink = isIdentityEnabled ? await identity.setupLink() : null;
  const stopLoading = await loadOnDemand(config, log);
  const port = gateway.open(http, log);
  eventLoop.start();
  webApp?.start();
  log.info({ publicUrl, port }, 'listening');
  const checked = checkHealth();

  return {
    port,
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    setupLink,
    async stop(graceMs = GRACE_MS) {
      log.info('stopping');
      stopLoading();
      streams.stop();
      slots.stop();
      await Promise.all([gateway.stop(graceMs), outbox.stop(graceMs), upkeep.stop(graceMs)]);
      await webApp?.stop();
      eventLoop.stop();
      for (const service of enabled) await service.stop?.();
      events.flush();
      await checked;
      await foundation.close();
      log.info('stopped');
    },
  };
}

/** Dependencies of the endpoints that belong to no service. */
interface Site {
  app: App;
  components: Components;
  services: Services;
  config: Config;
  secrets: Secrets;
  origins: readonly [string, ...string[]];
  siblings: Siblings | null;
}

const transportsOf = (services: readonly Service[]) => services.flatMap(({ transports }) => transports ?? []);

/** Mounts health checks and metrics. Returns a function that checks all dependencies. */
function mountOperation({
  app,
  components,
  services,
  config,
  secrets,
  origins,
  siblings,
}: Site): () => Promise<void> {
  const { database, clock, outbox, metrics, log, attempts } = components;
  const probes = Object.assign(
    { database: createWriteProbe({ database, clock }), outbox: outbox.probe },
    ...services.enabled.map((service) => service.probes ?? {}),
  );
  const checkHealth = mountHealth(app, { probes, log });
  siblings?.report(metrics);
  mountMetrics(app, {
    metrics,
    render: siblings?.renderMetrics ?? metrics.render,
    version: VERSION,
    token: secrets.metricsToken,
    hosts: [config.host, ...origins.map((origin) => new URL(origin).host)],
    isAdmin: services.identity.guard.isAdmin,
    attempts,
  });
  return checkHealth;
}

/** Mounts the log of messages and the overview of the server. */
function mountAdministration(
  { app, components, services, config, secrets, origins }: Site,
  history: History,
): void {
  const { database, outbox, clock } = components;
  const { identity, storage } = services;
  const { guard } = identity;
  // Other nodes may run the services whose messages and events are shown here.
  mountMessages(app, { database, outbox, history, transports: transportsOf(services.all), guard });
  mountOverview(app, {
    config,
    version: VERSION,
    publicUrl: origins[0],
    clock,
    async runChecks() {
      const { runChecks } = await import('./doctor/doctor.ts');
      return await runChecks(config, secrets, { database, unmanaged: storage.unmanaged });
    },
    storageCounts: storage.counts,
    guard,
  });
}

/** Creates the streams of live events. */
function createEventStreams(components: Components, { all, stores, storage }: Services) {
  const slots = createSharedSlots({ ...components, name: 'event stream' });
  const streams = createStreams({
    ...components,
    topics: [messagesTopic, ...all.flatMap((service) => service.topics ?? [])],
    rolesOf: [stores.credentials.rolesOf, storage.tokens.rolesOf],
    slots,
  });
  return { slots, streams };
}

/** Registers the periodic tasks that belong to no service. */
function registerTasks(components: Components, history: History): void {
  const { database, vault, clock, attempts, upkeep } = components;
  watchClock(components);
  upkeep.every(HOUR, 'server key', () => resealAfterChange(database, vault));
  upkeep.every(MINUTE, 'attempts', attempts.sweep);
  upkeep.every(HOUR, 'holds', createHolds({ database, clock }).sweep);
  upkeep.every(10 * MINUTE, 'idempotency keys', createIdempotencyKeys(database).sweep);
  upkeep.everywhere(MINUTE, 'due messages', createSetBack(database));
  upkeep.every(HOUR, 'finished messages', () => history.sweep(MESSAGES_KEPT));
}
