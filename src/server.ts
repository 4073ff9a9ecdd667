import { join } from 'node:path';
import { createChat } from './chat/chat.ts';
import type { Config } from './config/config.ts';
import type { ServiceName } from './config/formats.ts';
import type { Secrets } from './config/secrets.ts';
import { warningsOf } from './config/warnings.ts';
import { type EngineLimits, SERVER_LIMITS } from './engine-limits.ts';
import { mountEvents } from './events/routes/events.ts';
import { createStreams } from './events/streams.ts';
import { openServerFoundation } from './foundation.ts';
import { createIdentity } from './identity/identity.ts';
import { ownOrigins } from './identity/origins.ts';
import { openIdentityStores } from './identity-stores.ts';
import { HOUR, MINUTE, SECOND } from './kernel/clock.ts';
import { watchClock } from './kernel/clock-watch.ts';
import { createWriteProbe } from './kernel/database/write-probe.ts';
import { createEventLoopWatch } from './kernel/event-loop.ts';
import { createEvents } from './kernel/events.ts';
import { createHolds } from './kernel/holds.ts';
import { createAddresses } from './kernel/http/address.ts';
import { createAmbiguityCheck } from './kernel/http/ambiguous.ts';
import { createHttp, type Http } from './kernel/http/app.ts';
import { listen } from './kernel/http/listener.ts';
import { createProblems } from './kernel/http/problems.ts';
import { createAttempts } from './kernel/limits/attempts.ts';
import { createSharedSlots } from './kernel/limits/shared-slots.ts';
import { describeError } from './kernel/log.ts';
import { createMetrics } from './kernel/metrics.ts';
import { createAccept } from './kernel/outbox/accept.ts';
import { createIdempotencyKeys } from './kernel/outbox/idempotency.ts';
import { createOutbox } from './kernel/outbox/outbox.ts';
import { Problem } from './kernel/problem.ts';
import type { Service } from './kernel/service.ts';
import { createUpkeep } from './kernel/upkeep/upkeep.ts';
import { ehloName } from './mail/ehlo-name.ts';
import { createMail } from './mail/mail.ts';
import type { Notice } from './mail/notices.ts';
import type { MailSettings } from './mail/settings.ts';
import { createHistory } from './messages/history.ts';
import { messagesChanged, messagesTopic, mountMessages } from './messages/messages.ts';
import { PROBLEMS } from './problems.ts';
import type { Siblings } from './processes/siblings.ts';
import { resealAfterChange } from './server-key.ts';
import { mountHealth } from './site/health.ts';
import { mountMetrics } from './site/metrics.ts';
import { mountOpenApi } from './site/openapi.ts';
import { mountOverview } from './site/overview.ts';
import { createWebApp } from './site/web-app.ts';
import { openBlobs } from './storage/blobs/open.ts';
import { streamedPaths } from './storage/routes/streamed-paths.ts';
import { createStorage } from './storage/storage.ts';
import { createWorkspaces } from './storage/tree/workspaces.ts';
import { VERSION } from './version.ts';

export interface RunningServer {
  /** URL of the listening socket. */
  url: string;
  port: number;
  /** The one-time link that creates the first administrator; null when there is an administrator. */
  setupLink: string | null;
  /** Accepts no further requests, finishes the running ones (30 s at most) and releases leases. */
  stop(): Promise<void>;
}

const GRACE_MS = 30 * SECOND;
const IDLE_SECONDS = 30;
/** Open event streams of an account. */
const STREAMS_EACH = 10;
/** Days for which finished messages are kept, and the maximum number of each kind. */
const MESSAGES_KEPT = { days: 30, count: 200_000 };

interface StartOptions {
  limits?: EngineLimits;
  /** The other processes of this server; null = there are none. */
  siblings?: Siblings | null;
}

/** Creates every component once, mounts the enabled services, and listens. */
export async function startServer(
  config: Config,
  secrets: Secrets,
  { limits = SERVER_LIMITS, siblings = null }: StartOptions = {},
): Promise<RunningServer> {
  let http: Http | null = null;
  const refuseAmbiguous = createAmbiguityCheck();
  let streamFailed = (_error: unknown): void => {};
  const open = () =>
    listen({
      hostname: config.host,
      port: config.port,
      shared: siblings !== null,
      idleTimeout: IDLE_SECONDS,
      streamedPaths: streamedPaths(config.blobs),
      answer: (request, peer) =>
        refuseAmbiguous(request.headers) ??
        http?.answer(request, peer) ??
        new Response('starting\n', { status: 503, headers: { 'Retry-After': '1' } }),
      failed: (error) => streamFailed(error),
    });
  // Requests before the start are refused; one that joins others leaves them to those.
  const early = siblings && config.port !== 0 ? null : open();
  const origins = ownOrigins(config.publicUrl, config.otherUrls, early?.port ?? config.port);
  const [publicUrl] = origins;

  const foundation = await openServerFoundation(config, secrets, limits, siblings).catch(async (error) => {
    await early?.stop(true);
    throw error;
  });
  const { database, signals, vault, passwords, clock, log, instance } = foundation;
  for (const warning of warningsOf(config, secrets)) log.warn(warning);
  const problems = createProblems(PROBLEMS);
  const metrics = createMetrics();
  const eventLoop = createEventLoopWatch({ log, metrics });
  const addresses = createAddresses(config.trustedProxies);
  const events = createEvents(signals);
  const outbox = createOutbox({
    database,
    signals,
    vault,
    clock,
    log,
    metrics,
    changed: (kind) => events.publish(messagesChanged(kind)),
  });
  const upkeep = createUpkeep({ database, clock, log, metrics, node: instance.id });
  const attempts = createAttempts({ database });
  const slots = createSharedSlots({ database, clock, name: 'event stream', count: STREAMS_EACH });
  const workspaces = createWorkspaces({ database, clock, limits: config.limits });
  const stores = openIdentityStores(foundation, config);
  const { processes } = config;
  const mailer = config.services.has('mail')
    ? {
        delivers: config.smtp !== null,
        send: (notice: Notice, wait: boolean) => mail.sendNotice(notice, wait),
      }
    : null;
  const identity = createIdentity({
    problems,
    processes,
    database,
    clock,
    vault,
    log,
    metrics,
    attempts,
    stores,
    profileOf: async ({ id, isAdmin }) => ({
      ...(await workspaces.profileOf(id)),
      mayCreateWorkspaces: isAdmin || config.limits.workspaceCreators === 'everyone',
    }),
    origins,
    external: config.externalIssuer && {
      ...config.externalIssuer,
      clientSecret: secrets.oidcClientSecret ?? '',
    },
    mailer,
    admitted: { allowed: config.accountsAllowed, adminEmail: config.adminEmail },
  });
  const accept = createAccept({ database, outbox });
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
    vault,
    clock,
    log,
    outbox,
    attempts,
    guard: identity.guard,
    settings: {
      ...config.discord,
      limits: { burst: config.limits.chatBurst, perMinute: config.limits.chatPerMinute },
      corsOrigins: config.corsOrigins,
      processes,
    },
  });
  const blobs = openBlobs(config.blobs, secrets.s3, limits.s3);
  const storage = createStorage({
    database,
    signals,
    events,
    vault,
    passwords,
    clock,
    log,
    metrics,
    attempts,
    guard: identity.guard,
    people: stores.accounts,
    mailer,
    processes,
    blobs,
    workspaces,
    instance,
    publicUrl,
    corsOrigins: config.corsOrigins,
    limits: config.limits,
  });
  const available: [ServiceName, Service][] = [
    ['identity', identity],
    ['storage', storage],
    ['chat', chat],
    ['mail', mail],
  ];
  const services = available.filter(([name]) => config.services.has(name)).map(([, service]) => service);

  const { app, answer } = createHttp({
    problems,
    log,
    metrics,
    addresses,
    eventLoop,
    secure: publicUrl.startsWith('https:'),
  });
  const webApp = config.services.has('identity')
    ? createWebApp({ directory: join(config.dataDir, 'web'), log })
    : null;
  webApp?.mount(app);
  for (const service of services) service.mount(app);
  const probes = Object.assign(
    { database: createWriteProbe({ database, clock }), outbox: outbox.probe },
    ...services.map((service) => service.probes ?? {}),
  );
  mountHealth(app, { probes });
  siblings?.report(metrics);
  mountMetrics(app, {
    metrics,
    render: siblings?.renderMetrics ?? metrics.render,
    version: VERSION,
    token: secrets.metricsToken,
    hosts: [config.host, ...origins.map((origin) => new URL(origin).host)],
    isAdmin: identity.guard.isAdmin,
  });
  const transports = services.flatMap((service) => service.transports ?? []);
  const history = createHistory(database);
  if (config.services.has('identity')) {
    const { guard } = identity;
    mountMessages(app, { database, outbox, history, transports, guard });
    mountOverview(app, {
      config,
      version: VERSION,
      publicUrl,
      clock,
      async runChecks() {
        const { runChecks } = await import('./doctor/doctor.ts');
        return await runChecks(config, secrets, storage.unmanaged);
      },
      storageCounts: storage.counts,
      guard,
    });
  }
  const streams = createStreams({
    events,
    topics: [messagesTopic, ...services.flatMap((service) => service.topics ?? [])],
    rolesOf: [stores.credentials.rolesOf, storage.tokens.rolesOf],
    slots,
    log,
    metrics,
  });
  if (config.services.has('identity')) {
    const auth = identity.guard.accountOr(storage.tokens.find);
    mountEvents(app, { auth, streams, corsOrigins: config.corsOrigins });
  }
  mountOpenApi(app, { problems, version: VERSION, publicUrl });
  outbox.start(siblings?.slot ? transports.filter(({ isShared }) => isShared !== false) : transports);
  for (const service of services) await service.start?.();
  for (const service of services) service.keepUp?.(upkeep);
  watchClock({ clock, log, metrics, upkeep });
  upkeep.every(HOUR, 'server key', () => resealAfterChange(database, vault));
  upkeep.every(MINUTE, 'attempts', attempts.sweep);
  upkeep.every(HOUR, 'slots', slots.sweep);
  upkeep.every(HOUR, 'holds', createHolds({ database, clock }).sweep);
  upkeep.every(10 * MINUTE, 'idempotency keys', createIdempotencyKeys(database).sweep);
  upkeep.every(HOUR, 'finished messages', () => history.sweep(MESSAGES_KEPT));
  const setupLink = config.services.has('identity') ? await identity.setupLink() : null;
  streamFailed = (error) =>
    error instanceof Problem
      ? log.info({ code: error.code }, 'a streamed response was ended')
      : log.error({ error: describeError(error) }, 'a streamed response failed');
  http = { app, answer };
  const listener = early ?? open();
  eventLoop.start();
  webApp?.start();
  log.info({ publicUrl, port: listener.port }, 'listening');

  return {
    port: listener.port,
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${listener.port}`,
    setupLink,
    async stop() {
      streams.stop();
      slots.stop();
      const cut = setTimeout(() => void listener.stop(true), GRACE_MS);
      await Promise.all([listener.stop(), outbox.stop(GRACE_MS)]);
      clearTimeout(cut);
      await webApp?.stop();
      eventLoop.stop();
      await upkeep.stop();
      for (const service of services) await service.stop?.();
      events.flush();
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
    smtpName: config.smtpName ?? ehloName(publicUrl),
    sender: config.mailFrom,
    dkim: config.dkim && secrets.dkimKey !== null ? { ...config.dkim, privateKey: secrets.dkimKey } : null,
    telegram: { apiUrl: config.telegram.apiUrl, token: secrets.telegramToken },
    allowPrivateHosts: config.allowPrivateHosts,
    corsOrigins: config.corsOrigins,
    trackOpens: config.trackOpens,
    geoipDatabase: config.geoipDatabase,
    processes: config.processes,
  };
}
