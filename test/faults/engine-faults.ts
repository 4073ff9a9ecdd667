import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FaultProxy, openFaultProxy } from '../harness/fault-proxy.ts';

/** A failure of an engine or a peer that ends. */
export interface EngineFault {
  name: string;
  /** Maximum; null = the time set for the run. */
  limitMs: number | null;
  begin(): Promise<void>;
  end(): Promise<void>;
}

/** Settings of a server whose engines and peers fail on demand. */
export interface Breakable {
  settings: Record<string, string>;
  faults: EngineFault[];
  stop(): Promise<void>;
}

const SWALLOW_MS = 2_000;
const RESTART_MS = 3_000;
const DISK_BYTES = 512 * 1_048_576;

/** Puts proxies in front of the servers that `settings` name, and the data directory on a small disk if possible. */
export async function makeBreakable(
  settings: Record<string, string>,
  skipped: (sentence: string) => void,
): Promise<Breakable> {
  const proxies: FaultProxy[] = [];
  const faults: EngineFault[] = [];
  const all = { ...settings };
  const open = async (url: URL) => {
    const proxy = await openFaultProxy(Number(url.port));
    proxies.push(proxy);
    url.port = String(proxy.port);
    return proxy;
  };

  const databaseUrl = URL.parse(settings.POSTHOUSE_DATABASE_URL ?? '');
  const s3Url = URL.parse(settings.POSTHOUSE_S3_URL ?? '');
  if (databaseUrl && s3Url) {
    faults.push(...faultsOfEngine('database', await open(databaseUrl)));
    const endpoint = new URL(s3Url.searchParams.get('endpoint') ?? '');
    faults.push(...faultsOfEngine('S3', await open(endpoint)));
    s3Url.searchParams.set('endpoint', endpoint.origin);
    all.POSTHOUSE_DATABASE_URL = databaseUrl.href;
    all.POSTHOUSE_S3_URL = s3Url.href;
  }
  for (const [name, setting] of [
    ['SMTP', 'POSTHOUSE_SMTP_URL'],
    ['Discord', 'POSTHOUSE_DISCORD_API_URL'],
  ] as const) {
    const url = new URL(settings[setting] ?? '');
    faults.push(hanging(name, await open(url)));
    all[setting] = url.href;
  }
  const disk = databaseUrl ? null : mountDisk();
  if (disk) {
    all.POSTHOUSE_DATA_DIR = join(disk.directory, 'data');
    mkdirSync(all.POSTHOUSE_DATA_DIR);
    faults.push(full(disk.directory), readOnly(join(all.POSTHOUSE_DATA_DIR, 'blobs')));
  } else if (!databaseUrl) skipped('disk full and read-only directory are skipped: mounting needs root');
  return {
    settings: all,
    faults,
    async stop() {
      await Promise.all(proxies.map((proxy) => proxy.stop()));
      disk?.unmount();
    },
  };
}

function faultsOfEngine(name: string, proxy: FaultProxy): EngineFault[] {
  const end = proxy.heal;
  return [
    { name: `${name} refuses`, limitMs: null, begin: proxy.refuse, end },
    hanging(name, proxy),
    { name: `${name} loses bytes`, limitMs: SWALLOW_MS, begin: async () => proxy.swallow(), end },
    { name: `${name} restarts`, limitMs: RESTART_MS, begin: proxy.refuse, end },
  ];
}

function hanging(name: string, proxy: FaultProxy): EngineFault {
  return { name: `${name} hangs`, limitMs: null, begin: async () => proxy.hang(), end: proxy.heal };
}

/** Mounts a small file system; null where this user may not. */
function mountDisk() {
  const directory = mkdtempSync(join(tmpdir(), 'posthouse-disk-'));
  const isMounted = runs('mount', '-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'none', directory);
  const unmount = () => {
    if (isMounted) runs('umount', '--lazy', directory);
    rmSync(directory, { recursive: true, force: true });
  };
  if (!isMounted) unmount();
  return isMounted ? { directory, unmount } : null;
}

function full(directory: string): EngineFault {
  const ballast = join(directory, 'ballast');
  return {
    name: 'disk full',
    limitMs: null,
    async begin() {
      const { bavail, bsize } = statfsSync(directory);
      try {
        writeFileSync(ballast, new Uint8Array(bavail * bsize));
      } catch (error) {
        // The server wrote meanwhile; the disk is full all the same.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    },
    end: async () => rmSync(ballast, { force: true }),
  };
}

/** Files in the directory are opened read-only; open files stay writable. */
function readOnly(directory: string): EngineFault {
  return {
    name: 'files read-only',
    limitMs: null,
    async begin() {
      if (
        !runs('mount', '--bind', directory, directory) ||
        !runs('mount', '-o', 'remount,bind,ro', directory)
      )
        throw new Error(`${directory} could not be made read-only`);
    },
    end: async () => void runs('umount', '--lazy', directory),
  };
}

function runs(...words: string[]): boolean {
  return Bun.spawnSync(words, { stderr: 'ignore' }).success;
}
