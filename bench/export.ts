import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addPerson } from '../test/harness/accounts.ts';
import type { PosthouseProcess } from '../test/harness/process.ts';
import { startProcess } from '../test/harness/start.ts';
import { startEngines } from './lib/engines.ts';
import { insertTables } from './lib/insert.ts';
import { firstByte, run } from './lib/load.ts';
import { fillFolder } from './lib/many-files.ts';
import { multipart } from './lib/multipart.ts';
import { readOptions } from './lib/options.ts';
import { type Compared, compare, type Run } from './lib/pairs.ts';
import { markdown, pairsTable } from './lib/pairs-table.ts';
import { finish, print, record } from './lib/report.ts';
import { headOf } from './lib/request.ts';
import { median } from './lib/statistics.ts';

/*
 * Compares exports of folders with the download of one file of 200 MB, and measures the time to their first byte:
 * `npm run bench -- export`; with `--postgres` on PostgreSQL and S3 (`lib/engines.ts`, also for `radosgw`).
 */

const MB = 1_048_576;
const options = readOptions('export');
const { megabytes: MEGABYTES, pairs: PAIRS } = options;
const LARGE = MEGABYTES * MB;
const MANY = MEGABYTES * 10;
/** Number and size of files, and the target. */
const FOLDERS = [
  { count: 10, bytes: LARGE / 10, name: `10 × ${MEGABYTES / 10} MB`, target: 0.95 },
  { count: MANY, bytes: 500_000, name: `${MANY.toLocaleString('en-US')} × 500 KB`, target: 0.8 },
  { count: MANY, bytes: 100_000, name: `${MANY.toLocaleString('en-US')} × 100 KB`, target: 0.6 },
];
/** Number of files, and the target in milliseconds. */
const FIRST_BYTES = [
  { count: 500, targetMs: 5 },
  { count: 20_000, targetMs: 60 },
];
const FIRST_BYTE_RUNS = 15;
const SMALL = 16_384;

const compared: Compared[] = [];
const firstBytes: string[][] = [];

interface Measured<Prepared> {
  /** Runs before the server starts. */
  prepare(settings: Record<string, string>, headers: Record<string, string>): Promise<Prepared>;
  work(posthouse: PosthouseProcess, headers: Record<string, string>, prepared: Prepared): Promise<void>;
}

/** Measures a server with a new data directory and an account. */
async function measure<Prepared>({ prepare, work }: Measured<Prepared>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'posthouse-bench-'));
  const settings = {
    POSTHOUSE_DATA_DIR: directory,
    POSTHOUSE_WORKSPACE_BYTES: String(2 ** 40),
    POSTHOUSE_LOG_LEVEL: 'warn',
    ...(await engines.newSettings()),
  };
  const { headers } = await addPerson(settings, 'bench@example.org');
  const prepared = await prepare(settings, headers);
  const posthouse = await startProcess(settings);
  try {
    await work(posthouse, headers, prepared);
  } finally {
    await posthouse.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function compareSpeeds(posthouse: PosthouseProcess, headers: Record<string, string>): Promise<void> {
  const port = Number(new URL(posthouse.url).port);

  async function upload(folderId: string, bytes: Uint8Array, count: number): Promise<void> {
    const { type, body } = multipart(bytes);
    const fields = { ...headers, 'Content-Type': type, 'Content-Length': body.length };
    const head = () => headOf(`POST /api/storage/files/${folderId}`, fields);
    await run({ port, connections: 8, requests: count, head, body, expect: 201 });
  }
  async function runOf(path: string, requests: number): Promise<Run> {
    const head = () => headOf(`GET ${path}`, headers);
    const { bytesReceived, seconds, times } = await run({
      port,
      connections: 1,
      requests,
      head,
      expect: 200,
    });
    return { speed: bytesReceived / seconds / 1e6, work: bytesReceived / 1e9, times };
  }

  await upload('root', Buffer.alloc(LARGE, 'Posthouse'), 1);
  const [file] = (await (await posthouse.fetch('/api/storage/files/root', { headers })).json()) as {
    id: string;
  }[];
  for (const { name, count, bytes, target } of FOLDERS) {
    const made = await posthouse.fetch('/api/storage/folders', {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name }),
    });
    const { id } = (await made.json()) as { id: string };
    await upload(id, Buffer.alloc(bytes, 'Posthouse'), count);
    compared.push(
      await compare({
        name: `ZIP of ${name}`,
        pairs: PAIRS,
        unit: 'MB/s',
        targets: [target],
        workUnit: 'GB',
        ours: { name: 'ZIP', pids: [posthouse.pid], run: () => runOf(`/api/storage/export/${id}`, 1) },
        theirs: {
          name: `download of ${MEGABYTES} MB`,
          pids: [posthouse.pid],
          run: () => runOf(`/api/storage/files/${file?.id}/content`, 5),
        },
      }),
    );
  }
}

interface FirstByte {
  folderId: string;
  /** Number of files. */
  count: number;
  targetMs: number;
}

async function measureFirstByte(
  posthouse: PosthouseProcess,
  headers: Record<string, string>,
  { folderId, count, targetMs }: FirstByte,
): Promise<void> {
  const head = headOf(`GET /api/storage/export/${folderId}`, headers);
  const times: number[] = [];
  for (let index = 0; index < FIRST_BYTE_RUNS; index++) {
    const port = Number(new URL(posthouse.url).port);
    times.push(await firstByte(port, head));
  }
  const [least, most] = [Math.min(...times), Math.max(...times)];
  const middle = median(times);
  const verdict = middle <= targetMs ? 'reached' : `over by ${((middle / targetMs - 1) * 100).toFixed(0)} %`;
  const name = `first byte of a ZIP of ${count.toLocaleString('en-US')} files`;
  record(name, { ms: [middle, least, most], target: targetMs });
  firstBytes.push([
    name,
    `${middle.toFixed(1)} ms (${least.toFixed(1)} to ${most.toFixed(1)})`,
    `${targetMs} ms`,
  ]);
  print(name);
  print(
    `  ${middle.toFixed(1)} ms (${least.toFixed(1)} to ${most.toFixed(1)}), target ${targetMs} ms: ${verdict}`,
  );
}

const engines = await startEngines(options);
if (engines.name) print(engines.name);
await measure({ prepare: async () => {}, work: compareSpeeds });
for (const { count, targetMs } of FIRST_BYTES)
  await measure({
    prepare: (settings, headers) => fillFolder({ settings, headers, count, bytes: new Uint8Array(SMALL) }),
    work: (posthouse, headers, folderId) =>
      measureFirstByte(posthouse, headers, { folderId, count, targetMs }),
  });
await engines.stop();
if (options.write) {
  const firstByteTable = markdown(
    ['Measurement', `Median of ${FIRST_BYTE_RUNS} (spread)`, 'Target'],
    firstBytes,
  );
  insertTables('export', pairsTable(compared), firstByteTable);
}
finish('export');
