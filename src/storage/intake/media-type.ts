import { getMimeType } from 'hono/utils/mime';
import { bufferOf } from '../../kernel/bytes.ts';
import { skipComments } from '../../kernel/markup-comments.ts';
import { isTextType } from '../../text/text-type.ts';
import { rasterFormat } from '../delivery/renditions/formats.ts';

/** Number of first bytes that determine the type; office documents are detected by files inside their ZIP. */
export const SAMPLE_BYTES = 65_536;
const UNKNOWN = 'application/octet-stream';

/** The media type that the client claims, used only where it is compatible with the bytes. */
export interface TypeHint {
  /** Type and subtype in lower case. */
  mediaType: string | null;
  fileName: string;
}

/**
 * Detects the media type of a file by its bytes. All text formats look alike, so the client's claim decides between
 * them, or the extension of the name; a claim of another type is ignored.
 * @param sample the first `SAMPLE_BYTES` bytes, or all
 */
export async function detectMediaType(sample: Uint8Array, hint: TypeHint): Promise<string> {
  if (sample.byteLength === 0) return textHint(hint) ?? UNKNOWN;
  const text = readText(sample);
  // UTF-16 text is not searched for signatures: some are two letters, such as “BM” of a bitmap, and also begin words.
  const marked = text?.wide ? undefined : await markedType(sample);
  if (text !== null) return textType(text.start, marked ?? '', hint);
  // Most programs write the directory of a TIFF file at its end, where `file-type` does not find it in a sample.
  if (marked === undefined) return rasterFormat(sample) === 'tiff' ? 'image/tiff' : UNKNOWN;
  if (marked === COMPOUND) return COMPOUND_TYPES.get(extensionOf(hint.fileName)) ?? marked;
  return (marked === ZIP ? officeType(sample, hint.fileName) : null) ?? marked;
}

/** @param fileName of any length, since that of a replacement is not stored */
export const extensionOf = (fileName: string) => fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();

/** The container of several formats, whose directory may be anywhere in the file: [MS-CFB] §2.2. */
const COMPOUND = 'application/x-cfb';
const COMPOUND_TYPES: ReadonlyMap<string, string> = new Map([
  ['doc', 'application/msword'],
  ['msg', 'application/vnd.ms-outlook'],
  ['msi', 'application/x-msi'],
  ['ppt', 'application/vnd.ms-powerpoint'],
  ['xls', 'application/vnd.ms-excel'],
]);

const ZIP = 'application/zip';
const ZIP_MARK = 'PK\x03\x04';
/**
 * Bytes of a ZIP file in which names are compared, each in tens of microseconds. The first names identify a
 * document.
 */
const ZIP_BYTES = 16_384;
const GZIP = { ext: 'gz', mime: 'application/gzip' };

/** Returns the media type of a file by a signature; undefined = none is known. */
async function markedType(sample: Uint8Array): Promise<string | undefined> {
  const { FileTypeParser } = await import('file-type');
  // The library's function unpacks up to 16 MB on the main thread to find a TAR file, which has the same
  // media type.
  const parser = Object.assign(new FileTypeParser(), { detectGzip: () => GZIP });
  const isZip = Buffer.from(sample.subarray(0, ZIP_MARK.length)).toString('latin1') === ZIP_MARK;
  try {
    return (await parser.fromBuffer(isZip ? sample.subarray(0, ZIP_BYTES) : sample))?.mime;
  } catch {
    // A file inside a ZIP file is unpacked, and may be damaged.
    return isZip ? ZIP : undefined;
  }
}

/**
 * Folders inside office documents, which are ZIP files, and their media types, by the extension of the name: ECMA-376-1
 * §8, and the registry of IANA.
 */
const OFFICE: ReadonlyMap<string, readonly [folder: string, subtype: string]> = new Map([
  ['docx', ['word', 'wordprocessingml.document']],
  ['xlsx', ['xl', 'spreadsheetml.sheet']],
  ['pptx', ['ppt', 'presentationml.presentation']],
]);

/**
 * Detects a document by a file in its folder, since the list of its parts, which `file-type` reads, is the last file in
 * documents of LibreOffice.
 */
function officeType(sample: Uint8Array, fileName: string): string | null {
  const [folder, subtype] = OFFICE.get(extensionOf(fileName)) ?? [];
  if (folder === undefined) return null;
  const start = bufferOf(sample).toString('latin1');
  // APPNOTE.TXT §4.3.7: a header of 30 bytes, then the name.
  const isDocument = new RegExp(`PK\\x03\\x04[^]{26}${folder}/`).test(start);
  return isDocument ? `application/vnd.openxmlformats-officedocument.${subtype}` : null;
}

function textType(start: string, marked: string, hint: TypeHint): string {
  if (MARKED_TEXT.has(marked)) return marked;
  const hinted = textHint(hint);
  if (hinted !== null && !VAGUE.has(hinted)) return hinted;
  return rootElement(start) ?? (marked === XML ? XML : (hinted ?? 'text/plain'));
}

const XML = 'application/xml';
/** Text formats with a signature. */
const MARKED_TEXT = new Set([
  'application/pdf',
  'application/postscript',
  'application/rtf',
  'text/calendar',
  'text/vcard',
  'text/vtt',
]);
/** Extensions that Hono's table lacks. */
const MORE_NAMES = {
  md: 'text/markdown',
  markdown: 'text/markdown',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  toml: 'application/toml',
  sql: 'application/sql',
  tsv: 'text/tab-separated-values',
};
/** Claims that the bytes may refine. */
const VAGUE = new Set(['text/plain', 'text/xml', XML]);
function textHint({ mediaType, fileName }: TypeHint): string | null {
  if (mediaType !== null && mediaType !== 'text/plain' && isText(mediaType)) return mediaType;
  const byName = (getMimeType(fileName, MORE_NAMES) ?? getMimeType(fileName))?.replace(/;.*/, '');
  if (byName !== undefined && isText(byName)) return byName;
  return mediaType === 'text/plain' ? mediaType : null;
}

const isText = (mediaType: string) => mediaType.length <= 100 && isTextType(mediaType);

// "Binary data bytes" of https://mimesniff.spec.whatwg.org/#binary-data-byte
// biome-ignore lint/suspicious/noControlCharactersInRegex: searches for them
const BINARY = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/;
const START = 2_048;

/** Returns the beginning of a text; null = not text. */
function readText(sample: Uint8Array): { start: string; wide: boolean } | null {
  const [first, second] = sample;
  const wide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (wide) {
    const start = new TextDecoder(first === 0xff ? 'utf-16le' : 'utf-16be').decode(sample.subarray(0, START));
    return BINARY.test(start) ? null : { start, wide };
  }
  const bytes = bufferOf(sample);
  if (BINARY.test(bytes.toString('latin1'))) return null;
  return { start: bytes.subarray(0, START).toString(), wide };
}

/** Returns the media type of a document that browsers would run, by its first element; null for any other text. */
function rootElement(start: string): string | null {
  const [declaration = ''] = /^\ufeff?\s*(?:<\?xml[^>]*\?>)?/i.exec(start) ?? [];
  const [, doctype, element] =
    /^(?:<!doctype\s+(html|svg)\b|<(html|head|body|script|svg)\b)/i.exec(
      start.slice(skipComments(start, declaration.length)),
    ) ?? [];
  const root = (doctype ?? element)?.toLowerCase();
  if (root === undefined) return null;
  return root === 'svg' ? 'image/svg+xml' : 'text/html';
}
