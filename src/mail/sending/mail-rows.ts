import type { NewMessage } from '../../kernel/outbox/message.ts';
import type { ComposedEmail } from '../compose/composed-email.ts';
import { EMAIL_KIND } from '../payload.ts';

/** The message that e-mails belong to. */
export interface MailMessage {
  messageId: string;
  /** Null = the server itself. */
  clientId: string | null;
}

/** Returns the outbox rows of e-mails that belong to one message. @param first part number of the first e-mail */
export function mailRows(
  mails: readonly ComposedEmail[],
  { messageId, clientId }: MailMessage,
  first = 0,
): NewMessage[] {
  return mails.map((mail, index) => ({
    id: mail.rowId,
    messageId,
    part: first + index,
    kind: EMAIL_KIND,
    clientId,
    lane: null,
    payload: mail.payload,
    secret: mail.secret,
    notBefore: mail.sendAt ?? undefined,
    sandbox: mail.sandbox,
  }));
}
