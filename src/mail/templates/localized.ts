import type { Language } from '../../kernel/language.ts';

/** Returns the name of a template in a language: that of the English one, or the one that ends with the language. */
export const localized = (template: string, language: Language) =>
  language === 'en' ? template : `${template}.${language}`;
