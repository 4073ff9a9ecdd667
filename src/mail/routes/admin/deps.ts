import type { Guard } from '../../../identity/guard.ts';
import type { Database } from '../../../kernel/database/database.ts';
import type { Outbox } from '../../../kernel/outbox/outbox.ts';
import type { Composing } from '../../compose/composing.ts';
import type { Sending } from '../../sending/sending.ts';
import type { MailSettings } from '../../settings.ts';
import type { MailStores } from '../../stores.ts';
import type { CheckTelegramToken } from '../../transports/telegram-token.ts';
import type { MailReader } from './opened-mail/mail-reader.ts';

/** Dependencies of the endpoints for administrators; each uses some of them. */
export interface AdminDeps extends MailStores, Composing, Sending {
  database: Database;
  outbox: Outbox;
  guard: Guard;
  settings: MailSettings;
  mailReader: MailReader;
  checkTelegramToken: CheckTelegramToken;
}
