import { MultipartError } from '../../../kernel/http/bodies/multipart-fields.ts';

/*
 * A delimiter is `\r\n--BOUNDARY`. It is followed by padding and the end of its line, or by `--` after the last part
 * (RFC 2046 §5.1.1).
 */

/** Line end (CRLF), with which a delimiter begins. */
export const LINE_END = Buffer.from('\r\n');
const MAX_PADDING_BYTES = 256;
const CR = 13;
const DASH = 45;

/** Returns how many of the last bytes may be the beginning of a delimiter, whose first byte occurs in it only once. */
export function possibleDelimiter(data: Buffer, delimiter: Buffer): number {
  const at = data.lastIndexOf(CR);
  const length = data.length - at;
  if (at === -1 || length >= delimiter.length) return 0;
  return data.compare(delimiter, 0, length, at) === 0 ? length : 0;
}

/** Reports whether the first bytes of a body are a delimiter without the line end before it. */
export function beginsWithDelimiter(data: Buffer, delimiter: Buffer): boolean {
  const length = delimiter.length - LINE_END.length;
  return data.length >= length && data.compare(delimiter, LINE_END.length, delimiter.length, 0, length) === 0;
}

/** Reports whether the bytes after a delimiter end the body. */
export function closesBody(data: Buffer): boolean {
  return data.length >= 2 && data[0] === DASH && data[1] === DASH;
}

/**
 * Returns the position of the line end that ends a delimiter; -1 when more bytes are needed. White space before it is
 * padding.
 * @throws MultipartError for other text, and for more padding than is permitted
 */
export function endOfDelimiterLine(data: Buffer): number {
  const end = data.indexOf(LINE_END);
  const line = end === -1 ? data : data.subarray(0, end);
  const isPadding = line.every(
    (byte, index) => byte === 32 || byte === 9 || (byte === CR && index === line.length - 1),
  );
  if (end === -1 && data.length < MAX_PADDING_BYTES && (isPadding || (data.length === 1 && data[0] === DASH)))
    return -1;
  if (end === -1 || !isPadding)
    throw new MultipartError('a delimiter is not followed by the end of its line');
  return end;
}
