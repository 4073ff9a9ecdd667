const MAX_NAMES = 20;
const MAX_BYTES = 1_024;

export const IGNORED_FIELDS = 'Posthouse-Ignored-Fields';

/** Returns the value of `Posthouse-Ignored-Fields`: a list of strings (RFC 9651 §3.1, §3.3.3). */
export function ignoredFields(paths: readonly string[]): string {
  let value = '';
  for (const path of paths.slice(0, MAX_NAMES)) {
    const item = `${value === '' ? '' : ', '}"${encoded(path).replace(/["\\]/g, '\\$&')}"`;
    if (value.length + item.length > MAX_BYTES) break;
    value += item;
  }
  return value;
}

/** Percent-encodes all characters but printable ASCII. */
function encoded(text: string): string {
  return text.toWellFormed().replace(/[^\x20-\x7e]+/gu, encodeURIComponent);
}
