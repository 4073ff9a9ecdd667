import { invalidField } from '../../kernel/problem.ts';

const MAX_NAME_BYTES = 255;
/** Maximum number of characters of an extension, its dot included. A longer extension is part of the name. */
const MAX_EXTENSION_LENGTH = 32;

/**
 * Returns the name of a file: the text after the last `/` or `\` (RFC 7578 §4.2: a path must not be used).
 * @throws Problem 400 that names `field`
 */
export function readFileName(sent: string, field: string): string {
  return checkName(sent.slice(Math.max(sent.lastIndexOf('/'), sent.lastIndexOf('\\')) + 1), field);
}

/** @throws Problem 400 that names the field `name` */
export function readFolderName(sent: string): string {
  if (/[/\\]/.test(sent)) throw invalidField('name', 'must not contain / or \\');
  return checkName(sent, 'name');
}

function checkName(name: string, field: string): string {
  if (name.trim() === '' || name === '.' || name === '..')
    throw invalidField(field, 'must be a name, not blank, “.” or “..”');
  // Control characters of C0, DEL and C1.
  if (/\p{Cc}/u.test(name)) throw invalidField(field, 'must not contain control characters');
  // UTF-8 cannot encode them.
  if (!name.isWellFormed()) throw invalidField(field, 'must not contain unpaired surrogates');
  if (Buffer.byteLength(name) > MAX_NAME_BYTES)
    throw invalidField(field, `must have at most ${MAX_NAME_BYTES} bytes in UTF-8`);
  return name;
}

/** Turns `a.txt` into `a (2).txt`, shortened before the number if the name would be too long. */
export function numberedName(name: string, number: number, isFolder: boolean): string {
  const dot = isFolder ? -1 : name.lastIndexOf('.');
  const end = dot > 0 && name.length - dot <= MAX_EXTENSION_LENGTH ? dot : name.length;
  const suffix = ` (${number})${name.slice(end)}`;
  const room = MAX_NAME_BYTES - Buffer.byteLength(suffix);
  let stem = name.slice(0, end);
  while (Buffer.byteLength(stem) > room) stem = [...stem].slice(0, -1).join('');
  return `${stem}${suffix}`;
}
