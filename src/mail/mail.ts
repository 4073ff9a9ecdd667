import type { Guard } from '../identity/guard.ts';
import { type Clock, HOUR, MINUTE } from '../kernel/clock.ts';
import type { Vault } from '../kernel/crypto/vault.ts';
import type { Database } from '../kernel/database/database.ts';
import type { Attempts } from '../kernel/limits/attempts.ts';
import { createRateLimit } from '../kernel/limits/rates.ts';
import type { Log } from '../kernel/log.ts';
import type { Accept } from '../kernel/outbox/acceptance.ts';
import type { Outbox } from '../kernel/outbox/outbox.ts';
import type { Service } from '../kernel/service.ts';
import { createClients } from './clients.ts';
import { createContactComposer } from './compose/contact.ts';
import { createContent, createTemplateRenderer } from './compose/content.ts';
import { createEmailComposer } from './compose/email.ts';
import { createLiquid } from './compose/liquid.ts';
import { createContents } from './contents.ts';
import { createAuthenticate } from './credentials.ts';
import { createHosts } from './hosts.ts';
import { createOpens } from './opens.ts';
import { createPlaces } from './places.ts';
import { mountClients } from './routes/admin/clients.ts';
import { mountMailContents } from './routes/admin/messages.ts';
import { mountSettings } from './routes/admin/settings.ts';
import { mountSpam } from './routes/admin/spam.ts';
import { mountTemplates } from './routes/admin/templates.ts';
import { mountTestMail } from './routes/admin/test-mail.ts';
import { mountTestTelegram } from './routes/admin/test-telegram.ts';
import { createBodies } from './routes/bodies.ts';
import { mountContact } from './routes/contact.ts';
import { allowOrigins, createAllowsOrigin } from './routes/cors.ts';
import { mountEmail } from './routes/email.ts';
import { mountMessages } from './routes/messages.ts';
import { mountOpens } from './routes/opens.ts';
import { mountPing } from './routes/ping.ts';
import { mountTelegram } from './routes/telegram.ts';
import { createSpam } from './spam.ts';
import { createTemplates } from './templates/templates.ts';
import { limited } from './transports/limited.ts';
import { createPools, type Dkim } from './transports/pools.ts';
import { createPressure } from './transports/pressure.ts';
import { createSmtpTransport, type ServerAccount } from './transports/smtp.ts';
import { createTelegramTransport } from './transports/telegram.ts';
import { createTelegramLimits } from './transports/telegram-limits.ts';
import { createUsage } from './usage.ts';

interface MailParts {
  database: Database;
  vault: Vault;
  clock: Clock;
  log: Log;
  outbox: Outbox;
  attempts: Attempts;
  accept: Accept;
  guard: Guard;
  settings: MailSettings;
}

/** What the operator set. */
export interface MailSettings {
  /** An origin; links are built from it. */
  publicUrl: string;
  /** Null = sandbox. */
  smtp: ServerAccount | null;
  /** POSTHOUSE_MAIL_FROM. */
  sender: string | null;
  dkim: Dkim | null;
  /** @property token null = sandbox */
  telegram: { apiUrl: string; token: string | null };
  allowPrivateHosts: boolean;
  corsOrigins: readonly string[];
  /** Mails that ask for it tell when they are opened. */
  trackOpens: boolean;
  /** A database of places with cities; null = the bundled one. */
  geoipDatabase: string | null;
}

const POSTS = ['/requestemail', '/requesttelegram', '/sendcontactusform'];

/** Mail, Telegram and the contact form, for applications that sign in with a ClientId and ClientSecret. */
export function createMail({ database, vault, clock, log, outbox, attempts, accept, guard, settings }: MailParts): Service {
  const clients = createClients({ database, vault, clock });
  const contents = createContents({ database, clock });
  const authenticate = createAuthenticate({ clients, attempts });
  const pools = createPools({ clock, name: new URL(settings.publicUrl).hostname });
  const liquid = createLiquid();
  const templates = createTemplates({ database, clock });
  const spam = createSpam({ database, clock });
  const places = createPlaces({ file: settings.geoipDatabase, log });
  const opens = createOpens({ database, vault, clock, places, publicUrl: settings.publicUrl });
  const usage = createUsage({ database, clients, clock });
  const renderTemplate = createTemplateRenderer(liquid);
  const configured = settings.smtp !== null;
  const composeEmail = createEmailComposer({
    render: createContent({ liquid, findTemplate: templates.find }),
    hosts: createHosts({ allowPrivate: settings.allowPrivateHosts, clock }),
    clock,
    serverSender: settings.sender,
    pixelUrl: settings.trackOpens ? opens.pixelUrl : null,
  });
  const composeContact = createContactComposer({
    renderTemplate,
    findTemplate: templates.find,
    places,
    clock,
    serverSender: settings.sender,
  });
  const smtp = createSmtpTransport({
    account: settings.smtp,
    dkim: settings.dkim,
    clients,
    contents,
    pools,
    pressure: createPressure(clock),
    clock,
  });
  const telegram = createTelegramTransport({ ...settings.telegram, clients, limits: createTelegramLimits(clock), database, clock });

  return {
    mount(app) {
      const allowsOrigin = createAllowsOrigin(settings.corsOrigins, clients);
      for (const path of POSTS) allowOrigins(app, path, allowsOrigin);
      mountPing(app);
      mountEmail(app, {
        authenticate,
        composeEmail,
        contents,
        accept,
        withBody: createBodies(),
        clock,
        configured,
      });
      mountTelegram(app, { authenticate, accept, configured: settings.telegram.token !== null });
      mountContact(app, {
        authenticate,
        clients,
        composeContact,
        contents,
        spam,
        accept,
        database,
        clock,
        configured,
        corsOrigins: settings.corsOrigins,
        publicUrl: settings.publicUrl,
      });
      mountMessages(app, { authenticate, outbox, database, opens });
      mountOpens(app, { opens, limit: createRateLimit({ burst: 60, perMinute: 60, clock }), log });
      mountSettings(app, { settings, guard });
      mountClients(app, { database, clients, guard });
      mountTemplates(app, { database, templates, renderTemplate, guard });
      mountTestMail(app, { accept, clients, composeEmail, contents, clock, configured, guard });
      mountTestTelegram(app, { accept, clients, configured: settings.telegram.token !== null, guard });
      mountMailContents(app, { outbox, contents, opens, guard });
      mountSpam(app, { database, outbox, clients, composeContact, contents, spam, clock, configured, guard });
    },
    transports: [limited(smtp, usage), limited(telegram, usage)],
    keepUp(upkeep) {
      upkeep.every(MINUTE, 'close idle mail connections', async () => pools.sweep());
      upkeep.every(HOUR, 'delete the contents of old mails', contents.sweep);
      upkeep.every(HOUR, 'delete old spam', spam.sweep);
      upkeep.every(HOUR, 'delete old opens', opens.sweep);
      upkeep.every(HOUR, 'delete old usage', usage.sweep);
    },
    async stop() {
      pools.close();
    },
  };
}
