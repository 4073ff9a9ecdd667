import type { Attachment, Email } from 'postal-mime';

const SHOWN_PICTURES = /^image\/(?:png|jpeg|gif|webp)$/;

export function bytesOf({ content }: Attachment): Buffer {
  return typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as ArrayBuffer);
}

/** Returns the Content-ID without its angle brackets; null = none. */
export function contentIdOf({ contentId }: Attachment): string | null {
  return contentId?.replace(/^<(.*)>$/, '$1') ?? null;
}

/** Returns the HTML of a mail with its inline pictures as data URLs. */
export function withPictures({ html = '', attachments }: Email): string {
  return attachments.reduce((text, attachment) => {
    const id = contentIdOf(attachment);
    if (!id || !SHOWN_PICTURES.test(attachment.mimeType)) return text;
    const url = `data:${attachment.mimeType};base64,${bytesOf(attachment).toString('base64')}`;
    return text.replaceAll(`cid:${id}`, url);
  }, html);
}
