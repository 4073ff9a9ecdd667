import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Target, writeAsset } from './build-assets.ts';

/**
 * Files that PDF.js loads itself: its worker, the fonts and encodings that PDF files do not contain, and the decoders
 * of scanned pictures as JavaScript, since the content security policy does not allow WebAssembly.
 */
const FILES: readonly [directory: string, names: RegExp][] = [
  ['legacy/build', /^pdf\.worker\.min\.mjs$/],
  ['standard_fonts', /\.(?:pfb|ttf)$/],
  ['cmaps', /\.bcmap$/],
  ['wasm', /_nowasm_fallback\.js$/],
];

/** Adds the files of PDF.js below `pdfjs-VERSION`, under the names that it requests. */
export function addPdfFiles(target: Target): void {
  const root = dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  for (const [folder, names] of FILES)
    for (const name of readdirSync(join(root, folder)).filter((each) => names.test(each)))
      writeAsset(`pdfjs-${version}/${folder}/${name}`, readFileSync(join(root, folder, name)), target);
}
