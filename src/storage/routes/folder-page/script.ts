import { readFileSync } from 'node:fs';
import { sourceFile } from '../../../kernel/program-files.ts';

let compiled: string | undefined;

/** Returns the script of the gallery for browsers. */
export function galleryScript(): string {
  compiled ??= new Bun.Transpiler({
    loader: 'ts',
    target: 'browser',
    minifyWhitespace: true,
  }).transformSync(readFileSync(sourceFile('storage/routes/folder-page/browser/gallery.ts'), 'utf8'));
  return compiled;
}
