/** The name of each language in that language, for people who do not read the current one. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' };
export type Language = keyof typeof LANGUAGES;
