import { test } from 'bun:test';

/** Runs a program of this machine in UTC and UTF-8; gives what it printed. @throws Error with its output when it fails */
export async function runProgram(...words: string[]): Promise<string> {
  const child = Bun.spawn(words, { stdout: 'pipe', stderr: 'pipe', env: { ...process.env, LC_ALL: 'C.UTF-8', TZ: 'UTC' } });
  const [out, err, status] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited]);
  if (status !== 0) throw new Error(`${words[0]} ended with status ${status}: ${out}${err}`);
  return out;
}

/** A test that asks a program which not every machine has. Where it is absent the test's name says so, and nothing is claimed. */
export function testWith(program: string, name: string, body: () => Promise<void>): void {
  if (Bun.which(program) !== null) test(`${program}: ${name}`, body);
  else test(`${program} is not on this machine, so it was not asked: ${name}`, () => {});
}
