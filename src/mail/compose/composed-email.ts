import type { EmailPayload } from '../payload.ts';
import { domainOf, type Mailbox } from './mime/addresses.ts';
import type { BuiltMail } from './mime/build-mail.ts';

/** An e-mail that is ready to be stored. */
export interface ComposedEmail {
  rowId: string;
  payload: EmailPayload;
  mime: Buffer;
  /** JSON of the caller's SMTP credentials; undefined = none. */
  secret: string | undefined;
  /** Ms since the epoch; null = immediately. */
  sendAt: number | null;
  /** Stored only, not sent. */
  sandbox: boolean;
}

/** @property recipients the addresses of the envelope, each once */
interface Envelope extends Pick<ComposedEmail, 'rowId' | 'secret' | 'sendAt' | 'sandbox'> {
  from: Mailbox;
  server: EmailPayload['server'];
  recipients: readonly string[];
}

export function composedEmail(
  { subject, mime }: BuiltMail,
  { rowId, from, server, recipients, ...rest }: Envelope,
): ComposedEmail {
  const states = recipients.map((address) => ({ address, status: 'Queued' as const, error: null }));
  const headerId = headerIdOf(rowId, from);
  const payload = { contentId: rowId, headerId, from: from.address, subject, server, recipients: states };
  return { rowId, payload, mime, ...rest };
}

/** Returns the Message-ID of an e-mail with its angle brackets. */
export function headerIdOf(rowId: string, from: Mailbox): string {
  return `<${rowId}@${domainOf(from.address)}>`;
}
