/**
 * Marks of direction, which have no effect in a name that is isolated, and the characters that reorder the text after
 * them (https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters).
 */
const MARKS = /[\u061c\u200e\u200f]/g;
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Returns a name in the form that is shown: characters that reorder text are replaced by U+FFFD. With them, a program
 * can look like a picture: `invoice[U+202E]gpj.exe` reads `invoiceexe.jpg`. The server has the same function for its
 * pages (`kernel/shown-name.ts`).
 */
export const shownName = (name: string): string => name.replace(MARKS, '').replace(REORDERING, '\ufffd');

/** Returns texts whose functions pass strings, such as names, through `shownName`. */
export function showingNames<Texts extends object>(texts: Texts): Texts {
  const entries = Object.entries(texts).map(([key, text]: [string, unknown]) => [
    key,
    typeof text === 'function' ? (...values: unknown[]): unknown => text(...values.map(shown)) : text,
  ]);
  return Object.fromEntries(entries);
}

const shown = (value: unknown) => (typeof value === 'string' ? shownName(value) : value);
