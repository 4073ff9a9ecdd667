import { test } from 'bun:test';

/** Runs a program in UTC and UTF-8; returns its output. @throws Error with its output when it fails */
export async function runProgram(...words: string[]): Promise<string> {
  const child = Bun.spawn(words, {
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, LC_ALL: 'C.UTF-8', TZ: 'UTC' },
  });
  const [out, err, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (status !== 0) throw new Error(`${words[0]} ended with status ${status}: ${out}${err}`);
  return out;
}

/** Defines a test that needs an optional program. If the program is missing, the test is skipped and named so. */
export function testWith(program: string, name: string, body: () => Promise<void>): void {
  if (Bun.which(program) !== null) test(`${program}: ${name}`, body);
  else test(`skipped, since ${program} is not installed: ${name}`, () => {});
}
