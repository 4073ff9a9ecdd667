const FORMATS = ['jpeg', 'png', 'webp', 'gif', 'avif', 'heic', 'tiff'] as const;

/** Maximum number of characters of a camera's name. */
export const MAX_CAMERA_LENGTH = 100;
/** Range of the times of pictures, from the first photograph. */
export const EARLIEST_DATE = Date.UTC(1826);
export const LATEST_DATE = Date.UTC(2200);

/** The raster formats that are rendered. No other reaches a decoder. */
export type RasterFormat = (typeof FORMATS)[number];

/** The media types of these formats as ingest detects them; an animated PNG and some HEIC pictures have their own. */
const PICTURE_TYPES: ReadonlySet<string> = new Set([
  ...FORMATS.map((format) => `image/${format}`),
  'image/apng',
  'image/heif',
]);

const PDF_TYPE = 'application/pdf';

/** Reports whether files of this media type get a thumbnail and a preview. */
export function hasRenditions(mimeType: string): boolean {
  return PICTURE_TYPES.has(mimeType) || mimeType === PDF_TYPE;
}

/** The decoder that a child loads for a picture: `sharp` for all raster formats except HEIC, `heic` for all of them. */
export type Codec = 'sharp' | 'heic' | 'pdf';

/** @param mimeType as ingest detects it */
export function codecOf(mimeType: string): Codec {
  if (mimeType === PDF_TYPE) return 'pdf';
  return mimeType === 'image/heic' || mimeType === 'image/heif' ? 'heic' : 'sharp';
}

/** Reports whether files of this media type are audio or video, whose facts are read. */
export function isPlayed(mimeType: string): boolean {
  return /^(?:audio|video)\//.test(mimeType);
}

/** In a list of longest sides: the size of the picture itself. */
export const WHOLE = 0;

/** Reports whether a file of this media type may contain a location, and can be copied without it. */
export function canStrip(mimeType: string): boolean {
  return PICTURE_TYPES.has(mimeType) && mimeType !== 'image/gif' && mimeType !== 'image/apng';
}

/** Reports whether a file is PDF by its first bytes: ISO 32000-2 §7.5.2. */
export function isPdf(head: Uint8Array): boolean {
  return text(head, 0, 5) === '%PDF-';
}

const text = (bytes: Uint8Array, start: number, end: number) =>
  String.fromCharCode(...bytes.subarray(start, end));
const startsWith = (bytes: Uint8Array, ...signature: number[]) =>
  signature.every((byte, index) => bytes[index] === byte);

/**
 * Reports whether an AVIF or HEIC file has a sequence of pictures, which is not among the pages of its metadata: AV1
 * Image File Format §6.3, ISO/IEC 23008-12 §10.3.
 */
export function isSequence(head: Uint8Array): boolean {
  return hasBrand(head, /^(?:avis|msf1)$/);
}

/** Returns the format of a file by its first bytes only (64 are enough); null = none of these. */
export function rasterFormat(head: Uint8Array): RasterFormat | null {
  return SIGNATURES.find(([, matches]) => matches(head))?.[0] ?? null;
}

const SIGNATURES: readonly (readonly [RasterFormat, (head: Uint8Array) => boolean])[] = [
  // ITU-T T.81 Annex B: start of image, then a marker.
  ['jpeg', (head) => startsWith(head, 0xff, 0xd8, 0xff)],
  // PNG (Third Edition) §5.2
  ['png', (head) => startsWith(head, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)],
  ['gif', (head) => /^GIF8[79]a$/.test(text(head, 0, 6))],
  // RFC 9649 §2.4
  ['webp', (head) => text(head, 0, 4) === 'RIFF' && text(head, 8, 12) === 'WEBP'],
  // TIFF 6.0 §2 and, with 43, BigTIFF
  ['tiff', (head) => startsWith(head, 0x49, 0x49, 0x2a, 0) || startsWith(head, 0x4d, 0x4d, 0, 0x2a)],
  ['tiff', (head) => startsWith(head, 0x49, 0x49, 0x2b, 0) || startsWith(head, 0x4d, 0x4d, 0, 0x2b)],
  ['avif', (head) => hasBrand(head, /^avi[fs]$/)],
  ['heic', (head) => hasBrand(head, /^hei[cmsx]$/)],
];

/**
 * ISO/IEC 14496-12 §4.3: the box `ftyp` with its major brand, a version and the compatible brands; AV1 Image File
 * Format §6; ISO/IEC 23008-12 Annex B.
 */
function hasBrand(head: Uint8Array, brand: RegExp): boolean {
  if (text(head, 4, 8) !== 'ftyp') return false;
  const size = Math.min(new DataView(head.buffer, head.byteOffset, 4).getUint32(0), head.length);
  for (let at = 8; at + 4 <= size; at += 4) if (at !== 12 && brand.test(text(head, at, at + 4))) return true;
  return false;
}
