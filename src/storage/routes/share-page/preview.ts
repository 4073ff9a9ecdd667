import { MB } from '../../../kernel/bytes.ts';
import { bytesIn } from '../../../kernel/content.ts';
import type { GiveWay } from '../../../kernel/event-loop/time-slices.ts';
import { decodeText } from '../../../text/decode-text.ts';
import { isTextType } from '../../../text/text-type.ts';
import type { BlobReader } from '../../blobs/small.ts';
import type { RenditionKind, StoredFile } from '../../tree/files/file.ts';

export type Preview =
  | { kind: Exclude<PreviewKind, 'pdf' | 'text' | null> }
  /** A PDF file that requires a password, or that the server could not render for another reason. */
  | { kind: 'locked' | 'failedPdf' }
  /** `picture` is the first page, for browsers without a viewer for PDF files. */
  | { kind: 'pdf'; picture: RenditionKind | null }
  | { kind: 'text'; text: string; isWhole: boolean };

/** How a file is displayed on its page; null = it is not displayed. */
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
  // Browsers run no script of an SVG in an `img`, and load nothing for it.
  [/^image\/(jpeg|png|apng|gif|webp|avif|bmp|svg\+xml)$/, 'image'],
  [/^video\//, 'video'],
  [/^audio\//, 'audio'],
  [/^application\/pdf$/, 'pdf'],
];
/** The other formats may be animated, which renditions are not. */
const STILL = /^image\/(jpeg|png)$/;
/** Larger pictures are displayed by a rendition, if they have one. */
const LARGE_PICTURE = 8 * MB;

export function previewKind(file: PreviewedFile): PreviewKind {
  const { mimeType, sizeBytes, hasThumbnail, hasPreview, isCounted } = file;
  const thumbnail = hasThumbnail ? 'thumbnail' : null;
  if (isCounted || sizeBytes === 0) return thumbnail;
  const rendition = hasPreview ? 'preview' : thumbnail;
  const kind =
    KINDS.find(([type]) => type.test(mimeType))?.[1] ?? (isTextType(mimeType) ? 'text' : rendition);
  const isReplaced = sizeBytes > LARGE_PICTURE || (hasPreview && STILL.test(mimeType));
  return kind === 'image' && isReplaced ? (rendition ?? kind) : kind;
}

/** Bytes of a text file that its page displays. */
export const TEXT_SHOWN = 128 * 1024;

/**
 * Decodes the beginning of a text file (`decodeText`). Returns null when the bytes are not text.
 * @param head the first `TEXT_SHOWN` bytes, or all of a shorter file
 * @param isWhole false when the file has more, so that `head` may end within a character
 */
export function readableText(head: Uint8Array, isWhole: boolean): string | null {
  const text = decodeText(head, isWhole);
  // Every byte is a character of windows-1252; in other files, a large part of them are control characters.
  const unreadable = text.match(UNREADABLE)?.length ?? 0;
  return text.includes('\0') || unreadable * 10 > text.length ? null : text;
}

/** Control characters except tabs, line breaks and form feeds, and the replacement character. */
const UNREADABLE = /(?![\t\n\v\f\r])\p{Cc}|\ufffd/gu;

/** The preview on the page of `file`; null = none. */
export async function readPreview(
  blobs: BlobReader,
  file: StoredFile,
  giveWay: GiveWay,
): Promise<Preview | null> {
  const { mimeType, sizeBytes, thumbnail, preview, maxDownloads } = file;
  const kind = previewKind({
    mimeType,
    sizeBytes,
    hasThumbnail: thumbnail.key !== null,
    hasPreview: preview.key !== null,
    isCounted: maxDownloads !== null,
  });
  if (kind === 'pdf') {
    if (thumbnail.state === 'failed') return { kind: (await isLocked(blobs, file)) ? 'locked' : 'failedPdf' };
    return { kind, picture: pictureOf(file) };
  }
  if (kind !== 'text') return kind && { kind };
  const end = Math.min(sizeBytes, TEXT_SHOWN);
  const head = await bytesIn(await blobs.read(file.blobKey, sizeBytes, { start: 0, end }));
  await giveWay();
  const text = readableText(head, end === sizeBytes);
  return text === null ? null : { kind, text, isWhole: end === sizeBytes };
}

/** Bytes at the end of a PDF file that are searched for the dictionary of its trailer. */
const TRAILER = 16 * 1024;

/**
 * Reports whether a PDF file that the server could not render can only be read with a password: its trailer refers to
 * an encryption dictionary (ISO 32000-2 §7.5.5).
 */
async function isLocked(blobs: BlobReader, { blobKey, sizeBytes }: StoredFile): Promise<boolean> {
  const range = { start: Math.max(0, sizeBytes - TRAILER), end: sizeBytes };
  const tail = await bytesIn(await blobs.read(blobKey, sizeBytes, range));
  return /\/Encrypt\b/.test(Buffer.from(tail).toString('latin1'));
}

function pictureOf({ thumbnail, preview }: StoredFile): RenditionKind | null {
  if (preview.key !== null) return 'preview';
  return thumbnail.key === null ? null : 'thumbnail';
}
