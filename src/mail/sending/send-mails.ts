import type { Clock } from '../../kernel/clock.ts';
import type { Transaction } from '../../kernel/database/database.ts';
import type { Accept } from '../../kernel/outbox/accept.ts';
import type { Acceptance } from '../../kernel/outbox/acceptance.ts';
import type { ComposedEmail } from '../compose/composed-email.ts';
import type { Contents } from '../contents.ts';
import { type MailMessage, mailRows } from './mail-rows.ts';
import { emailResponse, type SendResult } from './results.ts';

interface SendMailsDeps {
  accept: Accept;
  contents: Contents;
  clock: Clock;
}

interface MailRequest extends Pick<Acceptance, 'route' | 'delivery' | 'fingerprint'> {
  /** Null = the server itself. */
  clientId: string | null;
  mails: readonly ComposedEmail[];
  /** Adds further e-mails to the message, in the transaction that stores it. */
  addMore?(trx: Transaction, message: MailMessage): Promise<void>;
}

/**
 * Stores e-mails as one message and waits for the first attempt. The result is that of the first e-mail.
 * @throws Problem 409 `idempotency_conflict`, 502 `platform_rejected`
 */
export type SendMails = (request: MailRequest) => Promise<SendResult>;

export function createSendMails({ accept, contents, clock }: SendMailsDeps): SendMails {
  return async ({ clientId, delivery, mails, addMore, ...request }) => {
    const [first] = mails;
    const sendAt = first?.sendAt ?? null;
    const sandbox = mails.some((mail) => mail.sandbox);
    const own: MailMessage = { messageId: '', clientId };
    const discardUnlessAdded = await contents.prepare(mails);
    const accepted = accept({
      ...request,
      clientId: clientId ?? '',
      delivery: { ...delivery, async: delivery.async || sendAt !== null },
      compose(messageId) {
        own.messageId = messageId;
        return mailRows(mails, own);
      },
      async store(trx) {
        for (const mail of mails) await contents.add(trx, mail, sendAt ?? clock.now());
        await addMore?.(trx, own);
      },
      answer(messageId, attempted) {
        const composed = messageId === own.messageId ? (first?.payload ?? null) : null;
        return emailResponse(messageId, { composed, row: attempted?.first ?? null, sandbox, sendAt });
      },
    });
    return (await accepted.finally(discardUnlessAdded)) as SendResult;
  };
}
