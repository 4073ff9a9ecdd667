/** How a file is shown on its page; null = not at all. `bytes` kinds load the file itself, so they count as its download. */
export type PreviewKind = 'image' | 'video' | 'audio' | 'pdf' | 'text' | 'thumbnail' | null;

interface PreviewedFile {
  mimeType: string;
  sizeBytes: number;
  hasThumbnail: boolean;
  /** True when each download counts, so that looking at the page must not take one. */
  isCounted: boolean;
}

const SHOWN_BY_BROWSERS = /^image\/(jpeg|png|apng|gif|webp|avif|bmp)$/;
const TEXT_APPLICATIONS =
  /^application\/(json|x-ndjson|xml|yaml|x-yaml|toml|sql|graphql|(x-)?javascript|ecmascript|x-sh|x-httpd-php|x-tex|x-subrip|[\w.-]+\+(json|xml))$/;
/** Above it a picture is shown by its thumbnail, where there is one. */
const LARGE_PICTURE = 8 * 1024 ** 2;

export function previewKind({ mimeType, sizeBytes, hasThumbnail, isCounted }: PreviewedFile): PreviewKind {
  const thumbnail = hasThumbnail ? 'thumbnail' : null;
  if (isCounted || sizeBytes === 0) return thumbnail;
  if (SHOWN_BY_BROWSERS.test(mimeType)) return sizeBytes > LARGE_PICTURE ? (thumbnail ?? 'image') : 'image';
  if (mimeType.startsWith('video/')) return 'video';
  if (mimeType.startsWith('audio/')) return 'audio';
  if (mimeType === 'application/pdf') return 'pdf';
  if (mimeType.startsWith('text/') || TEXT_APPLICATIONS.test(mimeType) || mimeType === 'image/svg+xml') return 'text';
  return thumbnail;
}

/** Bytes of a text file that its page shows. */
export const TEXT_SHOWN = 128 * 1024;

/**
 * The text that a file begins with, for reading: UTF-8, or UTF-16 with a byte order mark. Null when the bytes are no text.
 * @param head the first `TEXT_SHOWN` bytes, or all of a shorter file
 * @param isWhole false when the file has more, so that `head` may end within a character
 */
export function readableText(head: Uint8Array, isWhole: boolean): string | null {
  const encoding = utf16(head) ?? 'utf-8';
  if (encoding === 'utf-8' && head.includes(0)) return null;
  const text = new TextDecoder(encoding).decode(head, { stream: !isWhole });
  // Not a text in another encoding shown as a wall of replacement characters.
  const unreadable = text.match(/\ufffd/g)?.length ?? 0;
  return unreadable * 10 > text.length ? null : text;
}

function utf16(head: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : null;
}
