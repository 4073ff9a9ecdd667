/** Files that are built from sources. */
export interface Product {
  /** Directory of its builds: `dist/NAME`. */
  name: string;
  sources: readonly string[];
  /** Folders below those that are not part of it. */
  without?: readonly string[];
  /** Program that builds it into the directory that is its argument. */
  program: string;
  /** A file that every complete build contains. */
  entry: string;
}

/** The web app; it contains the client and functions that it shares with the server. */
export const WEB: Product = {
  name: 'web',
  sources: ['src/web', 'src/client', 'src/picture', 'src/text'],
  program: 'src/web/build.ts',
  entry: 'manifest.json',
};

/** The program, except the web app. It starts from a bundle in half the time. */
export const SERVER: Product = {
  name: 'server',
  sources: ['src'],
  without: ['src/web'],
  program: 'src/builds/server.ts',
  entry: 'main.js',
};
