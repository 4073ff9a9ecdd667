import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from './machine.ts';
import { conditions } from './report.ts';

const PAGE = join(import.meta.dir, '../../docs/performance.md');

/** Replaces the tables of a benchmark in docs/performance.md, with the conditions of this run. */
export function insertTables(name: string, ...tables: readonly string[]): void {
  insertFigures(name, [describe(conditions), ...tables].join('\n\n'));
}

/** Replaces the figures of a benchmark in docs/performance.md, between two comments with its name. */
export function insertFigures(name: string, text: string): void {
  const before = readFileSync(PAGE, 'utf8');
  const [head, rest] = before.split(`<!-- ${name} -->\n`);
  const [, tail] = rest?.split(`<!-- end of ${name} -->`) ?? [];
  if (tail === undefined) throw new Error(`${PAGE} has no comments around the figures of ${name}`);
  writeFileSync(PAGE, `${head}<!-- ${name} -->\n\n${text}\n\n<!-- end of ${name} -->${tail}`);
}
