import { join } from 'node:path';
import { startHosted } from './hosted.ts';
import { MAIN, type Posthouse, type PosthouseProcess, startProgram } from './process.ts';
import { openRoundRobin } from './round-robin.ts';

type Settings = Record<string, string>;

/** Number of nodes of each server over PostgreSQL and S3. */
export const NODES_VARIABLE = 'POSTHOUSE_TEST_NODES';

/**
 * Starts a server on a free port and waits until it is ready. It shares a process with others (see `host.ts`), which
 * saves most of the time of a start. In a run of `npm run test:nodes`, starts several nodes behind a proxy instead.
 */
export async function startPosthouse(settings: Settings): Promise<Posthouse> {
  return nodesOf(settings) === 1 ? await startHosted(settings) : await startProcess(settings);
}

/** Starts a server in a separate process, for tests that kill it or check its signals, output or memory. */
export async function startProcess(settings: Settings, ...flags: string[]): Promise<PosthouseProcess> {
  const words = [MAIN, 'serve', ...flags];
  const nodes = nodesOf(settings);
  return nodes === 1 ? await startProgram(words, settings) : await startNodes(nodes, words, settings);
}

function nodesOf(settings: Settings): number {
  const isAlone = settings.PORT !== undefined || !settings.POSTHOUSE_S3_URL;
  return isAlone ? 1 : Number(process.env[NODES_VARIABLE] ?? 1);
}

/** Starts nodes of one installation behind a proxy that sends each request to the next one. */
async function startNodes(count: number, words: string[], settings: Settings): Promise<PosthouseProcess> {
  // Each node has the port of the proxy on a separate address, so that all have the same public URL.
  const hosts = Array.from({ length: count }, (_, index) => `127.0.0.${index + 2}`);
  const proxy = await openRoundRobin(hosts);
  const { POSTHOUSE_DATA_DIR: dataDir = '' } = settings;
  const start = (HOST: string, index: number) =>
    startProgram(words, {
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
