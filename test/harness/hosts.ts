import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Subprocess } from 'bun';
import { environment } from './process.ts';

/** Directory with the sockets of the hosts of a whole run, named by the numbers of the processes with the tests. */
export const HOSTS_VARIABLE = 'POSTHOUSE_TEST_HOSTS';

/** Maximum number of restarts; hosts that end more often cannot run. */
const RESTARTS = 20;

/** Processes that run servers (`host.ts`). */
export interface Hosts {
  directory: string;
  /** Kills them, with their servers. Returns how often one had ended before, which is an error of a server. */
  stop(): Promise<number>;
}

/** Starts hosts with the sockets `1` to `count`, and starts one again when it ends. */
export async function startHosts(count: number): Promise<Hosts> {
  const directory = mkdtempSync(join(tmpdir(), 'posthouse-hosts-'));
  const sockets = Array.from({ length: count }, (_, index) => join(directory, String(index + 1)));
  const running = new Map<string, Subprocess>();
  let ended = 0;
  let stopping = false;

  async function start(socket: string): Promise<void> {
    rmSync(socket, { force: true });
    const host = Bun.spawn([process.execPath, join(import.meta.dir, 'host.ts'), socket], {
      env: environment({}),
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'inherit',
    });
    running.set(socket, host);
    void host.exited.then(async () => {
      if (stopping) return;
      ended++;
      if (ended <= RESTARTS) await start(socket);
    });
    for await (const _ of host.stdout) break;
  }

  await Promise.all(sockets.map(start));
  return {
    directory,
    async stop() {
      stopping = true;
      for (const host of running.values()) host.kill('SIGKILL');
      await Promise.all([...running.values()].map((host) => host.exited));
      rmSync(directory, { recursive: true, force: true });
      return ended;
    },
  };
}
