import type { Email } from 'postal-mime';
import type { Payload } from '../../../../kernel/compute/frames.ts';
import { bytesOf, contentIdOf, withPictures } from './mime-parts.ts';

/** The part of an e-mail that is read. */
export type MailPart = { kind: 'content' } | { kind: 'html' } | { kind: 'attachment'; number: number };

/** Head, text and list of attachments of an e-mail. */
export interface MailSummary {
  headers: { name: string; value: string }[];
  text: string | null;
  hasHtml: boolean;
  attachments: {
    fileName: string | null;
    contentType: string;
    sizeBytes: number;
    contentId: string | null;
  }[];
}

/**
 * Parses an e-mail. The value of `content` is a `MailSummary`; that of an attachment is its name, and the blob its
 * bytes; the blob of `html` is the page. There is no blob when the e-mail has no such part.
 */
export type OpenMail = (part: MailPart, mime: Uint8Array) => Promise<Payload>;

/** Loads the parser. */
export async function loadOpenMail(): Promise<OpenMail> {
  const { default: PostalMime, decodeWords } = await import('postal-mime');
  return async (part, mime) => {
    const mail = await PostalMime.parse(mime);
    if (part.kind === 'content') return { value: summaryOf(mail, decodeWords) };
    if (part.kind === 'html')
      return { value: null, blobs: mail.html === undefined ? [] : [Buffer.from(withPictures(mail))] };
    const attachment = mail.attachments[part.number];
    if (!attachment) return { value: null };
    return { value: attachment.filename, blobs: [bytesOf(attachment)] };
  };
}

function summaryOf(
  { headers, text, html, attachments }: Email,
  decodeWords: (text: string) => string,
): MailSummary {
  return {
    headers: headers.map(({ originalKey, value }) => ({ name: originalKey, value: decodeWords(value) })),
    text: text ?? null,
    hasHtml: html !== undefined,
    attachments: attachments.map((attachment) => ({
      fileName: attachment.filename,
      contentType: attachment.mimeType,
      sizeBytes: bytesOf(attachment).length,
      contentId: contentIdOf(attachment),
    })),
  };
}
