import type { texts as english } from './texts.ts';

export const texts: typeof english = {
  everywhere: 'Überall',
  thisFolder: 'Dieser Ordner',
  lastDay: 'Letzte 24 Stunden',
  last7Days: 'Letzte 7 Tage',
  last30Days: 'Letzte 30 Tage',
  lastYear: 'Letzte 12 Monate',
  searchIn: 'Suchen in',
  typeOfFiles: 'Dateityp',
  allTypes: 'Alle Typen',
  timeOfUpload: 'Zeitpunkt des Hochladens',
  anyTime: 'Beliebig',
  searchFolder: 'Diesen Ordner durchsuchen',
  searchFiles: 'Dateien suchen',
  clear: 'Leeren',
  newestFirst: ', neueste zuerst',
  found: 'Suchergebnisse',
  noFileMatches: 'Keine passenden Dateien.',
  noNameMatches: (text) => `Keine passende Datei hat „${text}“ im Namen.`,
};
