import type { Language } from '../kernel/language.ts';

/** The entry modules of the scripts of pages. */
export const PAGE_MODULES = {
  home: 'pages/home/HomePage.tsx',
  storage: 'pages/storage.ts',
  administration: 'pages/administration.ts',
  account: 'pages/account/AccountPage.tsx',
} as const;

/** Scripts of public pages of files, in `src/web/shared-file`, which the pages load on demand. */
export const PUBLIC_SCRIPTS = ['shared-pdf', 'shared-text'] as const;

export type PublicScript = (typeof PUBLIC_SCRIPTS)[number];
export type PageModule = keyof typeof PAGE_MODULES;

/** Index of a build, written by `src/web/build.ts`. */
export interface WebManifest {
  /** The HTML pages of the app, by language. They differ in the scripts that they preload. */
  shells: Record<Language, Record<PageModule, string>>;
  /** The names of the scripts of public pages among the assets. */
  publicScripts: Record<Language, Record<PublicScript, string>>;
  /** The name of the service worker among the assets. */
  serviceWorker: string;
  /** Assets by file name. Compressed copies have the extensions `.zst`, `.br` and `.gz`. */
  assets: Record<string, { type: string; compressed: boolean }>;
}
