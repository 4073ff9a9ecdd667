/** Index of a build, written by `src/web/build.ts`. */
export interface WebManifest {
  /** The HTML page of all addresses of the app. */
  shell: string;
  /** By file name. Compressed copies have the extensions `.zst`, `.br` and `.gz`. */
  assets: Record<string, { type: string; compressed: boolean }>;
}
