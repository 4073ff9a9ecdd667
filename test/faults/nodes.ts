import { join } from 'node:path';
import { MAIN, type PosthouseProcess, startProgram } from '../harness/process.ts';
import { openRoundRobin } from '../harness/round-robin.ts';

/** Nodes of one installation behind a proxy, which passes each request to the next one that runs. */
export interface Nodes {
  /** URL of the proxy. */
  url: string;
  /** Number of nodes, including those that do not run. */
  count: number;
  running(): PosthouseProcess[];
  kill(index: number): Promise<void>;
  /** Starts a node that was killed, or restarts one. @param clockOffsetMs of its clock from that of the machine */
  start(index: number, clockOffsetMs?: number): Promise<void>;
  stop(): Promise<void>;
}

const SKEWED = ['--preload', join(import.meta.dir, '../harness/skewed-clock.ts')];

export async function startNodes(count: number, settings: Record<string, string>): Promise<Nodes> {
  // Each node listens at the port of the proxy on a separate address, so that all have the same public URL.
  const hosts = Array.from({ length: count }, (_, index) => `127.0.0.${index + 2}`);
  const proxy = await openRoundRobin(hosts);
  const nodes = new Map<number, PosthouseProcess>();
  const { POSTHOUSE_DATA_DIR: dataDir = '' } = settings;

  async function start(index: number, clockOffsetMs = 0): Promise<void> {
    await nodes.get(index)?.stop();
    const words = [...(clockOffsetMs === 0 ? [] : SKEWED), MAIN, 'serve'];
    const node = await startProgram(words, {
      ...settings,
      HOST: hosts[index] ?? '',
      PORT: String(proxy.port),
      POSTHOUSE_DATA_DIR: index === 0 ? dataDir : join(dataDir, `node-${index + 1}`),
      TEST_CLOCK_OFFSET_MS: String(clockOffsetMs),
    });
    nodes.set(index, node);
  }

  await Promise.all(hosts.map((_, index) => start(index)));
  return {
    url: proxy.url,
    count,
    running: () => [...nodes.values()],
    async kill(index) {
      await nodes.get(index)?.kill();
      nodes.delete(index);
    },
    start,
    async stop() {
      await Promise.all([...nodes.values()].map((node) => node.stop()));
      await proxy.close();
    },
  };
}
