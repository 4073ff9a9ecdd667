import type { EmailPayload } from '../payload.ts';
import { domainOf, type Mailbox } from './addresses.ts';
import type { Attachment } from './attachments.ts';

/** Everything that a mail consists of; composed field by field, never a caller's object. */
export interface MailFields {
  date: Date;
  from: Mailbox;
  to: readonly Mailbox[];
  cc: readonly Mailbox[];
  replyTo: Mailbox | null;
  subject: string;
  text: string;
  html: string | null;
  attachments: readonly Attachment[];
  headers: Record<string, string>;
}

/** A mail that is ready to be stored. */
export interface ComposedEmail {
  rowId: string;
  payload: EmailPayload;
  mime: Buffer;
  /** JSON of the caller's SMTP credentials; undefined = none. */
  secret: string | undefined;
  /** Ms since the epoch; null = at once. */
  sendAt: number | null;
}

/** @property recipients the addresses of the envelope, each once */
interface Envelope extends Pick<ComposedEmail, 'rowId' | 'secret' | 'sendAt'> {
  server: EmailPayload['server'];
  recipients: readonly string[];
}

export async function composeMail(
  fields: MailFields,
  { rowId, server, recipients, ...rest }: Envelope,
): Promise<ComposedEmail> {
  const { from, subject } = fields;
  const headerId = `<${rowId}@${domainOf(from.address)}>`;
  const states = recipients.map((address) => ({ address, status: 'Queued' as const, error: null }));
  const payload = { contentId: rowId, headerId, from: from.address, subject, server, recipients: states };
  return { rowId, payload, mime: await buildMime(headerId, fields), ...rest };
}

/** Returns the unsigned message (RFC 5322 and MIME). It does not contain the Bcc recipients. */
async function buildMime(messageId: string, mail: MailFields): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  return await new MailComposer({
    messageId,
    date: mail.date,
    from: mailbox(mail.from),
    to: mail.to.map(mailbox),
    cc: mail.cc.map(mailbox),
    ...(mail.replyTo && { replyTo: mailbox(mail.replyTo) }),
    subject: mail.subject,
    text: mail.text,
    ...(mail.html === null ? {} : { html: mail.html }),
    attachments: mail.attachments.map(({ fileName, contentType, content, contentId }) => ({
      filename: fileName,
      content,
      ...(contentType === null ? {} : { contentType }),
      ...(contentId === null ? {} : { cid: contentId, contentDisposition: 'inline' as const }),
    })),
    headers: mail.headers,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
}

function mailbox({ name, address }: Mailbox): { name: string; address: string } {
  return { name, address };
}
