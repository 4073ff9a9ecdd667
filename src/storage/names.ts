import { invalidField } from '../kernel/http/problem.ts';

const LONGEST_BYTES = 255;

/**
 * The name of a file as it was sent: what follows the last `/` or `\` (RFC 7578 §4.2: a path must not be used).
 * @throws Problem 400 that names `field`
 */
export function readFileName(sent: string, field: string): string {
  return checkName(sent.slice(Math.max(sent.lastIndexOf('/'), sent.lastIndexOf('\\')) + 1), field);
}

/** @throws Problem 400 that names `field` */
export function readFolderName(sent: string, field: string): string {
  if (/[/\\]/.test(sent)) throw invalidField(field, 'must not contain / or \\');
  return checkName(sent, field);
}

function checkName(name: string, field: string): string {
  if (name === '' || name === '.' || name === '..') throw invalidField(field, 'must be a name, not empty, “.” or “..”');
  // Control characters of C0, DEL and C1; and halves of surrogate pairs, which UTF-8 cannot carry.
  if (/[\p{Cc}\p{Cs}]/u.test(name)) throw invalidField(field, 'must not contain control characters');
  if (Buffer.byteLength(name) > LONGEST_BYTES) throw invalidField(field, `must have ${LONGEST_BYTES} bytes at most in UTF-8`);
  return name;
}

/** What two names share when they differ in letter case or in how Unicode composes them alone. */
export function nameKey(name: string): string {
  // Down first, as “ẞ” has no other capital; up, where “ß” and the ligatures become letters; and down. A sigma that ends a
  // word would be found only at the end of one.
  return name.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}
