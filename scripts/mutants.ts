import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import listed from './mutants.json';
import { type Mutation, mutationsOf } from './mutations.ts';

/*
 * Changes the subtle modules in small ways and runs their unit tests on each change: `npm run mutants [--
 * PART_OF_A_PATH …]`. Prints every mutation as killed (a test fails), survived, or explained in scripts/mutants.json.
 * The exit status is 1 when one survives without an explanation, or an explanation has no mutation. Works on copies of
 * the source.
 */

/**
 * Modules that need neither time nor network, with their tests; by default the test of the same name. Tests that need a
 * database run on SQLite, since the copies are closed to the user that runs PostgreSQL.
 */
const MODULES: Record<string, string[]> = {
  'src/chat/compose/split.ts': [],
  'src/identity/login/return-to.ts': [],
  'src/kernel/http/content/conditional.ts': [],
  'src/kernel/http/content/disposition.ts': [],
  'src/kernel/http/content/http-date.ts': [],
  'src/storage/routes/ranges.ts': [],
  'src/kernel/http/listener/send-turns.ts': [],
  'src/kernel/ip.ts': [],
  'src/kernel/limits/rates.ts': [],
  'src/kernel/limits/steady-clock.ts': [],
  'src/mail/transports/turns.ts': [],
  'src/mail/clients/windows.ts': [],
  'src/kernel/outbox/backoff.ts': [],
  'src/kernel/outbox/lanes.ts': ['src/kernel/outbox/claims.test.ts', '--test-name-pattern=sqlite'],
  'src/mail/hosts.ts': [],
  'src/mail/public-address.ts': ['src/mail/public-address.test.ts', 'src/mail/hosts.test.ts'],
  'src/storage/blobs/file-writer.ts': [],
  'src/storage/blobs/small.ts': [],
  'src/storage/delivery/zip/coalesce.ts': [],
  'src/storage/delivery/zip/continued.ts': [],
  'src/storage/delivery/zip/names.ts': [],
  'src/storage/delivery/zip/records.ts': [],
  'src/storage/tree/names.ts': ['src/storage/tree/names.test.ts', 'src/storage/delivery/zip/names.test.ts'],
  'src/text/name-key.ts': ['src/storage/tree/names.test.ts'],
};
const ROOT = join(import.meta.dir, '..');
/** Time beyond that of the unchanged module after which tests count as failed: the mutation loops forever. */
const EXTRA_MS = 10_000;

/** A mutation that no test can detect, and why. Identified by its line's text, which is more stable than its number. */
interface Explanation {
  file: string;
  code: string;
  change: string;
  why: string;
}

const explanations: readonly Explanation[] = listed;

type Outcome = 'killed' | 'survived' | 'explained';

/** A copy of the source, in which one mutation is tried at a time. */
function openCopy() {
  const directory = mkdtempSync(join(tmpdir(), 'posthouse-mutants-'));
  for (const name of ['src', 'test/harness', 'package.json', 'tsconfig.json'])
    cpSync(join(ROOT, name), join(directory, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  return {
    write: (file: string, text: string) => Bun.write(join(directory, file), text),
    /** Reports whether the tests pass within `limitMs`. */
    async passes(tests: readonly string[], limitMs: number): Promise<boolean> {
      const child = Bun.spawn([process.execPath, 'test', '--bail', `--timeout=${limitMs}`, ...tests], {
        cwd: directory,
        // Tests that end early leave files, which are removed with the copy.
        env: { ...process.env, TMPDIR: directory },
        stdio: ['ignore', 'ignore', 'ignore'],
        timeout: limitMs,
        killSignal: 'SIGKILL',
      });
      return (await child.exited) === 0;
    },
    remove: () => rmSync(directory, { recursive: true }),
  };
}

type Copy = ReturnType<typeof openCopy>;

function explanationOf(file: string, { code, change }: Mutation) {
  return explanations.find((one) => one.file === file && one.code === code && one.change === change);
}

async function tryOne(
  copy: Copy,
  file: string,
  source: string,
  mutation: Mutation,
  limitMs: number,
): Promise<Outcome> {
  const { start, end, replacement } = mutation;
  await copy.write(file, source.slice(0, start) + replacement + source.slice(end));
  if (!(await copy.passes(testsOf(file), limitMs))) return 'killed';
  return explanationOf(file, mutation) ? 'explained' : 'survived';
}

function testsOf(file: string): readonly string[] {
  const tests = MODULES[file] ?? [];
  return tests.length > 0 ? tests : [file.replace(/\.ts$/, '.test.ts')];
}

/**
 * Tries every mutation of a module, one in each copy at a time; returns the number of survivors and stale explanations.
 */
async function tryModule(copies: readonly Copy[], file: string): Promise<number> {
  const source = await Bun.file(join(ROOT, file)).text();
  const started = performance.now();
  if (!(await copies[0]?.passes(testsOf(file), 120_000)))
    throw new Error(`the tests of ${file} fail without a mutation`);
  const limitMs = Math.ceil(3 * (performance.now() - started)) + EXTRA_MS;
  const mutations = mutationsOf(file, source);
  const waiting = mutations.values();
  const counts = { killed: 0, survived: 0, explained: 0 };
  await Promise.all(
    copies.map(async (copy) => {
      for (const mutation of waiting) {
        const outcome = await tryOne(copy, file, source, mutation, limitMs);
        counts[outcome]++;
        process.stdout.write(`${outcome} ${file}:${mutation.line} ${mutation.change}\n`);
      }
      await copy.write(file, source);
    }),
  );
  const stale = explanations.filter(
    (one) =>
      one.file === file && !mutations.some(({ code, change }) => one.code === code && one.change === change),
  );
  for (const { code, change } of stale)
    process.stdout.write(`stale explanation ${file}: ${code}: ${change}\n`);
  const { killed, survived, explained } = counts;
  process.stdout.write(`${file}: ${killed} killed, ${explained} explained, ${survived} survived\n`);
  return survived + stale.length;
}

const wanted = process.argv.slice(2);
const copies = Array.from({ length: availableParallelism() }, openCopy);
let faults = 0;
try {
  for (const file of Object.keys(MODULES))
    if (wanted.length === 0 || wanted.some((part) => file.includes(part)))
      faults += await tryModule(copies, file);
} finally {
  for (const copy of copies) copy.remove();
}
process.exit(faults === 0 ? 0 : 1);
