import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { SETTINGS } from '../../src/config/settings.ts';
import { HOSTS_VARIABLE, type Hosts, startHosts } from './hosts.ts';
import { type Posthouse, READY, shareWebApp } from './process.ts';

const GRACE_MS = 30_000;

let own: Promise<Hosts> | undefined;
const running = new Set<Hosted>();

interface Hosted {
  stop(graceMs: number): Promise<number>;
}

/** Stops all servers that this process has started, without waiting for their requests. */
export async function stopAllHosted(): Promise<void> {
  await Promise.all([...running].map((server) => server.stop(0)));
  // Another file of the same process starts its own.
  const host = await own;
  own = undefined;
  await host?.stop();
}

/** Starts a server in the host of this process, and waits until it is ready. */
export async function startHosted(settings: Record<string, string>): Promise<Posthouse> {
  const foreign = Object.keys(settings).find((given) => !SETTINGS.some(({ name }) => name === given));
  if (foreign) throw new Error(`${foreign} is not a setting: use startProcess for other variables`);
  shareWebApp(settings.POSTHOUSE_DATA_DIR);
  const connection = connect(await socketOfHost());
  connection.write(`${JSON.stringify({ PORT: '0', ...settings })}\n`);
  let printed = '';
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
  const ended = readAll(connection, (text) => {
    printed += text;
    const url = READY.exec(text)?.[1];
    if (url) resolve(url);
  });
  const server: Hosted = {
    async stop(graceMs) {
      if (connection.writable) connection.write(`${graceMs}\n`);
      return await ended;
    },
  };
  running.add(server);
  void ended.then((status) => {
    running.delete(server);
    reject(new Error(`the server ended with status ${status} before it was ready:\n${printed}`));
  });
  const url = await ready;
  return {
    url,
    settings,
    fetch: (path, init) => fetch(new URL(path, url), { redirect: 'manual', keepalive: false, ...init }),
    output: () => printed,
    stop: () => server.stop(GRACE_MS),
  };
}

/** Passes on the output of a server, and returns its exit status; 1 = its host ended first. */
async function readAll(connection: Socket, print: (text: string) => void): Promise<number> {
  let status = 1;
  const lines = createInterface({ input: connection });
  // The end without a status is the error.
  connection.on('error', () => lines.close());
  for await (const line of lines) {
    const answer = JSON.parse(line) as { printed?: string; status?: number };
    if (answer.printed !== undefined) print(answer.printed);
    if (answer.status !== undefined) status = answer.status;
  }
  return status;
}

/** The host of this process in the whole run (see `run.ts`), or a new one when a file is run alone. */
async function socketOfHost(): Promise<string> {
  const { [HOSTS_VARIABLE]: directory, BUN_TEST_WORKER_ID: worker } = process.env;
  if (directory && worker) return join(directory, worker);
  own ??= startHosts(1);
  return join((await own).directory, '1');
}
