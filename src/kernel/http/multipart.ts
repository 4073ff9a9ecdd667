/** The header fields of a part. */
export interface PartHead {
  /** The `name` of its Content-Disposition. */
  name: string;
  /** File name as sent, with any path; null = none, so the part is a field. */
  fileName: string | null;
  /** Type and subtype in lower case; null = not given. */
  mediaType: string | null;
}

/** Receives a part's bytes, in order. */
export interface PartSink {
  write(bytes: Uint8Array): void;
  end(): void;
}

export interface MultipartParser {
  /** @throws MultipartError, and the errors of sinks */
  write(chunk: Uint8Array): void;
  /** Call after the last chunk. @throws MultipartError when the closing delimiter was not reached */
  end(): void;
}

/** The body violates RFC 7578. The message is a sentence for the sender. */
export class MultipartError extends Error {
  override readonly name = 'MultipartError';
}

const MAX_HEAD_BYTES = 16_384;
const MAX_PADDING_BYTES = 256;
/** Maximum number of parts, unless the caller permits another. */
const MAX_PARTS = 100;
const CR = 13;
const DASH = 45;
const NOTHING = Buffer.alloc(0);
const LINE_END = Buffer.from('\r\n');
const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Creates a parser of multipart/form-data (RFC 7578, RFC 2046 §5.1). It buffers only the possible beginning of a
 * delimiter, and copies bytes of a part only when a chunk ends within one.
 * @param part called for each part; returns the sink of its bytes
 */
export function createMultipartParser(
  boundary: string,
  part: (head: PartHead) => PartSink,
  maxParts = MAX_PARTS,
): MultipartParser {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  let state: 'preamble' | 'after delimiter' | 'head' | 'body' | 'epilogue' = 'preamble';
  let parts = 0;
  let sink: PartSink | undefined;
  // A body may begin with its first delimiter, without the line end before it.
  let held: Buffer = LINE_END;

  /** Passes bytes to the sink up to the next delimiter. Returns the rest; null when more bytes are needed. */
  const passBody = (data: Buffer): Buffer | null => {
    const at = data.indexOf(delimiter);
    const safe = at === -1 ? data.length - possibleDelimiter(data, delimiter) : at;
    if (safe > 0) sink?.write(data.subarray(0, safe));
    if (at === -1) {
      held = data.subarray(safe);
      return null;
    }
    sink?.end();
    sink = undefined;
    state = 'after delimiter';
    return data.subarray(at + delimiter.length);
  };

  /**
   * Parses the rest of the delimiter's line: `--` ends the body, white space is padding, and the line end begins
   * the head.
   */
  const passDelimiterLine = (data: Buffer): Buffer | null => {
    if (data.length >= 2 && data[0] === DASH && data[1] === DASH) {
      state = 'epilogue';
      return null;
    }
    const end = data.indexOf(LINE_END);
    const line = end === -1 ? data : data.subarray(0, end);
    const isPadding = line.every(
      (byte, index) => byte === 32 || byte === 9 || (byte === CR && index === line.length - 1),
    );
    if (
      end === -1 &&
      data.length < MAX_PADDING_BYTES &&
      (isPadding || (data.length === 1 && data[0] === DASH))
    ) {
      held = data;
      return null;
    }
    if (end === -1 || !isPadding)
      throw new MultipartError('a delimiter is not followed by the end of its line');
    if (++parts > maxParts) throw new MultipartError(`there are more than ${maxParts} parts`);
    state = 'head';
    // The line end is kept, so that the head of a part without header fields ends like the others.
    return data.subarray(end);
  };

  const passHead = (data: Buffer): Buffer | null => {
    const end = data.indexOf(HEAD_END);
    if ((end === -1 ? data.length : end) > MAX_HEAD_BYTES)
      throw new MultipartError('the head of a part is too long');
    if (end === -1) {
      held = data;
      return null;
    }
    sink = part(parseHead(data.subarray(0, end)));
    state = 'body';
    return data.subarray(end + HEAD_END.length);
  };

  /** Returns the held bytes with those of a chunk. Most bodies begin with a delimiter; then nothing is copied. */
  const joined = (fresh: Buffer): Buffer => {
    const opening = delimiter.length - LINE_END.length;
    if (held !== LINE_END || fresh.length < opening) return Buffer.concat([held, fresh]);
    if (fresh.compare(delimiter, LINE_END.length, delimiter.length, 0, opening) !== 0)
      return Buffer.concat([held, fresh]);
    state = 'after delimiter';
    return fresh.subarray(opening);
  };

  return {
    write(chunk) {
      if (state === 'epilogue') return;
      const fresh = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      let data: Buffer | null = held.length === 0 ? fresh : joined(fresh);
      held = NOTHING;
      while (data !== null) {
        if (state === 'preamble' || state === 'body') data = passBody(data);
        else if (state === 'after delimiter') data = passDelimiterLine(data);
        else data = passHead(data);
      }
    },
    end() {
      if (state !== 'epilogue') throw new MultipartError('the body ends before its closing delimiter');
    },
  };
}

/** Returns how many of the last bytes may be the beginning of a delimiter, whose first byte occurs in it only once. */
function possibleDelimiter(data: Buffer, delimiter: Buffer): number {
  const at = data.lastIndexOf(CR);
  const length = data.length - at;
  if (at === -1 || length >= delimiter.length) return 0;
  return data.compare(delimiter, 0, length, at) === 0 ? length : 0;
}

function parseHead(bytes: Buffer): PartHead {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new MultipartError('the head of a part is not in UTF-8');
  }
  const fields = new Map<string, string>();
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) fields.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  const disposition = fields.get('content-disposition') ?? '';
  const parameters = parseParameters(disposition);
  const name = parameters.get('name');
  if (!/^form-data\s*(?:;|$)/i.test(disposition) || name === undefined) {
    throw new MultipartError('a part has no Content-Disposition of form-data with a name');
  }
  return {
    name,
    fileName: extendedValue(parameters.get('filename*')) ?? parameters.get('filename') ?? null,
    mediaType:
      /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+/.exec(fields.get('content-type') ?? '')?.[0].toLowerCase() ?? null,
  };
}

/** Returns the parameters of a header field by name in lower case; the first of a name counts. */
function parseParameters(field: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', quoted, bare] of field.matchAll(
    /;\s*([\w!#$&+.^`|~*-]+)\s*=\s*(?:"((?:\\"|[^"])*)"|([^\s;]*))/g,
  )) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, quoted === undefined ? (bare ?? '') : unquoted(quoted));
  }
  return found;
}

/**
 * Browsers percent-encode three characters (HTML, multipart/form-data encoding algorithm); other clients escape the
 * quote with a backslash. Any other backslash is literal, as in the paths that old programs send.
 */
function unquoted(text: string): string {
  return text.replaceAll('\\"', '"').replace(/%(22|0D|0A)/gi, (escaped) => decodeURIComponent(escaped));
}

/** Decodes `UTF-8''…` (RFC 8187), which RFC 7578 §4.2 forbids here and some clients send anyway. */
function extendedValue(text: string | undefined): string | null {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(text ?? '')?.[1];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}

/** Returns the boundary of a Content-Type; null when it has none or is not multipart/form-data. */
export function multipartBoundary(contentType: string | undefined): string | null {
  if (!contentType || !/^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType)) return null;
  const boundary = parseParameters(contentType).get('boundary') ?? '';
  // RFC 2046 §5.1.1 allows 70 characters; some clients send more. A line end is never valid.
  return /^[^\r\n]{1,200}$/.test(boundary) ? boundary : null;
}
