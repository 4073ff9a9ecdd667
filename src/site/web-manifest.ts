import type { Language } from '../kernel/language.ts';

/** The scripts of the pages, each with the module that is its entry. */
export const PAGE_MODULES = {
  home: 'pages/home/HomePage.tsx',
  storage: 'pages/storage.ts',
  administration: 'pages/administration.ts',
  account: 'pages/account/AccountPage.tsx',
} as const;

export type PageModule = keyof typeof PAGE_MODULES;

/** Index of a build, written by `src/web/build.ts`. */
export interface WebManifest {
  /** The HTML pages of the app, by language. They differ in the scripts that they load ahead. */
  shells: Record<Language, Record<PageModule, string>>;
  /** The names of the script that shows PDF files on public pages of files, among the assets, by language. */
  sharedPdfs: Record<Language, string>;
  /** The name of the service worker among the assets. */
  serviceWorker: string;
  /** Assets by file name. Compressed copies have the extensions `.zst`, `.br` and `.gz`. */
  assets: Record<string, { type: string; compressed: boolean }>;
}
