import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Subprocess } from 'bun';
import type { CommandResult } from './command.ts';
import { resultOf } from './result-of.ts';
import { sharedDirectory } from './shared.ts';

/** The program: its bundle, if there is one of the current sources, or the sources. */
export const MAIN = join(import.meta.dir, '../../src/start.ts');
export const READY = /(?:ready at |"url":")(http:\/\/[^\s"]+)/;

/** A running server. */
export interface Posthouse {
  /** URL of the listening socket. */
  url: string;
  settings: Record<string, string>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Returns everything printed, on both outputs. */
  output(): string;
  /** Stops it as SIGTERM does; returns the exit status. */
  stop(): Promise<number>;
}

/** A server that runs in a separate process, as in production. */
export interface PosthouseProcess extends Posthouse {
  pid: number;
  /** Resolves with its exit status. */
  exited: Promise<number>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
}

const running = new Set<Subprocess>();

/** Kills all servers started by this process. */
export async function killAll(): Promise<void> {
  for (const process of running) process.kill('SIGKILL');
  await Promise.all([...running].map((process) => process.exited));
}

/**
 * Starts a server on a free port with these arguments of Bun, and waits until it is ready.
 * @param wrapper a program that starts Bun, with its arguments
 */
export async function startProgram(
  words: string[],
  settings: Record<string, string>,
  wrapper: string[] = [],
): Promise<PosthouseProcess> {
  shareWebApp(settings.POSTHOUSE_DATA_DIR);
  const child = Bun.spawn([...wrapper, process.execPath, ...words], {
    env: environment({ PORT: '0', ...settings }),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  running.add(child);
  let printed = '';
  let isReady = false;
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
  const gather = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      printed += decoder.decode(chunk, { stream: true });
      // The log of a long test has megabytes.
      const url = isReady ? undefined : READY.exec(printed)?.[1];
      if (!url) continue;
      isReady = true;
      resolve(url);
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
    exited: child.exited,
    settings,
    fetch: (path, init) => fetch(new URL(path, url), { redirect: 'manual', keepalive: false, ...init }),
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

/** All servers of the tests share one build of the web app; builds are stored under a hash of their sources. */
export function shareWebApp(dataDir: string | undefined): void {
  if (dataDir === undefined || existsSync(join(dataDir, 'web'))) return;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  symlinkSync(sharedDirectory('web'), join(dataDir, 'web'));
}

/** Runs a command in a separate process with the settings of a server (which may be running). */
export async function spawnCommand(
  settings: Record<string, string>,
  ...words: string[]
): Promise<CommandResult> {
  return await pipeInto(settings, '', words);
}

/** Runs a command like `spawnCommand`, with `input` as its standard input. */
export async function pipeInto(
  settings: Record<string, string>,
  input: string,
  words: readonly string[],
): Promise<CommandResult> {
  const child = Bun.spawn([process.execPath, MAIN, ...words], {
    env: environment(settings),
    stdin: Buffer.from(input),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  return await resultOf(child);
}

/** Maximum number of HTTP requests that a process sends at the same time, as in `bin/posthouse`. */
export const HTTP_REQUESTS = { BUN_CONFIG_MAX_HTTP_REQUESTS: '20000' };

/** Variables of this process that servers and commands have too; `scripts/test` sets the second one. */
const PASSED_ON = ['TMPDIR', 'BUN_JSC_useFTLJIT'];

/** Returns the environment of this process without the settings of a developer's Posthouse. */
export function environment(settings: Record<string, string>): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  const more = PASSED_ON.flatMap((name) => {
    const value = process.env[name];
    return value ? [[name, value]] : [];
  });
  return { PATH, HOME, ...Object.fromEntries(more), ...HTTP_REQUESTS, ...settings };
}
