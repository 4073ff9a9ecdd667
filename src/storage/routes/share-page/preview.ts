import type { BlobReader } from '../../blobs/small.ts';
import type { RenditionKind, StoredFile } from '../../tree/file.ts';

export type Preview =
  | { kind: Exclude<PreviewKind, 'pdf' | 'text' | null> }
  /** `picture` is the first page, for browsers without a viewer for PDF files. */
  | { kind: 'pdf'; picture: RenditionKind | null }
  | { kind: 'text'; text: string; isWhole: boolean };

/** How a file is displayed on its page; null = not at all. */
export type PreviewKind = 'image' | 'video' | 'audio' | 'pdf' | 'text' | RenditionKind | null;

interface PreviewedFile {
  mimeType: string;
  sizeBytes: number;
  hasThumbnail: boolean;
  hasPreview: boolean;
  /** True when downloads are limited, so that opening the page must not count as one. */
  isCounted: boolean;
}

const KINDS: readonly (readonly [mimeType: RegExp, kind: PreviewKind])[] = [
  [/^image\/(jpeg|png|apng|gif|webp|avif|bmp)$/, 'image'],
  [/^video\//, 'video'],
  [/^audio\//, 'audio'],
  [/^application\/pdf$/, 'pdf'],
  [/^text\/|^image\/svg\+xml$/, 'text'],
  [/^application\/(json|x-ndjson|xml|yaml|x-yaml|toml|sql|graphql|[\w.-]+\+(json|xml))$/, 'text'],
  [/^application\/((x-)?javascript|ecmascript|x-sh|x-httpd-php|x-tex|x-subrip)$/, 'text'],
];
/** The other formats may be animated, which renditions are not. */
const STILL = /^image\/(jpeg|png)$/;
/** Larger pictures are displayed by a rendition, if they have one. */
const LARGE_PICTURE = 8 * 1024 ** 2;

export function previewKind(file: PreviewedFile): PreviewKind {
  const { mimeType, sizeBytes, hasThumbnail, hasPreview, isCounted } = file;
  const thumbnail = hasThumbnail ? 'thumbnail' : null;
  if (isCounted || sizeBytes === 0) return thumbnail;
  const rendition = hasPreview ? 'preview' : thumbnail;
  const kind = KINDS.find(([type]) => type.test(mimeType))?.[1] ?? rendition;
  const isReplaced = sizeBytes > LARGE_PICTURE || (hasPreview && STILL.test(mimeType));
  return kind === 'image' && isReplaced ? (rendition ?? kind) : kind;
}

/** Bytes of a text file that its page displays. */
export const TEXT_SHOWN = 128 * 1024;

/**
 * Decodes the beginning of a text file: UTF-8, or UTF-16 with a byte order mark. Returns null when the bytes are
 * not text.
 * @param head the first `TEXT_SHOWN` bytes, or all of a shorter file
 * @param isWhole false when the file has more, so that `head` may end within a character
 */
export function readableText(head: Uint8Array, isWhole: boolean): string | null {
  const encoding = utf16(head) ?? 'utf-8';
  if (encoding === 'utf-8' && head.includes(0)) return null;
  const text = new TextDecoder(encoding).decode(head, { stream: !isWhole });
  // Text in another encoding would consist of replacement characters.
  const unreadable = text.match(/\ufffd/g)?.length ?? 0;
  return unreadable * 10 > text.length ? null : text;
}

function utf16(head: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : null;
}

/** The preview on the page of `file`; null = none. */
export async function readPreview(blobs: BlobReader, file: StoredFile): Promise<Preview | null> {
  const { mimeType, sizeBytes, thumbnail, preview, maxDownloads } = file;
  const kind = previewKind({
    mimeType,
    sizeBytes,
    hasThumbnail: thumbnail.key !== null,
    hasPreview: preview.key !== null,
    isCounted: maxDownloads !== null,
  });
  if (kind === 'pdf') return { kind, picture: pictureOf(file) };
  if (kind !== 'text') return kind && { kind };
  const end = Math.min(sizeBytes, TEXT_SHOWN);
  const head = await new Response(await blobs.read(file.blobKey, sizeBytes, { start: 0, end })).bytes();
  const text = readableText(head, end === sizeBytes);
  return text === null ? null : { kind, text, isWhole: end === sizeBytes };
}

function pictureOf({ thumbnail, preview }: StoredFile): RenditionKind | null {
  if (preview.key !== null) return 'preview';
  return thumbnail.key === null ? null : 'thumbnail';
}
