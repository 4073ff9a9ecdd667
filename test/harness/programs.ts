import { test } from 'bun:test';
import { resultOf } from './result-of.ts';
import { until } from './until.ts';

/** Debian keeps servers in `sbin`, which is not in the path of every user. */
const PATH = `${process.env.PATH}:/usr/sbin:/sbin`;

/** Runs a program in UTC and UTF-8; returns its output. @throws Error with its output when it fails */
export async function runProgram(...words: string[]): Promise<string> {
  const [program = '', ...rest] = words;
  const child = Bun.spawn([findProgram(program) ?? program, ...rest], {
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC' },
  });
  const { stdout, stderr, status } = await resultOf(child);
  if (status !== 0) throw new Error(`${program} ended with status ${status}: ${stdout}${stderr}`);
  return stdout;
}

/** Returns the path of a program; null = it is not installed. */
export function findProgram(program: string): string | null {
  return Bun.which(program, { PATH });
}

/** Defines a test that needs an optional program. If that is missing, the test is skipped with the reason in its name. */
export function testWith(program: string, name: string, body: () => Promise<void>): void {
  const isMissing = findProgram(program) === null;
  test.skipIf(isMissing)(`${program}${isMissing ? ' (skipped: not installed)' : ''}: ${name}`, body);
}

/**
 * Starts a program that stays in the foreground, and waits until it is ready.
 * @param home its `HOME`
 * @throws Error with its output when it ends instead
 */
export async function startProgram(words: readonly string[], home: string, isReady: () => Promise<boolean>) {
  const [program = '', ...rest] = words;
  const child = Bun.spawn([findProgram(program) ?? program, ...rest], {
    env: { PATH, HOME: home },
    stdout: 'ignore',
    stderr: 'pipe',
  });
  await until(async () => child.exitCode !== null || (await isReady()));
  if (child.exitCode !== null) throw new Error(`${program}: ${await new Response(child.stderr).text()}`);
  return {
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}
