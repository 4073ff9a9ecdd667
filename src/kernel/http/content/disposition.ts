/**
 * Returns a `Content-Disposition` (RFC 6266) for a name in any language: `filename*` carries the exact name (RFC 8187),
 * `filename` a fallback for old clients, with `_` for every character that one of them would misread.
 */
export function contentDisposition(type: 'attachment' | 'inline', fileName: string): string {
  // A lone surrogate cannot be encoded in UTF-8. Stored names have none.
  const name = fileName.toWellFormed();
  const fallback = name.replace(/[^\x20-\x7e]|["\\%]/gu, '_');
  // Characters that encodeURIComponent leaves unescaped and RFC 8187 does not allow.
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${type}; filename="${fallback}"; filename*=UTF-8''${encoded}`;
}
