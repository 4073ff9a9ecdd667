import { extname } from 'node:path';
import type { Mailbox } from './addresses.ts';
import type { Attachment } from './attachments.ts';

/** The content of an e-mail. An object of a caller could set other options of the library. */
interface MailFields {
  /** Message-ID with its angle brackets. */
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

/** Loads the library, so that the first e-mail does not wait for it. */
export async function loadComposer() {
  const [{ default: MailComposer }, { detectMimeType }] = await Promise.all([
    import('nodemailer/lib/mail-composer'),
    import('nodemailer/lib/mime-funcs'),
  ]);
  return { MailComposer, detectMimeType };
}

/** Returns the unsigned message (RFC 5322 and MIME). It does not contain the Bcc recipients. */
export async function buildMime(mail: MailFields): Promise<Buffer> {
  const { MailComposer, detectMimeType } = await loadComposer();
  const typeOf = (fileName: string) => {
    const type = detectMimeType(extname(fileName).slice(1).toLowerCase());
    // The library would attach a message without encoding it, which changes its bytes and breaks the signature.
    return /^(?:message|multipart)\//.test(type) ? 'application/octet-stream' : type;
  };
  return await new MailComposer({
    messageId: mail.headerId,
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
      contentType: contentType ?? typeOf(fileName),
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
