import { weightsOf } from './weights.ts';

/** The languages of pages and e-mails, as BCP 47 tags. The first is the fallback. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Reports whether the server has texts in the language of a tag. */
export const isLanguage = (tag: string | undefined): tag is Language => LANGUAGES.some((one) => one === tag);

/**
 * Returns a function from a language to its texts.
 * @param en the English texts; their type is that of the translations
 */
export const inLanguages =
  <Texts>(en: Texts, others: Record<Exclude<Language, 'en'>, NoInfer<Texts>>) =>
  (language: Language): Texts =>
    ({ en, ...others })[language];

/** Returns the language that `Accept-Language` prefers (RFC 9110 §12.5.4), by its primary subtag. */
export function preferredLanguage(header: string | undefined): Language {
  // Most programs send none.
  if (header === undefined) return LANGUAGES[0];
  const byWeight = [...weightsOf(header)].filter(([, weight]) => weight > 0).sort((a, b) => b[1] - a[1]);
  for (const [tag] of byWeight) {
    const primary = tag.split('-')[0];
    if (isLanguage(primary)) return primary;
  }
  return LANGUAGES[0];
}
