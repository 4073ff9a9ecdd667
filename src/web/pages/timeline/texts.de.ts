import type { texts as english } from './texts.ts';

export const texts: typeof english = {
  empty: 'Keine Bilder',
  emptyText: 'Bilder und Videos aus diesem Ordner und den Ordnern darunter erscheinen hier nach Monaten.',
  month: 'Monat',
};
