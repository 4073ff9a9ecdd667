import type { Guard } from '../identity/guard.ts';
import { HOUR, MINUTE } from '../kernel/clock.ts';
import type { ShortRequests } from '../kernel/event-loop/short-requests.ts';
import { createTimeSlices } from '../kernel/event-loop/time-slices.ts';
import type { Mailer } from '../kernel/mailer.ts';
import type { MessagingDeps, Service } from '../kernel/service.ts';
import { createAuthenticate } from './clients/credentials.ts';
import { createComposing } from './compose/composing.ts';
import { createGeoip } from './geoip.ts';
import { createSendNotice } from './notices.ts';
import { createMailReader } from './routes/admin/opened-mail/mail-reader.ts';
import { mountMailAdmin } from './routes/admin/routes.ts';
import { createClientAuth } from './routes/client-auth.ts';
import { createEmailBody } from './routes/email-body/email-body.ts';
import { mountMail } from './routes/routes.ts';
import { createVisitors } from './routes/visitors.ts';
import { createSending } from './sending/sending.ts';
import type { MailSettings } from './settings.ts';
import { createMailStores } from './stores.ts';
import { createMailTransports } from './transports/transports.ts';

interface MailDeps extends MessagingDeps {
  guard: Guard;
  settings: MailSettings;
  shortRequests: ShortRequests;
}

interface Mail extends Service {
  sendNotice: Mailer['send'];
}

/** Mail, Telegram messages and contact forms, for applications with ClientId and ClientSecret. */
export function createMail(deps: MailDeps): Mail {
  const { database, clock, log, attempts, settings, shortRequests } = deps;
  const giveWay = createTimeSlices({ shortRequests });
  const { publicUrl } = settings;
  const geoip = createGeoip({ file: settings.geoipDatabase, log });
  const stores = createMailStores({ ...deps, geoip, publicUrl, giveWay });
  const { clients, contents, spam, opens } = stores;
  const composing = createComposing({ ...deps, ...stores, geoip, giveWay });
  const transports = createMailTransports({ ...deps, ...stores });
  const sending = createSending({ ...deps, stores, composing });
  const emailBody = createEmailBody({ log, giveWay });
  const mailReader = createMailReader({ log });
  const clientAuth = createClientAuth(createAuthenticate(clients, attempts));
  const visitors = createVisitors({
    database,
    clock,
    origins: [...settings.corsOrigins, ...settings.ownOrigins],
  });

  return {
    sendNotice: createSendNotice({ composeEmail: composing.composeEmail, sendMails: sending.sendMails }),
    mount(app) {
      const modules = { ...deps, stores, composing, sending };
      mountMail(app, { ...modules, clientAuth, emailBody: emailBody.body, visitors });
      mountMailAdmin(app, { ...modules, mailReader });
    },
    transports: transports.all,
    registerTasks(upkeep) {
      upkeep.everywhere(MINUTE, 'close idle mail connections', async () => transports.closeIdle());
      upkeep.every(HOUR, 'delete the contents of old mails', contents.sweep);
      upkeep.every(HOUR, 'delete old spam', spam.sweep);
      upkeep.every(HOUR, 'delete old opens', opens.sweep);
      upkeep.every(10 * MINUTE, 'delete old usage', transports.sweep);
      upkeep.every(10 * MINUTE, 'rates of contact forms', visitors.sweep);
      upkeep.every(10 * MINUTE, 'rates of confirmations', sending.confirmations.sweep);
    },
    async stop() {
      composing.rendering.stop();
      emailBody.stop();
      mailReader.stop();
      transports.stop();
    },
  };
}
