/**
 * A `Content-Disposition` (RFC 6266) for a name in any language: `filename*` carries it whole (RFC 8187), `filename` holds
 * what old clients can show, with `_` for every character that one of them would misread.
 */
export function contentDisposition(type: 'attachment' | 'inline', fileName: string): string {
  // A lone surrogate has no UTF-8; it cannot come from a stored name.
  const name = fileName.toWellFormed();
  const fallback = name.replace(/[^\x20-\x7e]|["\\%]/gu, '_');
  // What encodeURIComponent leaves as it is and RFC 8187 does not allow.
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  return `${type}; filename="${fallback}"; filename*=UTF-8''${encoded}`;
}
