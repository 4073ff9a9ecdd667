import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Peers, startPeers } from './harness/peers.ts';

/*
 * Runs every test, or those whose files the arguments name, beside one PostgreSQL and one S3 server.
 * The last line is `N passed, N failed`; the exit status is 0 only when something passed and nothing failed.
 */

/** One more than there are cores: many tests wait for a lease or a pause to end. */
const PROCESSES = Math.min(4, availableParallelism() + 1);
const TIMEOUT_MS = 60_000;
/** Enough for the summary at the end of what the tests print. */
const TAIL_KEPT = 4_000;

interface Summary {
  status: number;
  passed: number;
  failed: number;
}

async function runTests(peers: Peers, paths: readonly string[], stop: AbortSignal): Promise<Summary> {
  const tests = Bun.spawn([process.execPath, 'test', `--parallel=${PROCESSES}`, `--timeout=${TIMEOUT_MS}`, ...paths], {
    cwd: join(import.meta.dir, '..'),
    env: { ...process.env, POSTHOUSE_TEST_POSTGRES: peers.postgresUrl, POSTHOUSE_TEST_S3: peers.s3Endpoint },
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'pipe',
  });
  stop.addEventListener('abort', () => tests.kill('SIGTERM'), { once: true });
  const decoder = new TextDecoder();
  let tail = '';
  for await (const chunk of tests.stderr) {
    process.stderr.write(chunk);
    tail = (tail + decoder.decode(chunk, { stream: true })).slice(-TAIL_KEPT);
  }
  const status = await tests.exited;
  // A run that was cut off has no summary, and must not look like one without failures.
  const failed = countOf(tail, 'fail') + countOf(tail, 'error');
  return { status, passed: countOf(tail, 'pass'), failed: status !== 0 && failed === 0 ? 1 : failed };
}

/** The number that stands before `word` on a line of its own, the last one that does. */
function countOf(text: string, word: string): number {
  const plain = Bun.stripANSI(text);
  return Number([...plain.matchAll(new RegExp(`^\\s*(\\d+) ${word}s?$`, 'gm'))].at(-1)?.[1] ?? 0);
}

const peers = await startPeers();
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // The library that runs PostgreSQL would end this process before the tests and the other peers have ended.
  process.removeAllListeners(signal);
  process.once(signal, () => interrupted.abort());
}
const { status, passed, failed } = await runTests(peers, process.argv.slice(2), interrupted.signal).finally(() => peers.stop());
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(status === 0 && passed > 0 && failed === 0 ? 0 : 1);
