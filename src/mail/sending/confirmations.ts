import type { Clock } from '../../kernel/clock.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import { createSharedRates } from '../../kernel/limits/shared-rates.ts';
import type { Outbox } from '../../kernel/outbox/outbox.ts';
import type { ContactMails } from '../compose/contact.ts';
import type { Contents } from '../contents.ts';
import { type MailMessage, mailRows } from './mail-rows.ts';

/** Maximum number of confirmations to one mailbox, for all clients together: at once, and per minute after that. */
const LIMIT = { burst: 3, perMinute: 3 / 60 };

interface ConfirmationsDeps {
  database: Database;
  outbox: Pick<Outbox, 'add'>;
  contents: Contents;
  clock: Clock;
}

/** The confirmations to visitors, who may enter the address of another person. */
export interface Confirmations {
  /**
   * Adds the confirmation of a form to its message, unless its mailbox has received too many. `trx` is the transaction
   * that accepts the form, so that refused forms do not count.
   */
  add(trx: Transaction, mails: ContactMails, message: MailMessage): Promise<void>;
  sweep(): Promise<void>;
}

export function createConfirmations({ database, outbox, contents, clock }: ConfirmationsDeps): Confirmations {
  const rates = createSharedRates({ database, name: 'confirmation', ...LIMIT });
  return {
    async add(trx, { confirmation }, message) {
      const [recipient] = confirmation?.payload.recipients ?? [];
      if (!confirmation || !recipient) return;
      const mailbox = mailboxOf(recipient.address);
      const buckets = await rates.open(trx, [mailbox]);
      if (buckets.take(mailbox) > 0) return;
      await buckets.save();
      await outbox.add(trx, mailRows([confirmation], message, 1));
      await contents.add(trx, confirmation, clock.now());
    },
    sweep: rates.sweep,
  };
}

/** Returns a key without tags, dots and case, in which addresses of one mailbox differ at many providers. */
function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  const name = address.slice(0, at).split('+', 1)[0]?.replaceAll('.', '') ?? '';
  return `${name}${address.slice(at)}`.toLowerCase();
}
