/**
 * German texts by English texts. `{}` matches any text, and `{list}` words between commas or “or”. The German text has
 * the same placeholders in the same order. A matched value is translated too, if the table contains it.
 */
export type Translations = Readonly<Record<string, string>>;

/** Returns the German text; null = the table has none. */
export type Translate = (english: string) => string | null;

/**
 * Longer texts are not translated: they can contain text of the request, on which the patterns would take a long time.
 */
const MAX_LENGTH = 1_000;
const PLACEHOLDER = /\{(?:list)?\}/g;
const LIST = /[\w-]+(?:(?:, | or )[\w-]+)*/.source;

/** Returns a function that finds texts in `table`: first those without placeholders, then the others in order. */
export function createTranslate(table: Translations): Translate {
  const exact = new Map(Object.entries(table));
  // Compiled on first use, since most servers respond in English only.
  let patterns: (readonly [RegExp, string])[] | undefined;
  const translate: Translate = (english) => {
    const same = exact.get(english);
    if (same !== undefined) return same;
    if (english.length > MAX_LENGTH) return null;
    patterns ??= [...exact]
      .filter(([template]) => template.includes('{'))
      .map(([template, german]) => [patternOf(template), german]);
    for (const [pattern, german] of patterns) {
      const found = pattern.exec(english);
      if (found) return filled(german, found.slice(1), translate);
    }
    return null;
  };
  return translate;
}

function patternOf(template: string): RegExp {
  const [first = '', ...others] = template.split(PLACEHOLDER).map((text) => RegExp.escape(text));
  const kinds = template.match(PLACEHOLDER) ?? [];
  const rest = others.map((text, index) => `(${kinds[index] === '{list}' ? LIST : '.+'})${text}`);
  return new RegExp(`^${first}${rest.join('')}$`, 's');
}

function filled(german: string, values: readonly string[], translate: Translate): string {
  let index = 0;
  return german.replace(PLACEHOLDER, (placeholder) => {
    const value = values[index++] ?? '';
    return placeholder === '{list}' ? value.replaceAll(' or ', ' oder ') : (translate(value) ?? value);
  });
}
