import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Subprocess } from 'bun';
import { sharedDirectory } from './shared.ts';

const MAIN = join(import.meta.dir, '../../src/main.ts');
const READY = /ready at (http:\/\/\S+)/;

/** A server in a process of its own, as an operator runs it. */
export interface Posthouse {
  /** Where it listens. */
  url: string;
  pid: number;
  settings: Record<string, string>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** All that it has printed, on both outputs. */
  output(): string;
  /** SIGTERM; gives the exit status. */
  stop(): Promise<number>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

const running = new Set<Subprocess>();

/** Ends every server that was started here, at once. */
export async function killAll(): Promise<void> {
  for (const process of running) process.kill('SIGKILL');
  await Promise.all([...running].map((process) => process.exited));
}

/** Starts a server on a free port and waits until it is ready. */
export async function startPosthouse(settings: Record<string, string>): Promise<Posthouse> {
  shareWebApp(settings.POSTHOUSE_DATA_DIR);
  const child = Bun.spawn([process.execPath, MAIN, 'serve'], {
    env: environment({ PORT: '0', ...settings }),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  running.add(child);
  let printed = '';
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
  const gather = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      printed += decoder.decode(chunk, { stream: true });
      const url = READY.exec(printed)?.[1];
      if (url) resolve(url);
    }
  };
  const gathered = Promise.all([gather(child.stdout), gather(child.stderr)]);
  void child.exited.then(async (status) => {
    running.delete(child);
    await gathered;
    reject(new Error(`the server ended with status ${status} before it was ready:\n${printed}`));
  });
  const url = await ready;
  return {
    url,
    pid: child.pid,
    settings,
    fetch: (path, init) => fetch(new URL(path, url), { redirect: 'manual', ...init }),
    output: () => printed,
    async stop() {
      child.kill('SIGTERM');
      const status = await child.exited;
      await gathered;
      return status;
    },
    async kill() {
      child.kill('SIGKILL');
      await child.exited;
    },
  };
}

/** One build of the web app serves all the servers of the tests; builds lie under a hash of what they were made of. */
function shareWebApp(dataDir: string | undefined): void {
  if (dataDir === undefined || existsSync(join(dataDir, 'web'))) return;
  mkdirSync(dataDir, { recursive: true });
  symlinkSync(sharedDirectory('web'), join(dataDir, 'web'));
}

/** Runs a command of the command line with the settings of a server (which may be running). */
export async function runCommand(
  settings: Record<string, string>,
  ...words: string[]
): Promise<{ status: number; stdout: string; stderr: string }> {
  const child = Bun.spawn([process.execPath, MAIN, ...words], { env: environment(settings), stdout: 'pipe', stderr: 'pipe' });
  const [stdout, stderr, status] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited]);
  return { status, stdout, stderr };
}

/** Like `runCommand` with `--json`; gives the object that it printed. */
export async function runJson<Answer>(settings: Record<string, string>, ...words: string[]): Promise<Answer> {
  const { status, stdout, stderr } = await runCommand(settings, ...words, '--json');
  if (status !== 0) throw new Error(`posthouse ${words.join(' ')} ended with status ${status}: ${stderr}`);
  return JSON.parse(stdout) as Answer;
}

/** A person's account with a token for scripts. */
export async function addPerson(settings: Record<string, string>, email: string, password = 'correct horse battery') {
  const { id } = await runJson<{ id: string }>(settings, 'user', 'add', '--email', email, '--password', password);
  const { token } = await runJson<{ token: string }>(settings, 'token', 'add', '--email', email, '--name', 'test');
  return { id, email, password, token, headers: { Authorization: `Bearer ${token}` } };
}

/** The environment of the tests' own process, without any setting of a Posthouse that the developer runs. */
function environment(settings: Record<string, string>): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  return { PATH, HOME, ...(TMPDIR ? { TMPDIR } : {}), ...settings };
}
