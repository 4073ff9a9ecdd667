import type { texts as english } from './texts.ts';

export const texts: typeof english = {
  formatted: 'Formatiert',
  view: 'Ansicht',
  bounded: (size) => `Nur die ersten ${size} werden angezeigt.`,
  table: 'Tabelle',
  rows: (count) => `${count} Zeilen`,
  columns: (count) => `${count} Spalten`,
  charactersOfCell: (count) => `${count} Zeichen jeder Zelle`,
  footnote: (number) => `Fußnote ${number}`,
  footnotes: 'Fußnoten',
  backToText: 'Zurück zum Text',
  empty: 'Die Datei ist leer.',
  previous: 'Vorige',
  next: 'Nächste',
  failures: {
    unknown: 'Die Vorschau konnte nicht geladen werden. Sie können die Datei herunterladen.',
    picture:
      'Das Bild kann nicht angezeigt werden. Es ist vielleicht beschädigt. Sie können es herunterladen.',
    password: 'Die Datei ist mit einem Passwort geschützt. Sie können sie herunterladen.',
    damaged: 'Die Datei ist beschädigt. Sie können sie herunterladen.',
    tooLarge: 'Das Bild ist zu groß für die Vorschau. Sie können es herunterladen.',
  },
  noPreview: 'Keine Vorschau für diesen Dateityp.',
  zoomIn: 'Vergrößern',
  zoomOut: 'Verkleinern',
  page: (number, count) => `Seite ${number} von ${count}`,
  failedPage: (number) => `Seite ${number} kann nicht angezeigt werden.`,
  boundedPages: (count) => `Nur die ersten ${count} Seiten werden angezeigt.`,
};
