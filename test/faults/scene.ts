import { addPerson } from '../harness/accounts.ts';
import { type FaultProxy, openFaultProxy } from '../harness/fault-proxy.ts';
import { mountDisk } from './disk.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { type Nodes, startNodes } from './nodes.ts';
import type { Scene } from './outages.ts';
import type { PooledEngines } from './pooled-engines.ts';
import { storeFile } from './uploads.ts';

/** A running scene. */
export interface OpenScene {
  scene: Scene;
  settings: Record<string, string>;
  /** Credentials of an account. */
  headers: Record<string, string>;
  /** The files of this account. */
  ledger: Ledger;
  stop(): Promise<void>;
}

const NODES = 3;
const LARGE_BYTES = 8_000_000;
/** Less than a third of the small disk, which contains as much of the trash, and files that are being erased. */
const QUOTA_BYTES = 150_000_000;

/**
 * Starts nodes on a small disk, or several of them over PostgreSQL and S3, with proxies in front of the servers that
 * `settings` name.
 */
export async function openScene(
  settings: Record<string, string>,
  pooled: PooledEngines | null,
): Promise<OpenScene> {
  // Deleted files leave the trash every ten minutes, and earlier when it is as large as the quota.
  const all: Record<string, string> = {
    ...settings,
    POSTHOUSE_TRASH_DAYS: '0',
    POSTHOUSE_WORKSPACE_BYTES: String(QUOTA_BYTES),
  };
  const proxies: FaultProxy[] = [];
  const open = async (url: URL) => {
    const proxy = await openFaultProxy(Number(url.port));
    proxies.push(proxy);
    url.port = String(proxy.port);
    return proxy;
  };
  const openPeer = async (setting: string) => {
    const url = new URL(settings[setting] ?? '');
    const proxy = await open(url);
    all[setting] = url.href;
    return proxy;
  };

  const isCluster = settings.POSTHOUSE_DATABASE_URL !== undefined;
  const database = isCluster ? await openPeer('POSTHOUSE_DATABASE_URL') : null;
  const s3 = isCluster ? await openS3(all, open) : null;
  const smtp = await openPeer('POSTHOUSE_SMTP_URL');
  const discord = await openPeer('POSTHOUSE_DISCORD_API_URL');
  const telegram = await openPeer('POSTHOUSE_TELEGRAM_API_URL');
  const disk = isCluster ? null : mountDisk();
  if (disk) all.POSTHOUSE_DATA_DIR = disk.dataDir;

  let nodes: Nodes | null = null;
  const stop = async () => {
    await nodes?.stop();
    await Promise.all(proxies.map((proxy) => proxy.stop()));
    disk?.unmount();
  };
  try {
    nodes = await startNodes(isCluster ? NODES : 1, all);
    const { headers } = await addPerson(all, 'ada@example.org');
    const ledger = createLedger();
    const largeFile = await storeFile({ url: nodes.url, headers, ledger }, LARGE_BYTES);
    const { Authorization: authorization = '' } = headers;
    const several = isCluster ? nodes : null;
    const peers = { database, s3, smtp, discord, telegram, pooled };
    const scene = { ...peers, disk, nodes, several, authorization, largeFile };
    return { scene, settings: all, headers, ledger, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openS3(
  settings: Record<string, string>,
  open: (url: URL) => Promise<FaultProxy>,
): Promise<FaultProxy> {
  const url = new URL(settings.POSTHOUSE_S3_URL ?? '');
  const endpoint = new URL(url.searchParams.get('endpoint') ?? '');
  const proxy = await open(endpoint);
  url.searchParams.set('endpoint', endpoint.origin);
  settings.POSTHOUSE_S3_URL = url.href;
  return proxy;
}
