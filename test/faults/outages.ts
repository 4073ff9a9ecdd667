import type { FaultProxy } from '../harness/fault-proxy.ts';
import { openIdle, openReaders, openWriters } from './connections.ts';
import type { Disk } from './disk.ts';
import type { Nodes } from './nodes.ts';
import type { PooledEngines } from './pooled-engines.ts';

/** The systems that can fail; null = missing. */
export interface Scene {
  database: FaultProxy | null;
  s3: FaultProxy | null;
  smtp: FaultProxy;
  discord: FaultProxy;
  telegram: FaultProxy;
  /** PgBouncer and PostgreSQL themselves, when the nodes use both. */
  pooled: PooledEngines | null;
  disk: Disk | null;
  nodes: Nodes;
  /** `nodes`, if there are several. */
  several: Nodes | null;
  /** Header field of the owner of `largeFile`. */
  authorization: string;
  /** Path of a file of several MB. */
  largeFile: string;
}

/** A failure that ends. */
export interface Outage {
  name: string;
  /** The part of the scene that fails; the outage cannot happen without it. */
  needs?: keyof typeof MISSING;
  /** Maximum duration; the run may choose a shorter one. */
  limitMs?: number;
  /** Whether connections of clients may break, after which the result of a request is unknown. */
  cuts?: true;
  /** Starts the outage. Returns a function that ends it; undefined = there is nothing that can fail. */
  begin(scene: Scene): Promise<(() => Promise<void>) | undefined>;
}

const SKEW_MS = 120_000;
const IDLE = 6_000;
const SLOW = 100;
/** Why a part may be missing. */
export const MISSING = {
  database: 'SQLite is in the process',
  s3: 'files are on a disk',
  several: 'SQLite has one node',
  pooled: 'they have a run of their own, “pooled”',
  disk: 'S3 has no disk, and mounting a small one needs root',
} satisfies Partial<Record<keyof Scene, string>>;

export const OUTAGES: readonly Outage[] = [
  { name: 'database refuses', needs: 'database', begin: ({ database }) => refuse(database) },
  { name: 'database hangs', needs: 'database', begin: ({ database }) => hang(database) },
  {
    name: 'database loses bytes',
    needs: 'database',
    limitMs: 2_000,
    begin: ({ database }) => swallow(database),
  },
  { name: 'database restarts', needs: 'database', limitMs: 3_000, begin: ({ database }) => refuse(database) },
  {
    name: 'PgBouncer restarts',
    needs: 'pooled',
    limitMs: 1_000,
    async begin({ pooled }) {
      await pooled?.pooler.stop();
      return pooled?.pooler.start;
    },
  },
  {
    name: 'PostgreSQL restarts',
    needs: 'pooled',
    limitMs: 0,
    begin: ({ pooled }) => restart(pooled, 'fast'),
  },
  {
    name: 'PostgreSQL crashes',
    needs: 'pooled',
    limitMs: 0,
    begin: ({ pooled }) => restart(pooled, 'immediate'),
  },
  { name: 'S3 refuses', needs: 's3', begin: ({ s3 }) => refuse(s3) },
  { name: 'S3 hangs', needs: 's3', begin: ({ s3 }) => hang(s3) },
  { name: 'S3 loses bytes', needs: 's3', limitMs: 2_000, begin: ({ s3 }) => swallow(s3) },
  { name: 'S3 restarts', needs: 's3', limitMs: 3_000, begin: ({ s3 }) => refuse(s3) },
  { name: 'SMTP hangs', begin: ({ smtp }) => hang(smtp) },
  { name: 'Discord hangs', begin: ({ discord }) => hang(discord) },
  { name: 'Telegram hangs', begin: ({ telegram }) => hang(telegram) },
  {
    name: 'disk full',
    needs: 'disk',
    async begin({ disk }) {
      await disk?.fill();
      return disk?.makeRoom;
    },
  },
  {
    name: 'files read-only',
    needs: 'disk',
    async begin({ disk }) {
      await disk?.protect();
      return disk?.unprotect;
    },
  },
  {
    name: 'a node is killed',
    cuts: true,
    async begin({ nodes }) {
      await nodes.kill(nodes.count - 1);
      return () => nodes.start(nodes.count - 1);
    },
  },
  { name: 'a clock is ahead', needs: 'several', cuts: true, begin: ({ several }) => skew(several, SKEW_MS) },
  {
    name: 'a clock is behind',
    needs: 'several',
    cuts: true,
    begin: ({ several }) => skew(several, -SKEW_MS),
  },
  { name: '6,000 idle connections', begin: ({ nodes }) => openIdle(urlsOf(nodes), IDLE) },
  {
    name: '100 slow readers',
    begin: ({ nodes, largeFile, authorization }) =>
      openReaders(urlsOf(nodes), SLOW, `${largeFile} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}`),
  },
  {
    name: '100 slow writers',
    begin: ({ nodes, authorization }) =>
      openWriters(
        urlsOf(nodes),
        SLOW,
        `/api/storage/files/root HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n` +
          'Content-Type: multipart/form-data; boundary=x',
      ),
  },
];

async function refuse(proxy: FaultProxy | null) {
  await proxy?.refuse();
  return proxy?.heal;
}

async function restart(pooled: PooledEngines | null, mode: 'fast' | 'immediate') {
  await pooled?.postgres.restart(mode);
  return async () => {};
}

async function hang(proxy: FaultProxy | null) {
  proxy?.hang();
  return proxy?.heal;
}

async function swallow(proxy: FaultProxy | null) {
  proxy?.swallow();
  return proxy?.heal;
}

async function skew(nodes: Nodes | null, ms: number) {
  await nodes?.start(nodes.count - 1, ms);
  return nodes ? () => nodes.start(nodes.count - 1) : undefined;
}

function urlsOf(nodes: Nodes): string[] {
  return nodes.running().map(({ url }) => url);
}
