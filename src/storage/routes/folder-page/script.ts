import { readFileSync } from 'node:fs';

let compiled: string | undefined;

/** Returns the script of the gallery for browsers. */
export function galleryScript(): string {
  compiled ??= new Bun.Transpiler({
    loader: 'ts',
    target: 'browser',
    minifyWhitespace: true,
  }).transformSync(readFileSync(new URL('browser/gallery.ts', import.meta.url), 'utf8'));
  return compiled;
}
