import type { Guard } from '../identity/guard.ts';
import { type Clock, HOUR, MINUTE } from '../kernel/clock.ts';
import type { Vault } from '../kernel/crypto/vault.ts';
import type { Database } from '../kernel/database/database.ts';
import { allowPages } from '../kernel/http/cors.ts';
import { deliveryHeaders } from '../kernel/http/delivery-headers.ts';
import type { Attempts } from '../kernel/limits/attempts.ts';
import { createRateLimit } from '../kernel/limits/rates.ts';
import type { Log } from '../kernel/log.ts';
import type { Accept } from '../kernel/outbox/accept.ts';
import type { Outbox } from '../kernel/outbox/outbox.ts';
import type { Service } from '../kernel/service.ts';
import { createClients } from './clients.ts';
import { createContactComposer } from './compose/contact.ts';
import { createEmailComposer } from './compose/email.ts';
import { createRendering } from './compose/rendering.ts';
import { createConfirmations } from './confirmations.ts';
import { createContents } from './contents.ts';
import { createAuthenticate } from './credentials.ts';
import { createGeoip } from './geoip.ts';
import { createHosts } from './hosts.ts';
import { createSendNotice, type SendNotice } from './notices.ts';
import { createOpens } from './opens.ts';
import { createReleaseSpam } from './release-spam.ts';
import { mountClients } from './routes/admin/clients.ts';
import { mountMailContents } from './routes/admin/messages.ts';
import { mountSettings } from './routes/admin/settings.ts';
import { mountSpam } from './routes/admin/spam.ts';
import { mountTemplates } from './routes/admin/templates.ts';
import { mountTests } from './routes/admin/tests.ts';
import { createClientAuth } from './routes/client-auth.ts';
import { mountContact } from './routes/contact.ts';
import { mountEmail } from './routes/email.ts';
import { createEmailBody } from './routes/email-body/email-body.ts';
import { mountMessages } from './routes/messages.ts';
import { mountOpens } from './routes/opens.ts';
import { mountPing } from './routes/ping.ts';
import { createSendMails } from './routes/send-mails.ts';
import { createSendTelegram } from './routes/send-telegram.ts';
import { mountTelegram } from './routes/telegram.ts';
import { createVisitors } from './routes/visitors.ts';
import type { MailSettings } from './settings.ts';
import { createSpam } from './spam.ts';
import { createTemplates } from './templates/templates.ts';
import { triedOnce } from './transports/once.ts';
import { createPauses } from './transports/pauses.ts';
import { createPools } from './transports/pools.ts';
import { createPressure } from './transports/pressure.ts';
import { createSmtpTransport } from './transports/smtp.ts';
import { createTelegramTransport } from './transports/telegram.ts';
import { createTelegramLimits } from './transports/telegram-limits.ts';
import { createTelegramTokenCheck } from './transports/telegram-token.ts';
import { createUsage, limited } from './usage.ts';

interface MailDeps {
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

interface Mail extends Service {
  sendNotice: SendNotice;
}

/** Openings of mails that one address reports at once, and per minute. */
const OPENS = { burst: 60, perMinute: 60 };
const POSTS = ['/requestemail', '/requesttelegram', '/sendcontactusform'];

/** Mail, Telegram messages and contact forms, for applications with ClientId and ClientSecret. */
export function createMail(deps: MailDeps): Mail {
  const { database, vault, clock, log, outbox, attempts, accept, guard, settings } = deps;
  const clients = createClients({ database, vault, clock });
  const contents = createContents({ database, clock });
  const clientAuth = createClientAuth(createAuthenticate(clients, attempts));
  const pools = createPools({ clock, name: settings.smtpName });
  const rendering = createRendering({ log });
  const emailBody = createEmailBody({ log });
  const templates = createTemplates({ database, clock });
  const spam = createSpam({ database, clock });
  const geoip = createGeoip({ file: settings.geoipDatabase, log });
  const opens = createOpens({ database, vault, clock, geoip, publicUrl: settings.publicUrl });
  const usage = createUsage({ database, clients, clock });
  const configured = settings.smtp !== null;
  const composeEmail = createEmailComposer({
    rendering,
    findTemplate: templates.find,
    hosts: createHosts({ allowPrivate: settings.allowPrivateHosts, clock }),
    clock,
    serverSender: settings.sender,
    pixelUrl: settings.trackOpens ? opens.pixelUrl : null,
  });
  const confirmations = createConfirmations({ database, outbox, contents, clock });
  const composeContact = createContactComposer({
    rendering,
    findTemplate: templates.find,
    geoip,
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
    pauses: createPauses({ clock, log }),
  });
  const limits = createTelegramLimits(clock);
  const telegram = createTelegramTransport({ ...settings.telegram, clients, limits, database });

  const { corsOrigins, publicUrl } = settings;
  const sendMails = createSendMails({ accept, contents, clock, configured });
  const sendTelegram = createSendTelegram({
    accept,
    rendering,
    configured: settings.telegram.token !== null,
  });
  const visitors = createVisitors({
    database,
    clock,
    origins: [...corsOrigins, new URL(publicUrl).origin],
  });
  const mailing = { database, outbox, clients, contents, clock, configured };
  const releaseSpam = createReleaseSpam({ ...mailing, composeContact, confirmations, spam });

  return {
    sendNotice: createSendNotice({ composeEmail, sendMails }),
    mount(app) {
      const allows = async (origin: string) =>
        corsOrigins.includes(origin) || (await clients.hasOrigin(origin));
      allowPages(app, { paths: POSTS, headers: Object.keys(deliveryHeaders.shape), allows });
      mountPing(app);
      mountEmail(app, { clientAuth, body: emailBody.body, composeEmail, sendMails });
      mountTelegram(app, { clientAuth, sendTelegram });
      const honeypot = { database, spam, configured, serverSender: settings.sender };
      mountContact(app, {
        clientAuth,
        clients,
        composeContact,
        confirmations,
        sendMails,
        visitors,
        allows,
        ...honeypot,
      });
      mountMessages(app, { clientAuth, outbox, database, opens });
      mountOpens(app, {
        opens,
        limit: createRateLimit({ ...OPENS, clock, processes: settings.processes }),
        log,
      });
      mountSettings(app, { settings, guard });
      const checkTelegramToken = createTelegramTokenCheck(settings.telegram);
      mountClients(app, { database, clients, checkTelegramToken, guard });
      mountTemplates(app, { database, templates, rendering, guard });
      mountTests(app, { clients, composeEmail, sendMails, sendTelegram, guard });
      mountMailContents(app, { outbox, contents, opens, guard });
      mountSpam(app, { database, spam, releaseSpam, guard });
    },
    transports: [smtp, telegram].map((transport) => limited(triedOnce(transport), usage)),
    keepUp(upkeep) {
      upkeep.everywhere(MINUTE, 'close idle mail connections', async () => pools.sweep());
      upkeep.every(HOUR, 'delete the contents of old mails', contents.sweep);
      upkeep.every(HOUR, 'delete old spam', spam.sweep);
      upkeep.every(HOUR, 'delete old opens', opens.sweep);
      upkeep.every(10 * MINUTE, 'delete old usage', usage.sweep);
      upkeep.every(10 * MINUTE, 'rates of contact forms', visitors.sweep);
      upkeep.every(10 * MINUTE, 'rates of confirmations', confirmations.sweep);
    },
    async stop() {
      rendering.stop();
      emailBody.stop();
      pools.close();
    },
  };
}
