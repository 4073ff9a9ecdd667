import type { Attachment, Email } from 'postal-mime';

const SHOWN_PICTURES = /^image\/(?:png|jpeg|gif|webp)$/;

export function bytesOf({ content }: Attachment): Buffer {
  return typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as ArrayBuffer);
}

/** Returns the Content-ID without its angle brackets; null = none. */
export function contentIdOf({ contentId }: Attachment): string | null {
  return contentId?.replace(/^<(.*)>$/, '$1') ?? null;
}

/** Maximum length of all inline pictures of an e-mail. The pictures of an e-mail of 25 MB, each once, are shorter. */
const MAX_PICTURES_LENGTH = 40_000_000;

/**
 * Returns the HTML of an e-mail with its inline pictures as data URLs. The HTML can name a picture any number of times;
 * those above the maximum are not shown.
 */
export function withPictures({ html = '', attachments }: Email, room = MAX_PICTURES_LENGTH): string {
  let left = room;
  return attachments.reduce((text, attachment) => {
    const id = contentIdOf(attachment);
    if (!id || !SHOWN_PICTURES.test(attachment.mimeType)) return text;
    const url = `data:${attachment.mimeType};base64,${bytesOf(attachment).toString('base64')}`;
    return text.replaceAll(`cid:${id}`, (name) => {
      if (url.length > left) return name;
      left -= url.length;
      return url;
    });
  }, html);
}
