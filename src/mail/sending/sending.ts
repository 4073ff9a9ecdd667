import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import { createAccept } from '../../kernel/outbox/accept.ts';
import type { Outbox } from '../../kernel/outbox/outbox.ts';
import type { Composing } from '../compose/composing.ts';
import type { MailSettings } from '../settings.ts';
import type { MailStores } from '../stores.ts';
import { type Confirmations, createConfirmations } from './confirmations.ts';
import { createReleaseSpam, type ReleaseSpam } from './release-spam.ts';
import { createSendMails, type SendMails } from './send-mails.ts';
import { createSendTelegram, type SendTelegram } from './send-telegram.ts';

interface SendingDeps {
  database: Database;
  clock: Clock;
  outbox: Outbox;
  stores: MailStores;
  composing: Composing;
  settings: Pick<MailSettings, 'telegram'>;
}

/** Accepts composed messages into the outbox. */
export interface Sending {
  sendMails: SendMails;
  sendTelegram: SendTelegram;
  confirmations: Confirmations;
  releaseSpam: ReleaseSpam;
}

export function createSending(deps: SendingDeps): Sending {
  const { database, clock, outbox, composing, settings } = deps;
  const { clients, contents, spam } = deps.stores;
  const { rendering, composeContact } = composing;
  const accept = createAccept({ database, outbox, clock });
  const confirmations = createConfirmations({ database, outbox, contents, clock });
  return {
    sendMails: createSendMails({ accept, contents, clock }),
    sendTelegram: createSendTelegram({ accept, rendering, configured: settings.telegram.token !== null }),
    confirmations,
    releaseSpam: createReleaseSpam({
      database,
      outbox,
      clients,
      composeContact,
      confirmations,
      contents,
      spam,
      clock,
    }),
  };
}
