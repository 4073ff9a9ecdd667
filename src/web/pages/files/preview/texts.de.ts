import type { texts as english } from './texts.ts';

export const texts: typeof english = {
  formatted: 'Formatiert',
  text: 'Text',
  view: 'Ansicht',
  content: 'Inhalt',
  bounded: (size) => `Nur die ersten ${size} werden gezeigt.`,
  rows: (count) => `${count} Zeilen`,
  columns: (count) => `${count} Spalten`,
  charactersOfCell: (count) => `${count} Zeichen einer Zelle`,
  loading: 'Wird geladen',
  previous: 'Vorige',
  next: 'Nächste',
  download: 'Herunterladen',
  close: 'Schließen',
  failed: 'Die Vorschau konnte nicht geladen werden. Sie können die Datei herunterladen.',
  noPreview: 'Keine Vorschau für diesen Dateityp.',
  zoomIn: 'Vergrößern',
  zoomOut: 'Verkleinern',
  page: (number, count) => `Seite ${number} von ${count}`,
  failedPage: (number) => `Seite ${number} kann nicht gezeigt werden.`,
  boundedPages: (count) => `Nur die ersten ${count} Seiten werden gezeigt.`,
};
