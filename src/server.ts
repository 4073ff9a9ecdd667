import { hostname } from 'node:os';
import { join } from 'node:path';
import { createChat } from './chat/chat.ts';
import type { Config, ServiceName } from './config/config.ts';
import type { Secrets } from './config/secrets.ts';
import { examineAll } from './doctor/doctor.ts';
import { openFoundation } from './foundation.ts';
import { createIdentity } from './identity/identity.ts';
import { ownOrigins } from './identity/origins.ts';
import { HOUR, MINUTE, SECOND } from './kernel/clock.ts';
import { createHolds } from './kernel/holds.ts';
import { createAddresses } from './kernel/http/address.ts';
import { createHttp } from './kernel/http/app.ts';
import type { App } from './kernel/http/context.ts';
import { mountHealth } from './kernel/http/health.ts';
import { listen } from './kernel/http/listener.ts';
import { mountOpenApi } from './kernel/http/openapi.ts';
import { createWebApp } from './kernel/http/webapp.ts';
import { createAttempts } from './kernel/limits/attempts.ts';
import { describeError } from './kernel/log.ts';
import { createMetrics } from './kernel/metrics.ts';
import { createAccept, sweepIdempotencyKeys } from './kernel/outbox/acceptance.ts';
import { createHistory } from './kernel/outbox/history.ts';
import { createOutbox } from './kernel/outbox/outbox.ts';
import { mountMessages } from './kernel/outbox/routes.ts';
import type { Service } from './kernel/service.ts';
import { createUpkeep } from './kernel/upkeep.ts';
import { createMail, type MailSettings } from './mail/mail.ts';
import { mountOverview } from './overview.ts';
import { openPeople } from './people.ts';
import { openBlobs } from './storage/blobs/open.ts';
import { createStorage } from './storage/storage.ts';
import { streamedPaths } from './storage/streamed-paths.ts';
import { createWorkspaces } from './storage/workspaces.ts';
import { VERSION } from './version.ts';

export interface RunningServer {
  /** Where it listens. */
  url: string;
  /** The one-time link that makes the first administrator; null when there is one. */
  setupLink: string | null;
  /** Accepts nothing more, finishes what is under way (30 s at most), gives leases back. */
  stop(): Promise<void>;
}

const GRACE_MS = 30 * SECOND;
const IDLE_SECONDS = 30;
/** How long ended messages can be looked at, and how many of each kind. */
const MESSAGES_KEPT = { days: 30, count: 200_000 };

/** Builds every part once, mounts the services that were asked for, and listens. */
export async function startServer(config: Config, secrets: Secrets): Promise<RunningServer> {
  let app: App | null = null;
  let streamFailed = (_error: unknown): void => {};
  const listener = listen({
    hostname: config.host,
    port: config.port,
    idleTimeout: IDLE_SECONDS,
    streamedPaths: streamedPaths(config.blobs),
    answer: (request, peer) =>
      app?.fetch(request, { peer }) ?? new Response('starting\n', { status: 503, headers: { 'Retry-After': '1' } }),
    failed: (error) => streamFailed(error),
  });
  const origins = ownOrigins(config.publicUrl, listener.port);
  const [publicUrl] = origins;

  const foundation = await openFoundation(config, secrets).catch(async (error) => {
    await listener.stop(true);
    throw error;
  });
  const { database, signals, vault, clock, log } = foundation;
  const metrics = createMetrics();
  const addresses = createAddresses(config.trustedProxies);
  const outbox = createOutbox({ database, signals, vault, clock, log, metrics });
  const upkeep = createUpkeep(log);
  const attempts = createAttempts({ database, clock });
  const people = openPeople(foundation, config);
  const identity = createIdentity({
    database,
    clock,
    vault,
    log,
    attempts,
    people,
    profileOf: people.profileOf,
    origins,
    external: config.externalIssuer && { ...config.externalIssuer, clientSecret: secrets.oidcClientSecret ?? '' },
    admitted: { allowed: config.accountsAllowed, adminEmail: config.adminEmail },
  });
  const accept = createAccept({ database, outbox, clock });
  const mail = createMail({
    database,
    vault,
    clock,
    log,
    outbox,
    attempts,
    accept,
    guard: identity.guard,
    settings: mailSettings(config, secrets, publicUrl),
  });
  const chat = createChat({
    database,
    signals,
    vault,
    clock,
    log,
    outbox,
    attempts,
    guard: identity.guard,
    settings: {
      apiUrl: config.discord.apiUrl,
      limits: { burst: config.limits.chatBurst, perMinute: config.limits.chatPerMinute },
      corsOrigins: config.corsOrigins,
    },
  });
  const blobs = openBlobs(config.blobs, secrets.s3);
  const workspaces = createWorkspaces({ database, clock, workspaceBytes: config.limits.workspaceBytes });
  const storage = createStorage({
    database,
    signals,
    vault,
    clock,
    log,
    attempts,
    guard: identity.guard,
    blobs,
    workspaces,
    // The same after a restart, and no other node's.
    owner: `${hostname()} ${config.dataDir}`,
    publicUrl,
    limits: config.limits,
  });
  const offered: [ServiceName, Service][] = [
    ['identity', identity],
    ['storage', storage],
    ['chat', chat],
    ['mail', mail],
  ];
  const services = offered.filter(([name]) => config.services.has(name)).map(([, service]) => service);

  const http = createHttp({ log, metrics, addresses, secure: publicUrl.startsWith('https:') });
  const webApp = config.services.has('identity') ? createWebApp({ directory: join(config.dataDir, 'web'), log }) : null;
  webApp?.mount(http);
  for (const service of services) service.mount(http);
  const probes = Object.assign({ database: database.probe, outbox: outbox.probe }, ...services.map((service) => service.probes ?? {}));
  mountHealth(http, { probes, metrics, metricsToken: secrets.metricsToken, isAdmin: identity.isAdmin });
  const transports = services.flatMap((service) => service.transports ?? []);
  const history = createHistory({ database, clock });
  if (config.services.has('identity')) {
    const { requireAdmin } = identity.guard;
    mountMessages(http, { database, outbox, history, transports, requireAdmin });
    mountOverview(http, { config, version: VERSION, publicUrl, clock, examine: () => examineAll(config, secrets), requireAdmin });
  }
  mountOpenApi(http, VERSION, publicUrl);
  outbox.start(transports);
  for (const service of services) await service.start?.();
  for (const service of services) service.keepUp?.(upkeep);
  upkeep.every(10 * MINUTE, 'attempts', attempts.sweep);
  upkeep.every(HOUR, 'holds', createHolds({ database, clock }).sweep);
  upkeep.every(10 * MINUTE, 'idempotency keys', () => sweepIdempotencyKeys(database, clock));
  upkeep.every(HOUR, 'ended messages', () => history.sweep(MESSAGES_KEPT));
  const setupLink = config.services.has('identity') ? await identity.setupLink() : null;
  streamFailed = (error) => log.error({ error: describeError(error) }, 'an answer broke off');
  app = http;
  log.info({ publicUrl, port: listener.port }, 'listening');

  return {
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${listener.port}`,
    setupLink,
    async stop() {
      const cut = setTimeout(() => void listener.stop(true), GRACE_MS);
      await Promise.all([listener.stop(), outbox.stop(GRACE_MS)]);
      clearTimeout(cut);
      await webApp?.stop();
      await upkeep.stop();
      for (const service of services) await service.stop?.();
      await foundation.close();
    },
  };
}

function mailSettings(config: Config, secrets: Secrets, publicUrl: string): MailSettings {
  return {
    publicUrl,
    smtp: config.smtp && {
      host: config.smtp.host,
      port: config.smtp.port,
      security: config.smtp.security,
      verifyTls: config.smtp.verifyTls,
      credentials: secrets.smtp && { username: secrets.smtp.user, password: secrets.smtp.password },
    },
    sender: config.mailFrom,
    dkim: config.dkim && secrets.dkimKey !== null ? { ...config.dkim, privateKey: secrets.dkimKey } : null,
    telegram: { apiUrl: config.telegram.apiUrl, token: secrets.telegramToken },
    allowPrivateHosts: config.allowPrivateHosts,
    corsOrigins: config.corsOrigins,
    trackOpens: config.trackOpens,
    geoipDatabase: config.geoipDatabase,
  };
}
