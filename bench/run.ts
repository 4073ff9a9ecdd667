import { join } from 'node:path';
import { describe, machine } from './lib/machine.ts';
import { type Benchmark, fail, hasOption, readOptions } from './lib/options.ts';
import { print } from './lib/report.ts';

/*
 * Runs benchmarks one at a time, each in a separate process: `npm run bench` runs all, `npm run bench -- storage
 * messages` some. Prints the load of the machine with the figures, since other programs affect them. Each benchmark is
 * passed the options that it has (`lib/options.ts`); with `--json`, each prints one line of JSON.
 */

const GROUPS = {
  requests: ['requests'],
  storage: ['storage', 'export', 'listing'],
  messages: ['chat', 'mail', 'nodes'],
  memory: ['memory'],
  growth: ['growth', 'search', 'first-rows'],
  isolation: ['isolation', 'previews'],
  pictures: ['timeline'],
  processes: ['processes'],
  start: ['start'],
  idle: ['idle'],
  soak: ['soak'],
} as const;
const all: readonly Benchmark[] = Object.values(GROUPS).flat();

function chosen(words: readonly string[]): readonly Benchmark[] {
  if (words.length === 0) return all;
  return words.flatMap((word) => {
    if (Object.hasOwn(GROUPS, word)) return GROUPS[word as keyof typeof GROUPS];
    const name = all.find((each) => each === word);
    return (
      name ??
      fail(
        `There is no benchmark “${word}”; there are ${[...new Set([...Object.keys(GROUPS), ...all])].join(', ')}.`,
      )
    );
  });
}

const words = process.argv.slice(2);
const flags = words.filter((word) => word.startsWith('-'));
const benchmarks = [...new Set(chosen(words.filter((word) => !word.startsWith('-'))))];
const flagsOf = (name: Benchmark) => flags.filter((flag) => hasOption(name, flag));
for (const flag of flags)
  if (!benchmarks.some((name) => hasOption(name, flag)))
    fail(`No benchmark of ${benchmarks.join(', ')} has the option “${flag}”.`);
// A wrong value ends the run now, not after hours of other benchmarks.
for (const name of benchmarks) readOptions(name, flagsOf(name));

print(describe(machine()));
for (const name of benchmarks) {
  print(`\n${name} (load ${machine().load})`);
  const child = Bun.spawn([process.execPath, join(import.meta.dir, `${name}.ts`), ...flagsOf(name)], {
    stdout: 'inherit',
    stderr: 'inherit',
  });
  const status = await child.exited;
  if (status !== 0) {
    print(`${name} ended with status ${status}`);
    process.exitCode = 1;
  }
}
print(`\n(load ${machine().load})`);
