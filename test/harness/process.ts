import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Subprocess } from 'bun';
import type { CommandResult } from './command.ts';
import { openRoundRobin } from './round-robin.ts';
import { sharedDirectory } from './shared.ts';

/** The program: its bundle, if there is one of the current sources, or the sources. */
export const MAIN = join(import.meta.dir, '../../src/start.ts');
/** Number of nodes of each server over PostgreSQL and S3. */
export const NODES_VARIABLE = 'POSTHOUSE_TEST_NODES';
const READY = /(?:ready at |"url":")(http:\/\/[^\s"]+)/;

/** A server in a separate process, as an operator runs it. */
export interface Posthouse {
  /** URL of the listening socket. */
  url: string;
  pid: number;
  settings: Record<string, string>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Returns everything printed, on both outputs. */
  output(): string;
  /** Sends SIGTERM; returns the exit status. */
  stop(): Promise<number>;
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
 * Starts a server on a free port and waits until it is ready. In a run of `npm run test:nodes`, starts several nodes
 * behind a proxy instead.
 */
export async function startPosthouse(
  settings: Record<string, string>,
  ...flags: string[]
): Promise<Posthouse> {
  const words = [MAIN, 'serve', ...flags];
  const count = Number(process.env[NODES_VARIABLE] ?? 1);
  if (count === 1 || settings.PORT !== undefined || !settings.POSTHOUSE_S3_URL)
    return await startProgram(words, settings);
  return await startNodes(count, words, settings);
}

/** Starts nodes of one installation behind a proxy that sends each request to the next one. */
async function startNodes(
  count: number,
  words: string[],
  settings: Record<string, string>,
): Promise<Posthouse> {
  // Each node has the port of the proxy on a separate address, so that all have the same public URL.
  const hosts = Array.from({ length: count }, (_, index) => `127.0.0.${index + 2}`);
  const proxy = await openRoundRobin(hosts);
  const { POSTHOUSE_DATA_DIR: dataDir = '' } = settings;
  const start = (HOST: string, index: number) =>
    startProgram(words, {
      POSTHOUSE_DATABASE_CONNECTIONS: '4',
      ...settings,
      HOST,
      PORT: String(proxy.port),
      POSTHOUSE_DATA_DIR: index === 0 ? dataDir : join(dataDir, `node-${index + 1}`),
    });
  const nodes = await Promise.all(hosts.map(start)).catch(async (error) => {
    await proxy.close();
    throw error;
  });
  const [first] = nodes;
  if (!first) throw new Error('there are no nodes');
  const { url } = proxy;
  return {
    ...first,
    url,
    settings,
    fetch: (path, init) => fetch(new URL(path, url), { redirect: 'manual', keepalive: false, ...init }),
    output: () => nodes.map((node) => node.output().replaceAll(node.url, url)).join(''),
    async stop() {
      const statuses = await Promise.all(nodes.map((node) => node.stop()));
      await proxy.close();
      return Math.max(...statuses);
    },
    async kill() {
      await Promise.all(nodes.map((node) => node.kill()));
      await proxy.close();
    },
  };
}

/** Starts a server as `startPosthouse` does, with other arguments of Bun. */
export async function startProgram(words: string[], settings: Record<string, string>): Promise<Posthouse> {
  shareWebApp(settings.POSTHOUSE_DATA_DIR);
  const child = Bun.spawn([process.execPath, ...words], {
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
function shareWebApp(dataDir: string | undefined): void {
  if (dataDir === undefined || existsSync(join(dataDir, 'web'))) return;
  mkdirSync(dataDir, { recursive: true });
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
  const [stdout, stderr, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { status, stdout, stderr };
}

/** Returns the environment of this process without the settings of a developer's Posthouse. */
function environment(settings: Record<string, string>): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  return { PATH, HOME, ...(TMPDIR ? { TMPDIR } : {}), ...settings };
}
