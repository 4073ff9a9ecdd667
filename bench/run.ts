import { join } from 'node:path';
import { describe, machine } from './lib/machine.ts';

/*
 * Runs benchmarks one at a time, each in a separate process: `npm run bench` runs all, `npm run bench -- storage
 * messages` some. Prints the load of the machine with the figures, since other programs affect them. Options, such as
 * `--json` of `requests`, are passed to the benchmarks.
 */

const GROUPS = {
  requests: ['requests'],
  storage: ['storage', 'export', 'listing'],
  messages: ['chat', 'mail', 'nodes'],
  memory: ['memory'],
  growth: ['growth', 'search', 'first-rows'],
  isolation: ['isolation', 'previews'],
  pictures: ['timeline'],
  idle: ['idle'],
  soak: ['soak'],
} as const;
const all: readonly string[] = Object.values(GROUPS).flat();

function chosen(words: readonly string[]): readonly string[] {
  if (words.length === 0) return all;
  return words.flatMap((word) => {
    if (word in GROUPS) return GROUPS[word as keyof typeof GROUPS];
    if (all.includes(word)) return [word];
    throw new Error(`unknown benchmark “${word}”; there are ${[...Object.keys(GROUPS), ...all].join(', ')}`);
  });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const words = process.argv.slice(2);
const flags = words.filter((word) => word.startsWith('--'));
// With --json, standard output has nothing else.
const note = flags.includes('--json') ? () => {} : print;

note(describe(machine()));
for (const name of new Set(chosen(words.filter((word) => !flags.includes(word))))) {
  note(`\n${name} (load ${machine().load})`);
  const child = Bun.spawn([process.execPath, join(import.meta.dir, `${name}.ts`), ...flags], {
    stdout: 'inherit',
    stderr: 'inherit',
  });
  const status = await child.exited;
  if (status !== 0) {
    print(`${name} ended with status ${status}`);
    process.exitCode = 1;
  }
}
note(`\n(load ${machine().load})`);
