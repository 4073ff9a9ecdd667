import { nameKey } from '../../text/name-key.ts';
import { type FileType, fileType } from './file-type.ts';

/** The start of a name; a name contains no control characters. */
const START = '\n';
const LENGTH = 3;
/** Maximum number of parts of a query that are looked up: more would exclude few further files. */
const PARTS_OF_QUERY = 6;

/** The columns of a file that its parts depend on. */
export interface Indexed {
  name_key: string;
  mime_type: string;
  workspace_id: string;
}

/** Characters of scripts in which one or two characters can be a word, and emoji. */
const DENSE =
  /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{ExtPict}]+$/u;

/** Longer names are not divided: they are rare, and would fill the index. */
const MAX_NAME_LENGTH = 128;

/**
 * Returns the texts by which a file is found: parts of its name, its type and its workspace.
 * @param divides false = `ANY_NAME` in place of parts of the name
 */
export function partsOf({ name_key, mime_type, workspace_id }: Indexed, divides: boolean): Set<string> {
  const parts = new Set([typePart(fileType(mime_type)), workspacePart(workspace_id)]);
  if (!divides || name_key.length > MAX_NAME_LENGTH) return parts.add(ANY_NAME);
  const characters = [START, ...name_key];
  parts.add(characters.slice(0, 2).join(''));
  for (let at = 0; at + LENGTH <= characters.length; at++)
    parts.add(`${characters[at]}${characters[at + 1]}${characters[at + 2]}`);
  return addDense(parts, characters);
}

/** Adds the texts of one and of two dense characters. */
function addDense(parts: Set<string>, characters: readonly string[]): Set<string> {
  let before = '';
  for (const character of characters) {
    const isDense = DENSE.test(character);
    if (isDense) parts.add(character);
    if (isDense && before) parts.add(`${before}${character}`);
    before = isDense ? character : '';
  }
  return parts;
}

/**
 * Returns parts that every matching name has. @param text of a query, which names begin with or contain: see
 * `isBeginning`
 */
export function partsOfQuery(text: string): string[] {
  const key = nameKey(text);
  const characters = [...key];
  if (characters.length === 0) return [];
  if (isBeginning(text)) return [`${START}${key}`];
  if (characters.length < LENGTH) return [key];
  const count = characters.length - LENGTH + 1;
  const step = Math.max(1, (count - 1) / (PARTS_OF_QUERY - 1));
  const parts = new Set<string>();
  for (let at = 0; Math.round(at) < count; at += step)
    parts.add(characters.slice(Math.round(at), Math.round(at) + LENGTH).join(''));
  return [...parts];
}

/** Reports whether a query is so short that only names that begin with it match. */
function isBeginning(text: string): boolean {
  const key = nameKey(text);
  return [...key].length < LENGTH && !DENSE.test(key);
}

/** Returns the pattern for `like` of the keys of names that match, with `%`, `_` and `\` escaped. */
export function namePattern(text: string): string {
  return `${isBeginning(text) ? '' : '%'}${nameKey(text).replace(/[%_\\]/g, '\\$&')}%`;
}

/**
 * A part of each block with the parts that `partsOf` returns now. Blocks of earlier versions of the program do not have
 * it. Change it together with `partsOf`.
 */
export const CURRENT_FORM = 'form 2';
/** The part of files whose names are not divided: they may match any query. */
export const ANY_NAME = 'any name';
export const typePart = (type: FileType) => `type ${type}`;
export const workspacePart = (id: string) => `workspace ${id}`;
