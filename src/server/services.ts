import { createChat } from '../chat/chat.ts';
import type { Config } from '../config/config.ts';
import type { ServiceName } from '../config/formats.ts';
import type { Secrets } from '../config/secrets.ts';
import { openIdentityStores } from '../foundation/identity-stores.ts';
import { createIdentity } from '../identity/identity.ts';
import type { Mailer } from '../kernel/mailer.ts';
import type { Service } from '../kernel/service.ts';
import { createMail } from '../mail/mail.ts';
import { openBlobs } from '../storage/blobs/open.ts';
import type { S3Limits } from '../storage/blobs/s3-limits.ts';
import { createStorage } from '../storage/storage.ts';
import type { Components } from './components.ts';
import { mailSettings } from './mail-settings.ts';

interface ServicesDeps {
  components: Components;
  config: Config;
  secrets: Secrets;
  /** Origins of the server, its public URL first. */
  origins: readonly [string, ...string[]];
  s3: S3Limits;
  uploadRecheckMs: number | undefined;
}

export type Services = ReturnType<typeof createServices>;

/** Creates all services; `enabled` has those that the settings name. */
export function createServices({ components, config, secrets, origins, s3, uploadRecheckMs }: ServicesDeps) {
  const { processes, corsOrigins, limits } = config;
  const [publicUrl] = origins;
  const stores = openIdentityStores(components, config);
  const mailer: Mailer | null = config.services.has('mail')
    ? {
        delivers: config.smtp !== null,
        send: (notice, wait) => mail.sendNotice(notice, wait),
      }
    : null;
  const identity = createIdentity({
    ...components,
    stores,
    profileOf: async ({ id, isAdmin }) => ({
      ...(await components.workspaces.profileOf(id)),
      mayCreateWorkspaces: isAdmin || limits.workspaceCreators === 'everyone',
    }),
    mailer,
    settings: {
      origins,
      corsOrigins,
      processes,
      external: config.externalIssuer && {
        ...config.externalIssuer,
        clientSecret: secrets.oidcClientSecret ?? '',
      },
      admitted: { allowed: config.accountsAllowed, adminEmail: config.adminEmail },
    },
  });
  const { guard } = identity;
  const mail = createMail({ ...components, guard, settings: mailSettings(config, secrets, origins) });
  const chat = createChat({
    ...components,
    guard,
    settings: {
      ...config.discord,
      limits: { burst: limits.chatBurst, perMinute: limits.chatPerMinute },
      corsOrigins,
      processes,
    },
  });
  const storage = createStorage({
    ...components,
    guard,
    accounts: stores.accounts,
    mailer,
    processes,
    blobs: openBlobs(config.blobs, secrets.s3, s3),
    publicUrl,
    corsOrigins,
    uploadRecheckMs,
    limits,
  });
  const services: [ServiceName, Service][] = [
    ['identity', identity],
    ['storage', storage],
    ['chat', chat],
    ['mail', mail],
  ];
  const enabled = services.filter(([name]) => config.services.has(name)).map(([, service]) => service);
  return { identity, storage, stores, all: services.map(([, service]) => service), enabled };
}
