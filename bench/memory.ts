import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addPerson } from '../test/harness/accounts.ts';
import type { Posthouse } from '../test/harness/process.ts';
import { startProcess } from '../test/harness/start.ts';
import { run } from './lib/load.ts';
import { fillFolder } from './lib/many-files.ts';
import { multipart } from './lib/multipart.ts';
import { readOptions } from './lib/options.ts';
import { finish, print, record } from './lib/report.ts';
import { headOf } from './lib/request.ts';
import { type Resident, residentOf } from './lib/resident.ts';
import { readSlowly } from './lib/slow-readers.ts';

/**
 * Measures the memory of the server process, idle and at its peak under load: `npm run bench -- memory`. The uploads
 * temporarily need 10 GB of disk.
 */
const MB = 1_048_576;
const { megabytes: MEGABYTES } = readOptions('memory');
const LARGE = MEGABYTES * MB;
const UPLOADS = 50;
const READERS = 500;
const READING_MS = 15_000;
const READ_AT_ONCE = 65_536;
const EXPORTED = 20_000;
const EXPORTED_BYTES = 16_384;
/** Time without requests after which a server counts as idle. */
const REST_MS = 10_000;

interface Case {
  name: string;
  /** Target in MB. */
  target: number;
  /** True = the target is for the difference from the idle server. */
  aboveIdle?: boolean;
  /** Runs before the measured server starts; its result is passed to `work`. */
  prepare?(settings: Record<string, string>, headers: Record<string, string>): Promise<string>;
  work(posthouse: Posthouse, headers: Record<string, string>, prepared: string): Promise<string>;
}

/** Measures a case on a new server and data directory. */
async function measure({ name, target, aboveIdle = false, prepare, work }: Case): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'posthouse-bench-'));
  const settings = {
    POSTHOUSE_DATA_DIR: directory,
    POSTHOUSE_WORKSPACE_BYTES: String(2 ** 40),
    POSTHOUSE_LOG_LEVEL: 'warn',
  };
  try {
    const { headers } = await addPerson(settings, 'bench@example.org');
    const prepared = (await prepare?.(settings, headers)) ?? '';
    const posthouse = await startProcess(settings);
    const resident = residentOf(posthouse.pid);
    if (resident)
      await watch({ name, target, aboveIdle, resident, work: () => work(posthouse, headers, prepared) });
    await posthouse.stop();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Watching extends Pick<Case, 'name' | 'target' | 'aboveIdle'> {
  resident: Resident;
  work(): Promise<string>;
}

async function watch({ name, target, aboveIdle, resident, work }: Watching): Promise<void> {
  await Bun.sleep(REST_MS);
  const idle = resident.now();
  resident.forgetPeak();
  const result = await work();
  const peak = resident.peak();
  await Bun.sleep(REST_MS);
  const later = resident.now();
  record(name, { idle, peak, later, target: target * MB, aboveIdle });
  const measured = (aboveIdle ? peak - idle : peak) / MB;
  const verdict = measured <= target ? 'reached' : `over by ${((measured / target - 1) * 100).toFixed(0)} %`;
  print(`${name}${result && `: ${result}`}`);
  print(`  idle ${inMb(idle)}, peak ${inMb(peak)}, ${REST_MS / 1000} s later ${inMb(later)}`);
  print(
    `  ${aboveIdle ? 'above idle' : 'peak'} ${measured.toFixed(0)} MB, target at most ${target} MB: ${verdict}`,
  );
}

function inMb(bytes: number): string {
  return `${(bytes / MB).toFixed(0)} MB`;
}

const portOf = ({ url }: Posthouse) => Number(new URL(url).port);

/** Uploads repeated bytes, since the server's work does not depend on them. */
async function upload(posthouse: Posthouse, headers: Record<string, string>, count: number): Promise<number> {
  const { type, body } = multipart(Buffer.alloc(LARGE, 'Posthouse'));
  const head = () =>
    headOf('POST /api/storage/files/root', {
      ...headers,
      'Content-Type': type,
      'Content-Length': body.length,
    });
  return (
    await run({ port: portOf(posthouse), connections: count, requests: count, head, body, expect: 201 })
  ).seconds;
}

const cases: readonly Case[] = [
  {
    name: 'idle, after the first page of the web app and a listing',
    target: 120,
    async work(posthouse, headers) {
      for (const path of ['/', '/api/storage/files/root', '/healthz'])
        await (await posthouse.fetch(path, { headers })).arrayBuffer();
      return '';
    },
  },
  {
    name: `${UPLOADS} uploads of ${MEGABYTES} MB at once`,
    target: 300,
    async work(posthouse, headers) {
      const seconds = await upload(posthouse, headers, UPLOADS);
      return `${((UPLOADS * LARGE) / seconds / 1e6).toFixed(0)} MB/s in total`;
    },
  },
  {
    name: `${READERS} slow downloads of a file of ${MEGABYTES} MB`,
    target: 200,
    async prepare(settings, headers) {
      const posthouse = await startProcess(settings);
      await upload(posthouse, headers, 1);
      const [file] = (await (await posthouse.fetch('/api/storage/files/root', { headers })).json()) as {
        id: string;
      }[];
      await posthouse.fetch(`/api/storage/files/${file?.id}`, {
        method: 'PATCH',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: '{"visibility":1}',
      });
      const metadata = await posthouse.fetch(`/api/storage/files/${file?.id}/metadata`, { headers });
      const { directToken } = (await metadata.json()) as { directToken: string };
      await posthouse.stop();
      return `/api/storage/public/media/${directToken}`;
    },
    async work(posthouse, _, path) {
      const { bytes, finished } = await readSlowly({
        port: portOf(posthouse),
        path,
        readers: READERS,
        ms: READING_MS,
        atOnce: READ_AT_ONCE,
      });
      return `${(bytes / READERS / (READING_MS / 1000) / 1000).toFixed(0)} kB/s each for ${READING_MS / 1000} s, ${finished} finished`;
    },
  },
  {
    name: `export of ${EXPORTED.toLocaleString('en-US')} files`,
    target: 60,
    aboveIdle: true,
    prepare: (settings, headers) =>
      fillFolder({ settings, headers, count: EXPORTED, bytes: new Uint8Array(EXPORTED_BYTES).fill(7) }),
    async work(posthouse, headers, folderId) {
      const head = () => headOf(`GET /api/storage/export/${folderId}`, headers);
      const { bytesReceived, seconds } = await run({
        port: portOf(posthouse),
        connections: 1,
        requests: 1,
        head,
        expect: 200,
      });
      return `${(bytesReceived / seconds / 1e6).toFixed(0)} MB/s`;
    },
  },
];

if (process.platform === 'linux') for (const each of cases) await measure(each);
else print('Memory is read from /proc, which only Linux has.');
finish('memory');
