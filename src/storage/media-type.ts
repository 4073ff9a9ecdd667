import { fileTypeFromBuffer } from 'file-type';
import { getMimeType } from 'hono/utils/mime';

/** So many of the first bytes tell the type; office documents show theirs only inside their ZIP. */
export const SAMPLE_BYTES = 65_536;
const UNKNOWN = 'application/octet-stream';

/** What the client says of a file: believed only as far as the bytes allow. */
export interface TypeHint {
  /** Type and subtype in lower case. */
  mediaType: string | null;
  fileName: string;
}

/**
 * The media type of a file by its bytes. Text looks the same in every text format, so there the client's claim decides,
 * or the ending of the name; a claim of anything else counts for nothing.
 * @param sample the first `SAMPLE_BYTES` bytes, or all
 */
export async function detectMediaType(sample: Uint8Array, hint: TypeHint): Promise<string> {
  if (sample.byteLength === 0) return textHint(hint) ?? UNKNOWN;
  const text = readText(sample);
  if (text === null) return (await fileTypeFromBuffer(sample))?.mime ?? UNKNOWN;
  // What is known by a mark of two letters is not looked for in text: “BM” begins a bitmap, and words.
  const marked = text.wide ? undefined : (await fileTypeFromBuffer(sample))?.mime;
  if (marked !== undefined && MARKED_TEXT.has(marked)) return marked;
  const hinted = textHint(hint);
  if (hinted !== null && !VAGUE.has(hinted)) return hinted;
  return rootElement(text.start) ?? (marked === XML ? XML : (hinted ?? 'text/plain'));
}

const XML = 'application/xml';
/** Formats made of text that begin with a mark of their own. */
const MARKED_TEXT = new Set(['application/pdf', 'application/postscript', 'application/rtf', 'text/calendar', 'text/vcard', 'text/vtt']);
/** Endings that Hono's table does not know. */
const MORE_NAMES = {
  md: 'text/markdown',
  markdown: 'text/markdown',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  toml: 'application/toml',
  sql: 'application/sql',
  tsv: 'text/tab-separated-values',
};
/** Claims that a look at the bytes may better. */
const VAGUE = new Set(['text/plain', 'text/xml', XML]);
const TEXT_TYPE =
  /^(?:text\/[\w.+-]+|[\w.-]+\/[\w.-]+\+(?:json|xml)|application\/(?:json|xml|javascript|ecmascript|x-javascript|x-ndjson|toml|yaml|x-yaml|sql|graphql|x-sh|x-tex|x-subrip|x-httpd-php))$/;

function textHint({ mediaType, fileName }: TypeHint): string | null {
  if (mediaType !== null && mediaType !== 'text/plain' && isTextType(mediaType)) return mediaType;
  const byName = (getMimeType(fileName, MORE_NAMES) ?? getMimeType(fileName))?.replace(/;.*/, '');
  if (byName !== undefined && isTextType(byName)) return byName;
  return mediaType === 'text/plain' ? mediaType : null;
}

function isTextType(mediaType: string): boolean {
  return mediaType.length <= 100 && TEXT_TYPE.test(mediaType);
}

// "Binary data bytes" of https://mimesniff.spec.whatwg.org/#binary-data-byte
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const BINARY = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/;
const START = 2_048;

/** Null = not text. */
function readText(sample: Uint8Array): { start: string; wide: boolean } | null {
  const [first, second] = sample;
  const wide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (wide) {
    const start = new TextDecoder(first === 0xff ? 'utf-16le' : 'utf-16be').decode(sample.subarray(0, START));
    return BINARY.test(start) ? null : { start, wide };
  }
  const bytes = Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength);
  if (BINARY.test(bytes.toString('latin1'))) return null;
  return { start: bytes.subarray(0, START).toString(), wide };
}

/** Documents that browsers would run, told by their first element. */
function rootElement(start: string): string | null {
  const [, doctype, element] =
    /^\ufeff?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--[\s\S]*?-->\s*)*(?:<!doctype\s+(html|svg)\b|<(html|head|body|script|svg)\b)/i.exec(start) ??
    [];
  const root = (doctype ?? element)?.toLowerCase();
  if (root === undefined) return null;
  return root === 'svg' ? 'image/svg+xml' : 'text/html';
}
