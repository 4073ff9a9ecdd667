import { invalidField } from '../../kernel/problem.ts';
import { readHeaderText } from './addresses.ts';
import type { EmailRequest } from './email-request.ts';

export interface Attachment {
  fileName: string;
  /** Null = derived from the name. */
  contentType: string | null;
  content: Buffer;
  /** Shown where the HTML refers to it (`cid:…`); null = listed. */
  contentId: string | null;
}

const MAX_BYTES = 25 * 1024 * 1024;
const LONGEST_NAME = 255;
const MEDIA_TYPE =
  /^(?!multipart\/|message\/)[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}(?:; ?charset=[a-z0-9-]{1,40})?$/i;
const CONTENT_ID = /^[\w.!#$%&'*+/=?^{|}~@-]{1,200}$/;

/** @throws Problem 400 that names the attachment's field, or `Attachments` when they exceed 25 MB together */
export function readAttachments(given: EmailRequest['Attachments']): Attachment[] {
  let bytes = 0;
  return (given ?? []).map((attachment, index) => {
    const field = (name: string) => `Attachments.${index}.${name}`;
    const fileName = readHeaderText(attachment.FileName, field('FileName'), LONGEST_NAME).replace(
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
      throw invalidField(field('ContentId'), 'must be a word without spaces and brackets');
    }
    const content = fromBase64(attachment.Content, field('Content'));
    bytes += content.length;
    if (bytes > MAX_BYTES) throw invalidField('Attachments', `must have ${MAX_BYTES} bytes together at most`);
    return {
      fileName,
      contentType: attachment.ContentType ?? null,
      content,
      contentId: attachment.ContentId ?? null,
    };
  });
}

function fromBase64(text: string, field: string): Buffer {
  try {
    const bytes = Uint8Array.fromBase64(text);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  } catch {
    throw invalidField(field, 'must be base64');
  }
}
