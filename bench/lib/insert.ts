import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = join(import.meta.dir, '../../docs/performance.md');

/** Replaces the figures of a benchmark in docs/performance.md, between two comments with its name. */
export function insertFigures(name: string, text: string): void {
  const before = readFileSync(PAGE, 'utf8');
  const [head, rest] = before.split(`<!-- ${name} -->\n`);
  const [, tail] = rest?.split(`<!-- end of ${name} -->`) ?? [];
  if (tail === undefined) throw new Error(`${PAGE} has no comments around the figures of ${name}`);
  writeFileSync(PAGE, `${head}<!-- ${name} -->\n\n${text}\n\n<!-- end of ${name} -->${tail}`);
}
