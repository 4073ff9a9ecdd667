import type { Guard } from '../../../identity/guard.ts';
import type { Database } from '../../../kernel/database/database.ts';
import type { App } from '../../../kernel/http/context.ts';
import type { Outbox } from '../../../kernel/outbox/outbox.ts';
import type { Composing } from '../../compose/composing.ts';
import type { Sending } from '../../sending/sending.ts';
import type { MailSettings } from '../../settings.ts';
import type { MailStores } from '../../stores.ts';
import { createTelegramTokenCheck } from '../../transports/telegram-token.ts';
import { mountClients } from './clients.ts';
import { mountMailContents } from './messages.ts';
import type { MailReader } from './opened-mail/mail-reader.ts';
import { mountSettings } from './settings.ts';
import { mountSpam } from './spam.ts';
import { mountTemplates } from './templates.ts';
import { mountTests } from './tests.ts';

interface MailAdminDeps {
  database: Database;
  outbox: Outbox;
  guard: Guard;
  settings: MailSettings;
  stores: MailStores;
  composing: Composing;
  sending: Sending;
  mailReader: MailReader;
}

export function mountMailAdmin(app: App, deps: MailAdminDeps): void {
  const { database, outbox, guard, settings, mailReader } = deps;
  const { clients, contents, templates, spam, opens } = deps.stores;
  const { rendering, composeEmail } = deps.composing;
  const { sendMails, sendTelegram, releaseSpam } = deps.sending;
  const checkTelegramToken = createTelegramTokenCheck(settings.telegram);
  mountSettings(app, { settings, guard });
  mountClients(app, { database, clients, checkTelegramToken, guard });
  mountTemplates(app, { database, templates, rendering, guard });
  mountTests(app, { clients, composeEmail, sendMails, sendTelegram, guard });
  mountMailContents(app, { outbox, contents, opens, mailReader, guard });
  mountSpam(app, { database, spam, releaseSpam, guard });
}
