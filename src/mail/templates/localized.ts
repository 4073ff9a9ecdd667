import type { Language } from '../../kernel/language.ts';

/** Returns the name of a template in a language: `name` in English, `name.de` in German. */
export const localized = (template: string, language: Language) =>
  language === 'en' ? template : `${template}.${language}`;
