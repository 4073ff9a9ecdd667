import MailComposer from 'nodemailer/lib/mail-composer';
import type { Mailbox } from './addresses.ts';
import type { Attachment } from './attachments.ts';

/** All that a mail can be made of. Nothing of a caller's own object comes here. */
export interface MailParts {
  /** With its angle brackets. */
  headerId: string;
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

/** The mail as it goes over the wire (RFC 5322 and MIME), unsigned. Bcc recipients do not stand in it. */
export async function buildMime(mail: MailParts): Promise<Buffer> {
  return await new MailComposer({
    messageId: mail.headerId,
    date: mail.date,
    from: mailbox(mail.from),
    to: mail.to.map(mailbox),
    cc: mail.cc.map(mailbox),
    ...(mail.replyTo ? { replyTo: mailbox(mail.replyTo) } : {}),
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
