import type { Translations } from '../kernel/translations.ts';

/** German messages of fields and sentences of problems. */
export const siteGerman = {
  'does not work': 'funktioniert nicht',
  'does not work: check {}': 'funktioniert nicht: Prüfen Sie {}',
  'Not working: {}.': 'Der Server ist noch nicht bereit. Nicht verfügbar: {}.',
} as const satisfies Translations;
