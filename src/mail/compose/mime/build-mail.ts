import { invalidField } from '../../../kernel/problem.ts';
import { MAX_SUBJECT_LENGTH } from '../../fields.ts';
import type { Draft, EmailContent } from '../rendering/draft.ts';
import { type Mailbox, readHeaderText } from './addresses.ts';
import { type AttachmentFields, readAttachments } from './attachments.ts';
import { buildMime } from './mime.ts';

/** The header fields of an e-mail, and how they affect the rest. */
export interface MailHead {
  headerId: string;
  /** Ms since the epoch. */
  date: number;
  from: Mailbox;
  to: readonly Mailbox[];
  cc: readonly Mailbox[];
  replyTo: Mailbox | null;
  headers: Record<string, string>;
  /** `refuse` = an empty subject, or one too long for a header field, is an error. */
  subject: 'refuse' | 'shorten';
  /** URL of the pixel in the HTML; null = none. */
  pixelUrl: string | null;
}

export interface MailContent {
  draft: Draft;
  attachments: readonly AttachmentFields[];
}

export interface BuiltMail {
  subject: string;
  mime: Buffer;
}

const SHORTENED_SUBJECT = 900;

/**
 * Builds the MIME message.
 * @param attachments not yet validated
 * @throws Problem 400 that names `Subject` or the attachment's field
 */
export async function buildMail(
  { pixelUrl, subject: rule, date, ...head }: MailHead,
  { text, html, subject: given }: EmailContent,
  attachments: readonly AttachmentFields[],
): Promise<BuiltMail> {
  if (given === '' && rule === 'refuse') throw invalidField('Subject', 'is required');
  const subject =
    rule === 'refuse'
      ? readHeaderText(given, 'Subject', MAX_SUBJECT_LENGTH)
      : given.replace(/\s+/g, ' ').slice(0, SHORTENED_SUBJECT);
  const mime = await buildMime({
    ...head,
    date: new Date(date),
    subject,
    text,
    html: html !== null && pixelUrl !== null ? withPixel(html, pixelUrl) : html,
    attachments: readAttachments(attachments),
  });
  return { subject, mime };
}

/** Returns `html` with the pixel at the end of its body. */
function withPixel(html: string, url: string): string {
  const pixel = `<img src="${url}" width="1" height="1" alt="" style="display:block;border:0;width:1px;height:1px">`;
  let end = html.length;
  for (const { index } of html.matchAll(/<\/body>/gi)) end = index;
  return `${html.slice(0, end)}${pixel}${html.slice(end)}`;
}
