/*
 * The options of all benchmarks, `--name` or `--name=value`, with their defaults: false = a flag, a number = a positive
 * number, text = any text. All benchmarks have `--json` as well.
 */

/** Prints one JSON object on standard output, and everything else on standard error. */
const COMMON = { json: false };
/** Puts the figures into docs/performance.md. */
const TABLE = { write: false };
/** See `engines.ts`. */
const ENGINES = { postgres: false, s3: '' };
const PAIRS = { pairs: 7 };

const OPTIONS = {
  batching: { rounds: 7, checkouts: '' },
  chat: { ...TABLE, ...PAIRS, messages: 6_000, backlog: 100_000 },
  export: { ...TABLE, ...ENGINES, ...PAIRS, megabytes: 200 },
  'first-rows': { files: 100_000 },
  growth: { ...TABLE, rows: 1_000_000 },
  idle: { each: false, seconds: 60 },
  isolation: { ...TABLE, ...ENGINES, seconds: 8, kind: '', files: 100_000 },
  listing: { files: 100_000 },
  mail: { ...TABLE, ...PAIRS, mails: 3_000, backlog: 100_000 },
  memory: { megabytes: 200 },
  nodes: { ...TABLE, ...PAIRS, messages: 3_000 },
  previews: { photographs: 80 },
  processes: { pairs: 5, seconds: 3 },
  requests: { ...TABLE, ...ENGINES, pairs: 5, seconds: 3 },
  search: { files: 1_000_000 },
  soak: { ...TABLE, minutes: 10, share: 0.8 },
  start: { rounds: 11 },
  storage: { ...TABLE, ...ENGINES, ...PAIRS, megabytes: 200, requests: 4_000 },
  timeline: { photographs: 10_000 },
} as const;

export type Benchmark = keyof typeof OPTIONS;
type Widened<Value> = Value extends boolean ? boolean : Value extends number ? number : string;
type Options<Defaults> = { [Name in keyof Defaults]: Widened<Defaults[Name]> };

/** Returns the options of a benchmark, or prints a wrong one in a sentence and exits. */
export function readOptions<Name extends Benchmark>(
  benchmark: Name,
  words: readonly string[] = process.argv.slice(2),
): Options<typeof COMMON & (typeof OPTIONS)[Name]> {
  const values: Record<string, boolean | number | string> = { ...COMMON, ...OPTIONS[benchmark] };
  for (const word of words) {
    const { name, text } = split(word);
    const usual = Object.hasOwn(values, name) ? values[name] : undefined;
    if (usual === undefined) {
      const names = Object.keys(values).map((each) => `--${each}`);
      fail(`The benchmark “${benchmark}” has no option “${word}”; it has ${names.join(', ')}.`);
    }
    values[name] = parseValue(name, usual, text);
  }
  return values as Options<typeof COMMON & (typeof OPTIONS)[Name]>;
}

/** Reports whether a benchmark has an option. */
export function hasOption(benchmark: Benchmark, word: string): boolean {
  return Object.hasOwn({ ...COMMON, ...OPTIONS[benchmark] }, split(word).name);
}

/** Prints an error to standard error and exits. */
export function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** Returns the name and the value of `--name=value`; the name is empty for any other word. */
function split(word: string): { name: string; text: string | undefined } {
  const [, name = '', text] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
  return { name, text };
}

function parseValue(
  name: string,
  usual: boolean | number | string,
  text: string | undefined,
): boolean | number | string {
  if (typeof usual === 'boolean') return text === undefined || fail(`--${name} takes no value.`);
  if (text === undefined || text === '') fail(`--${name} requires a value: --${name}=${usual || '…'}.`);
  if (typeof usual === 'string') return text;
  const number = Number(text);
  return number > 0 ? number : fail(`--${name} must be a positive number, not “${text}”.`);
}
