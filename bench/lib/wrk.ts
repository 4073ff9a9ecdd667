import { join } from 'node:path';

/** Requests of one path over persistent connections. */
export interface Requests {
  path: string;
  connections: number;
  seconds: number;
  /** Each request is for a range of `length` bytes at a random position in a file of `of` bytes. */
  range?: { length: number; of: number };
  /** Whether the responses are errors, and are counted as `refused`. */
  areRefused?: boolean;
}

/** The results of one run; times in milliseconds. */
export interface Answers {
  requests: number;
  seconds: number;
  bytes: number;
  p50: number;
  p99: number;
  p999: number;
}

const SCRIPT = join(import.meta.dir, 'wrk.lua');

/** Reports whether the load generator wrk is installed (https://github.com/wg/wrk; Debian: the package wrk). */
export function hasWrk(): boolean {
  return Bun.which('wrk') !== null;
}

/**
 * Runs wrk, which needs less CPU than a server.
 * @throws Error when a connection fails, or a response is an unexpected error
 */
export async function runWrk(port: number, requests: Requests): Promise<Answers> {
  const { path, connections, seconds, range, areRefused = false } = requests;
  const words = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', SCRIPT];
  const child = Bun.spawn(['wrk', ...words, `http://127.0.0.1:${port}${path}`], {
    env: {
      PATH: process.env.PATH,
      ...(range && { RANGE_BYTES: String(range.length), FILE_BYTES: String(range.of) }),
    },
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const output = await new Response(child.stdout).text();
  const line = output.split('\n').findLast((text) => text.startsWith('{'));
  if ((await child.exited) !== 0 || line === undefined) throw new Error(`wrk failed:\n${output}`);
  const { failed, refused, ...answers } = JSON.parse(line) as Answers & { failed: number; refused: number };
  if (failed > 0 || refused > 0 !== areRefused)
    throw new Error(`${path}: ${failed} requests failed, and ${refused} of ${answers.requests} were refused`);
  return answers;
}
