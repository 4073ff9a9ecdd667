import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';

/*
 * Runs benchmarks one after the other, each in a process of its own: `npm run bench` all of them, `npm run bench -- storage
 * messages` some. What other programs of the machine do at the same time is in the figures, so its load is printed beside them.
 */

const GROUPS = {
  storage: ['storage', 'export', 'listing'],
  messages: ['chat', 'mail'],
  memory: ['memory'],
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

print(`${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, Bun ${Bun.version}`);
for (const name of new Set(chosen(process.argv.slice(2)))) {
  print(`\n${name} (load ${load()})`);
  const child = Bun.spawn([process.execPath, join(import.meta.dir, `${name}.ts`)], { stdout: 'inherit', stderr: 'inherit' });
  const status = await child.exited;
  if (status !== 0) {
    print(`${name} ended with status ${status}`);
    process.exitCode = 1;
  }
}
print(`\n(load ${load()})`);
