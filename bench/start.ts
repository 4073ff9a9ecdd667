import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../test/harness/peers.ts';
import { environment } from '../test/harness/process.ts';
import { readOptions } from './lib/options.ts';
import { finish, print, record } from './lib/report.ts';
import { spread } from './lib/statistics.ts';

/*
 * Measures the time from the start of `bin/posthouse serve` to the first 200 of `GET /healthz`, on SQLite with an
 * existing database: `npm run bench -- start`. The first start, which creates the database, does not count.
 */

const { rounds: ROUNDS } = readOptions('start');
const TARGET_MS = 300;
/** Pause between two attempts: an immediate one would use the cores that the server needs. */
const PAUSE_MS = 2;
const ROOT = join(import.meta.dir, '..');

/** Starts a server; returns the milliseconds until it is healthy. */
async function start(settings: Record<string, string>): Promise<number> {
  const port = await freePort();
  const begun = performance.now();
  const child = Bun.spawn([join(ROOT, 'bin/posthouse'), 'serve'], {
    env: environment({ ...settings, PORT: String(port) }),
    stdout: 'ignore',
    stderr: 'inherit',
  });
  try {
    while (!(await isHealthy(port))) {
      if (child.exitCode !== null) throw new Error(`the server ended with status ${child.exitCode}`);
      await Bun.sleep(PAUSE_MS);
    }
    return performance.now() - begun;
  } finally {
    child.kill('SIGTERM');
    await child.exited;
  }
}

async function isHealthy(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { keepalive: false });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    // Nothing listens yet.
    return false;
  }
}

// A checkout whose sources changed since the packages were installed has no bundle of them.
const build = Bun.spawn([process.execPath, 'scripts/build.ts'], { cwd: ROOT, stdout: 'ignore' });
if ((await build.exited) !== 0) throw new Error('the build failed');
const directory = mkdtempSync(join(tmpdir(), 'posthouse-bench-'));
try {
  const settings = { POSTHOUSE_DATA_DIR: directory, POSTHOUSE_LOG_LEVEL: 'warn' };
  const cold = await start(settings);
  const times: number[] = [];
  while (times.length < ROUNDS) times.push(await start(settings));
  const [middle, least, most] = spread(times);
  const missing = `over by ${((middle / TARGET_MS - 1) * 100).toFixed(0)} %`;
  print(`from the start of the program to the first response, median of ${ROUNDS}`);
  print(
    `  ${middle.toFixed(0)} ms (${least.toFixed(0)} to ${most.toFixed(0)}), target ${TARGET_MS} ms: ${middle <= TARGET_MS ? 'reached' : missing}`,
  );
  print(`  ${cold.toFixed(0)} ms with a new database`);
  record('start', { ms: [middle, least, most], newDatabaseMs: cold, target: TARGET_MS });
  finish('start');
} finally {
  rmSync(directory, { recursive: true, force: true });
}
