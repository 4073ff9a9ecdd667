import { shownName } from '../text/shown-name.ts';

/** Returns texts whose functions pass strings, such as names, through `shownName`. */
export function showingNames<Texts extends object>(texts: Texts): Texts {
  const entries = Object.entries(texts).map(([key, text]: [string, unknown]) => [
    key,
    typeof text === 'function' ? (...values: unknown[]): unknown => text(...values.map(shown)) : text,
  ]);
  return Object.fromEntries(entries);
}

const shown = (value: unknown) => (typeof value === 'string' ? shownName(value) : value);
