/** The languages of pages and mails, as BCP 47 tags. The first is for readers of any other language. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Reports whether a tag is that of a language that the server has. */
export const isLanguage = (tag: string | undefined): tag is Language => LANGUAGES.some((one) => one === tag);

/**
 * Returns a function from a language to its texts.
 * @param en the English ones, whose type the translations have
 */
export const inLanguages =
  <Texts>(en: Texts, others: Record<Exclude<Language, 'en'>, NoInfer<Texts>>) =>
  (language: Language): Texts =>
    ({ en, ...others })[language];
