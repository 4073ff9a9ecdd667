import { chownSync, mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from './peers.ts';
import { runProgram, startProgram } from './programs.ts';

/** PgBouncer in transaction mode. */
export interface Pooler {
  /** Returns the URL of a database behind it. */
  urlOf(databaseUrl: string): string;
  /** Stops it at once, which breaks all connections. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

const USER = 'postgres';

/** Returns the settings of PgBouncer that the documentation recommends. */
export async function documentedPooler(): Promise<string> {
  const operation = await Bun.file(join(import.meta.dir, '../../docs/operation.md')).text();
  const [, settings] = /```ini\n(pool_mode[^`]*)```/.exec(operation) ?? [];
  if (!settings) throw new Error('the documentation has no settings of PgBouncer');
  return settings;
}

/**
 * Starts PgBouncer in front of a PostgreSQL server.
 * @param documented settings of `[pgbouncer]` that the documentation recommends
 */
export async function startPooler(
  directory: string,
  postgresUrl: string,
  documented: string,
): Promise<Pooler> {
  const { hostname, port: target, username, password } = new URL(postgresUrl);
  const port = await freePort();
  const file = join(directory, 'pgbouncer.ini');
  mkdirSync(directory, { recursive: true });
  await Bun.write(
    file,
    `[databases]
* = host=${hostname} port=${target} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
logfile = ${join(directory, 'log')}
${documented}
`,
  );
  // It does not run as root.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(directory, Number(await runProgram('id', '-u', USER)), 0);
  const start = () =>
    startProgram(['pgbouncer', '--quiet', ...(isRoot ? ['-u', USER] : []), file], directory, () =>
      isListening(port),
    );
  let running: Awaited<ReturnType<typeof start>> | null = await start();
  return {
    urlOf: (databaseUrl) => Object.assign(new URL(databaseUrl), { port: String(port) }).href,
    async stop() {
      await running?.[Symbol.asyncDispose]();
      running = null;
    },
    async start() {
      running ??= await start();
    },
  };
}

function isListening(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1', () => resolve(true));
  socket.on('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}
