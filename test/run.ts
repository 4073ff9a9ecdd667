import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQLITE_VARIABLE } from './harness/databases.ts';
import { createFailures, type Failures } from './harness/failures.ts';
import { HOSTS_VARIABLE, type Hosts, startHosts } from './harness/hosts.ts';
import { createMigratedSqlite, type Peers, startPeers } from './harness/peers.ts';
import { HTTP_REQUESTS } from './harness/process.ts';
import { NODES_VARIABLE } from './harness/start.ts';

/*
 * Runs the tests that need no browser; with `--browser` those that do; with paths the tests of these files. One
 * PostgreSQL and one S3 server serve them all.
 * Files with failed tests run once more, alone, when they are few: a busy machine must not fail a whole run. A test
 * that passes only then is named at the end; it is faulty and has to be corrected.
 * The output of failed tests is repeated at the end. The last line is `N passed, N failed`; the exit status is 0 only
 * if at least one test passed and none failed.
 */

/** More than the number of cores, since many tests wait for a lease or a pause. A browser has several processes. */
const PROCESSES =
  process.env[NODES_VARIABLE] || process.argv.includes('--browser')
    ? 3
    : Math.min(6, availableParallelism() + 4);
/** Time limit of a test: a hundred times what most need, for machines that are slow or busy. */
const TIMEOUT_MS = 120_000;
/** Time limit of a test whose servers are several processes each. */
const NODES_TIMEOUT_MS = 180_000;
/** Durations of the files, so that the slowest start first; `npm test -- --update-timings` measures them. */
const TIMINGS = 'test/timings.json';
/** The tests that need a browser. */
const BROWSER_TESTS = 'test/browser/';
/** Length of the kept output; enough for the summary at its end. */
const TAIL_KEPT = 4_000;
/** Maximum number of files that run once more. More failures are not caused by a busy machine. */
const REPEATED_FILES = 6;

interface Summary {
  status: number;
  passed: number;
  failed: number;
  failures: Failures;
}

/** Returns the arguments of `bun test` that select tests by name. */
function namesIn(words: readonly string[]): string[] {
  const at = words.indexOf('-t');
  return at < 0 ? [] : words.slice(at, at + 2);
}

/** Returns the arguments of `bun test` that select files. */
function selection(words: readonly string[]): string[] {
  const given = words.filter((word) => word !== '--browser');
  if (given.some((word) => /^(?:\.\/)?(?:src|test)\//.test(word))) return given;
  return [
    ...given,
    words.includes('--browser') ? BROWSER_TESTS : `--path-ignore-patterns=${BROWSER_TESTS}**`,
  ];
}

interface Surroundings {
  peers: Peers;
  hosts: Hosts;
  /** Path of the SQLite database from which the databases of tests are copied. */
  sqlite: string;
  stop: AbortSignal;
}

async function runTests(
  words: readonly string[],
  { peers, hosts, sqlite, stop }: Surroundings,
): Promise<Summary> {
  const timeout = process.env[NODES_VARIABLE] ? NODES_TIMEOUT_MS : TIMEOUT_MS;
  const tests = Bun.spawn([process.execPath, 'test', `--timeout=${timeout}`, ...words], {
    cwd: join(import.meta.dir, '..'),
    env: {
      ...process.env,
      ...HTTP_REQUESTS,
      POSTHOUSE_TEST_POSTGRES: peers.postgresUrl,
      POSTHOUSE_TEST_S3: peers.s3Endpoint,
      [SQLITE_VARIABLE]: sqlite,
      [HOSTS_VARIABLE]: hosts.directory,
    },
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'pipe',
  });
  stop.addEventListener('abort', () => tests.kill('SIGTERM'), { once: true });
  const decoder = new TextDecoder();
  const failures = createFailures();
  let tail = '';
  for await (const chunk of tests.stderr) {
    process.stderr.write(chunk);
    const text = decoder.decode(chunk, { stream: true });
    failures.read(text);
    tail = (tail + text).slice(-TAIL_KEPT);
  }
  const status = await tests.exited;
  // An aborted run has no summary, and must not look like one without failures.
  const failed = countOf(tail, 'fail') + countOf(tail, 'error');
  return {
    status,
    passed: countOf(tail, 'pass'),
    failed: status !== 0 && failed === 0 ? 1 : failed,
    failures,
  };
}

/** Runs the files of failed tests once more, and returns the counts of both runs together. */
async function repeatFailed(first: Summary, surroundings: Surroundings): Promise<Summary> {
  const { files, count } = first.failures.found();
  // An error outside of tests has no file: it follows from a test that exceeded its time, or stays an error.
  if (count === 0 || surroundings.stop.aborted || files.length > REPEATED_FILES) return first;
  process.stdout.write(`Once more: ${files.join(', ')}\n`);
  // One process for each file: a module that two of them import would be cleaned up after the first.
  const seconds: Summary[] = [];
  for (const file of files) {
    seconds.push(await runTests([...namesIn(process.argv), `./${file}`], surroundings));
  }
  const failed = seconds.reduce((sum, second) => sum + second.failed, 0);
  if (failed === 0) process.stdout.write(`Passed only when repeated:\n${first.failures.report()}\n`);
  return {
    ...first,
    status: Math.max(...seconds.map((second) => second.status)),
    passed: first.passed + count - failed,
    failed,
    failures: { ...first.failures, report: () => reportOf(seconds) },
  };
}

function reportOf(summaries: readonly Summary[]): string {
  return summaries
    .map(({ failures }) => failures.report())
    .filter((report) => report !== '')
    .join('\n\n');
}

/** Returns the number before `word` on the last line with only these two. */
function countOf(text: string, word: string): number {
  const plain = Bun.stripANSI(text);
  return Number([...plain.matchAll(new RegExp(`^\\s*(\\d+) ${word}s?$`, 'gm'))].at(-1)?.[1] ?? 0);
}

const [peers, hosts] = await Promise.all([startPeers(), startHosts(PROCESSES)]);
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // The PostgreSQL library would exit this process before the tests and the other peers have ended.
  process.removeAllListeners(signal);
  process.once(signal, () => interrupted.abort());
}
const directory = mkdtempSync(join(tmpdir(), 'posthouse-run-'));
const sqlite = join(directory, 'migrated.sqlite');
const surroundings = { peers, hosts, sqlite, stop: interrupted.signal };
const options = [`--parallel=${PROCESSES}`, `--timings=${TIMINGS}`];
let crashed = 0;
const { status, passed, failed, failures } = await createMigratedSqlite(sqlite)
  .then(() => runTests([...options, ...selection(process.argv.slice(2))], surroundings))
  .then((first) => (first.failed > 0 ? repeatFailed(first, surroundings) : first))
  .finally(async () => {
    crashed = await hosts.stop();
    await peers.stop();
  })
  .finally(() => rmSync(directory, { recursive: true, force: true }));
const report = failures.report();
if (report !== '') process.stdout.write(`Failures:\n${report}\n`);
if (crashed > 0) process.stdout.write(`A process with servers ended ${crashed} times.\n`);
process.stdout.write(`${passed} passed, ${failed + crashed} failed\n`);
process.exit(status === 0 && passed > 0 && failed + crashed === 0 ? 0 : 1);
