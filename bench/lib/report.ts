import { writeSync } from 'node:fs';
import { type Machine, machine } from './machine.ts';

/*
 * The output of a benchmark: lines for people, or with `--json` one object on standard output, and those lines on
 * standard error.
 */

const isJson = process.argv.includes('--json');
/** The conditions at the start: a benchmark changes the load. */
export const conditions: Machine = machine();
const results: object[] = [];

/** Prints a line for people. */
export function print(line: string): void {
  (isJson ? process.stderr : process.stdout).write(`${line}\n`);
}

/** Adds figures to the JSON object. Times are milliseconds, sizes bytes, unless their names say otherwise. */
export function record(name: string, figures: object): void {
  results.push({ name, ...figures });
}

/** Prints the JSON object with all recorded figures, if it was requested. */
export function finish(benchmark: string): void {
  // A benchmark may exit at once, before an asynchronous write to a pipe.
  if (isJson) writeSync(1, `${JSON.stringify({ benchmark, ...conditions, results })}\n`);
}
