import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../kernel/database/database.ts';

/**
 * Returns the condition that a column contains a text, ignoring case. SQLite, and PostgreSQL with the locale
 * C, ignore the case of the letters A to Z only. Where there are others, a second pattern, which is slower,
 * names both cases of each letter.
 */
export function contains(kind: Database['kind'], column: string, text: string): RawBuilder<boolean> {
  const letters = [...text].map((letter) => ({ letter, cases: casesOf(letter) }));
  const isForeign = ({ letter, cases }: (typeof letters)[number]) => cases.length > 1 && letter > '\x7f';
  const like = letters
    .map((each) => (isForeign(each) ? '_' : each.letter.replace(/[%_\\]/, '\\$&')))
    .join('');
  const operator = kind === 'sqlite' ? sql`like` : sql`ilike`;
  const isLike = sql<boolean>`${sql.ref(column)} ${operator} ${`%${like}%`} escape '\\'`;
  if (!letters.some(isForeign)) return isLike;
  const literal = kind === 'sqlite' ? globLiteral : regexLiteral;
  const pattern = letters
    .map(({ letter, cases }) => (cases.length > 1 ? `[${cases.join('')}]` : literal(letter)))
    .join('');
  return kind === 'sqlite'
    ? sql<boolean>`(${isLike} and ${sql.ref(column)} glob ${`*${pattern}*`})`
    : sql<boolean>`(${isLike} and ${sql.ref(column)} ~ ${pattern})`;
}

/** Leaves out cases of several characters, such as SS for ß. */
function casesOf(letter: string): string[] {
  const cases = new Set([letter, letter.toLowerCase(), letter.toUpperCase()]);
  return [...cases].filter((each) => [...each].length === 1);
}

/** https://www.sqlite.org/lang_expr.html#glob */
function globLiteral(character: string): string {
  return /[*?[]/.test(character) ? `[${character}]` : character;
}

/** https://www.postgresql.org/docs/current/functions-matching.html#POSIX-SYNTAX-DETAILS */
function regexLiteral(character: string): string {
  return /[\\.*+?()[\]{}|^$]/.test(character) ? `\\${character}` : character;
}
