import type { texts as english } from './texts.ts';

export const texts: typeof english = {
  formatted: 'Formatiert',
  text: 'Text',
  view: 'Ansicht',
  bounded: (size) => `Nur die ersten ${size} werden gezeigt.`,
};
