import { inLanguages } from '../../kernel/language.ts';

const english = {
  /** Note to readers who chose a language other than English; null = none. */
  englishOnly: null as string | null,
  api: (product: string) => `${product} API`,
  searchApi: 'Search the API',
  search: 'Search',
  contents: 'Contents',
  documentation: 'Documentation',
  introduction: 'Introduction',
  errorCodes: 'Error codes',
  /** Translates the title of a subject or a section. */
  title: (english: string): string => english,
  nothingFound: (query: string) => `No operation contains “${query}”.`,
  found: (count: number, query: string) =>
    `${count === 1 ? '1 operation' : `${count} operations`} with “${query}”.`,
};

/** Titles of the subjects and sections of the OpenAPI document. */
const GERMAN_TITLES: Readonly<Record<string, string>> = {
  Storage: 'Speicher',
  Files: 'Dateien',
  'Resumable uploads': 'Fortsetzbare Uploads',
  Folders: 'Ordner',
  Versions: 'Versionen',
  Trash: 'Papierkorb',
  Sharing: 'Teilen',
  Usage: 'Belegung',
  Workspaces: 'Arbeitsbereiche',
  Chat: 'Chat',
  'Chat administration': 'Chat-Verwaltung',
  Mail: 'E-Mail',
  'Mail administration': 'E-Mail-Verwaltung',
  Accounts: 'Konten',
  Login: 'Anmeldung',
  Account: 'Konto',
  People: 'Personen',
  Operation: 'Betrieb',
  Events: 'Ereignisse',
  Messages: 'Nachrichten',
};

/** Texts around the documentation, which itself is in English. */
export const textsOf = inLanguages(english, {
  de: {
    englishOnly: 'Dieses Handbuch gibt es nur auf Englisch.',
    api: (product) => `${product}-API`,
    searchApi: 'API durchsuchen',
    search: 'Suchen',
    contents: 'Inhalt',
    documentation: 'Dokumentation',
    introduction: 'Einführung',
    errorCodes: 'Fehlercodes',
    title: (title) => GERMAN_TITLES[title] ?? title,
    nothingFound: (query) => `Keine Operation enthält „${query}“.`,
    found: (count, query) => `${count === 1 ? '1 Operation' : `${count} Operationen`} mit „${query}“.`,
  },
});
