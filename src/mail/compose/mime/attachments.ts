import { bufferOf, MB } from '../../../kernel/bytes.ts';
import { invalidField } from '../../../kernel/problem.ts';
import type { EmailRequest } from '../email-request.ts';
import { readHeaderText } from './addresses.ts';

export interface Attachment {
  fileName: string;
  /** Null = derived from the file name. */
  contentType: string | null;
  content: Buffer;
  /** Shown where the HTML refers to it (`cid:…`); null = listed. */
  contentId: string | null;
}

/** An attachment of a request: `Content` is base64, or decoded already; null = it is not base64. */
export type AttachmentFields = Omit<NonNullable<EmailRequest['Attachments']>[number], 'Content'> & {
  Content: string | Uint8Array | null;
};

const MAX_BYTES = 25 * MB;
const MAX_NAME_LENGTH = 255;
const NAME = '[a-z0-9!#$&^_.+-]{1,127}';
/** RFC 2045 §5.1, with a few short parameters such as `method` (RFC 6047 §2.4). */
const MEDIA_TYPE = new RegExp(
  `^(?!multipart/|message/)${NAME}/${NAME}(?:; ?[a-z-]{1,20}=[\\w.+-]{1,60}){0,5}$`,
  'i',
);
const CONTENT_ID = /^[\w.!#$%&'*+/=?^{|}~@-]{1,200}$/;

/** @throws Problem 400 that names the attachment's field, or `Attachments` when they exceed 25 MB in total */
export function readAttachments(given: readonly AttachmentFields[]): Attachment[] {
  let bytes = 0;
  return given.map((attachment, index) => {
    const field = (name: string) => `Attachments.${index}.${name}`;
    const fileName = readHeaderText(attachment.FileName, field('FileName'), MAX_NAME_LENGTH).replace(
      /^.*[/\\]/,
      '',
    );
    if (fileName === '') throw invalidField(field('FileName'), 'is required');
    if (attachment.ContentType !== undefined && !MEDIA_TYPE.test(attachment.ContentType)) {
      throw invalidField(
        field('ContentType'),
        'must be a media type such as application/pdf, neither multipart nor message',
      );
    }
    if (attachment.ContentId !== undefined && !CONTENT_ID.test(attachment.ContentId)) {
      throw invalidField(field('ContentId'), 'must be a word without spaces or brackets');
    }
    const content = contentOf(attachment.Content, field('Content'));
    bytes += content.length;
    if (bytes > MAX_BYTES) throw invalidField('Attachments', `must have at most ${MAX_BYTES} bytes in total`);
    return {
      fileName,
      contentType: attachment.ContentType ?? null,
      content,
      contentId: attachment.ContentId ?? null,
    };
  });
}

function contentOf(given: AttachmentFields['Content'], field: string): Buffer {
  const bytes = typeof given === 'string' ? decodeBase64(given) : given;
  if (bytes === null) throw invalidField(field, 'must be base64');
  return bufferOf(bytes);
}

/** Returns null for a text that is not base64. */
export function decodeBase64(text: string): Uint8Array | null {
  try {
    return Uint8Array.fromBase64(text);
  } catch {
    return null;
  }
}
