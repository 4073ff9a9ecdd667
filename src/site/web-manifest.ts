import type { Language } from '../kernel/language.ts';

/** Index of a build, written by `src/web/build.ts`. */
export interface WebManifest {
  /** The HTML page of all addresses of the app, by language. */
  shells: Record<Language, string>;
  /** The name of the service worker among the assets. */
  serviceWorker: string;
  /** By file name. Compressed copies have the extensions `.zst`, `.br` and `.gz`. */
  assets: Record<string, { type: string; compressed: boolean }>;
}
