import { utf8Text } from '../../bytes.ts';

export interface PartHead {
  /** The `name` of its Content-Disposition. */
  name: string;
  /** File name as sent, with any path; null = none, so the part is a field. */
  fileName: string | null;
  /** Type and subtype in lower case; null = not given. */
  mediaType: string | null;
}

/** The body violates RFC 7578. The message is a sentence for the sender. */
export class MultipartError extends Error {
  override readonly name = 'MultipartError';
}

/** Parses the head of a part. @throws MultipartError */
export function parseHead(bytes: Buffer): PartHead {
  let text: string;
  try {
    text = utf8Text(bytes);
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

/** Returns the boundary of a Content-Type, of any length; null when it has none or is not multipart/form-data. */
export function multipartBoundary(contentType: string | undefined): string | null {
  if (!contentType || !/^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType)) return null;
  return parseParameters(contentType).get('boundary') || null;
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
