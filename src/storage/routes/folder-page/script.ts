import { readFileSync } from 'node:fs';
import { sourceFile } from '../../../kernel/program-files.ts';

const compiled = new Map<string, string>();

/** Returns a script of the page for browsers: the gallery, or the form for files. */
export function browserScript(name: 'gallery' | 'send'): string {
  const known = compiled.get(name);
  if (known !== undefined) return known;
  const script = new Bun.Transpiler({
    loader: 'ts',
    target: 'browser',
    minifyWhitespace: true,
  }).transformSync(readFileSync(sourceFile(`storage/routes/folder-page/browser/${name}.ts`), 'utf8'));
  compiled.set(name, script);
  return script;
}
