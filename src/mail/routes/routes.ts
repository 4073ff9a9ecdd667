import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { RequestBody } from '../../kernel/http/bodies/request-body.ts';
import type { App } from '../../kernel/http/context.ts';
import { allowPages } from '../../kernel/http/cors.ts';
import { deliveryHeaders } from '../../kernel/http/delivery-headers.ts';
import { createRateLimit } from '../../kernel/limits/rates.ts';
import type { Log } from '../../kernel/log.ts';
import type { Outbox } from '../../kernel/outbox/outbox.ts';
import type { Composing } from '../compose/composing.ts';
import type { Sending } from '../sending/sending.ts';
import type { MailSettings } from '../settings.ts';
import type { MailStores } from '../stores.ts';
import type { ClientAuth } from './client-auth.ts';
import { mountContact } from './contact.ts';
import { mountEmail } from './email.ts';
import type { EmailBody } from './email-body/email-body.ts';
import { createHoneypot } from './honeypot.ts';
import { mountMailMessages } from './messages.ts';
import { mountOpens } from './opens.ts';
import { mountPing } from './ping.ts';
import { mountTelegram } from './telegram.ts';
import type { Visitors } from './visitors.ts';

interface MailRoutesDeps {
  database: Database;
  clock: Clock;
  log: Log;
  outbox: Outbox;
  settings: Pick<MailSettings, 'sender' | 'smtp' | 'corsOrigins' | 'processes'>;
  stores: MailStores;
  composing: Composing;
  sending: Sending;
  clientAuth: ClientAuth;
  emailBody: RequestBody<EmailBody>;
  visitors: Visitors;
}

/** Maximum number of openings of e-mails that one address can report at once, and per minute. */
const OPENS = { burst: 60, perMinute: 60 };
const POSTS = ['/requestemail', '/requesttelegram', '/sendcontactusform'];

/** Mounts the routes of mail for clients, and for visitors and readers of e-mails. */
export function mountMail(app: App, deps: MailRoutesDeps): void {
  const { database, clock, log, outbox, settings, clientAuth, emailBody, visitors } = deps;
  const { clients, spam, opens } = deps.stores;
  const { composeEmail, composeContact } = deps.composing;
  const { sendMails, sendTelegram, confirmations } = deps.sending;
  const allows = async (origin: string) =>
    settings.corsOrigins.includes(origin) || (await clients.hasOrigin(origin));
  allowPages(app, { paths: POSTS, headers: Object.keys(deliveryHeaders.shape), allows });
  mountPing(app);
  mountEmail(app, { clientAuth, body: emailBody, composeEmail, sendMails });
  mountTelegram(app, { clientAuth, sendTelegram });
  mountContact(app, {
    clientAuth,
    clients,
    composeContact,
    confirmations,
    sendMails,
    visitors,
    catchSpam: createHoneypot({ database, spam, settings }),
    allows,
  });
  mountMailMessages(app, { clientAuth, outbox, database, opens });
  mountOpens(app, {
    opens,
    limit: createRateLimit({ ...OPENS, clock, processes: settings.processes }),
    log,
  });
}
