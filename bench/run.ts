import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';

/*
 * Runs benchmarks one at a time, each in a separate process: `npm run bench` runs all, `npm run bench -- storage
 * messages` some. Prints the load of the machine with the figures, since other programs affect them.
 */

const GROUPS = {
  storage: ['storage', 'export', 'listing'],
  messages: ['chat', 'mail'],
  memory: ['memory'],
  growth: ['growth', 'search'],
  isolation: ['isolation'],
  idle: ['idle'],
} as const;
const all: readonly string[] = Object.values(GROUPS).flat();

function chosen(words: readonly string[]): readonly string[] {
  if (words.length === 0) return all;
  return words.flatMap((word) => {
    if (word in GROUPS) return GROUPS[word as keyof typeof GROUPS];
    if (all.includes(word)) return [word];
    throw new Error(`“${word}” is no benchmark; there are ${[...Object.keys(GROUPS), ...all].join(', ')}`);
  });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const load = () =>
  loadavg()
    .map((value) => value.toFixed(1))
    .join(' ');

print(
  `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, Bun ${Bun.version}`,
);
for (const name of new Set(chosen(process.argv.slice(2)))) {
  print(`\n${name} (load ${load()})`);
  const child = Bun.spawn([process.execPath, join(import.meta.dir, `${name}.ts`)], {
    stdout: 'inherit',
    stderr: 'inherit',
  });
  const status = await child.exited;
  if (status !== 0) {
    print(`${name} ended with status ${status}`);
    process.exitCode = 1;
  }
}
print(`\n(load ${load()})`);
