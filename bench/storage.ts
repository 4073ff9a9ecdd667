import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addPerson } from '../test/harness/accounts.ts';
import { startProcess } from '../test/harness/start.ts';
import { startEngines } from './lib/engines.ts';
import { insertTables } from './lib/insert.ts';
import { type Outcome, run } from './lib/load.ts';
import { multipart } from './lib/multipart.ts';
import { startNginx } from './lib/nginx.ts';
import { readOptions } from './lib/options.ts';
import { type Compared, compare } from './lib/pairs.ts';
import { pairsTable } from './lib/pairs-table.ts';
import { finish, print } from './lib/report.ts';
import { headOf } from './lib/request.ts';

/**
 * Compares uploads with one nginx worker on the same machine in the same run: `npm run bench -- storage`; with
 * `--postgres` on PostgreSQL and S3 (`lib/engines.ts`, also for `radosgw`).
 */
const options = readOptions('storage');
const { megabytes: MEGABYTES, pairs: PAIRS, requests: TINY_REQUESTS } = options;
const LARGE = MEGABYTES * 1024 * 1024;
const engines = await startEngines(options);
const directory = mkdtempSync(join(tmpdir(), 'posthouse-bench-'));
const largeText = crypto
  .getRandomValues(Buffer.alloc(65_536))
  .toString('latin1')
  .repeat(LARGE / 65_536);
const largeBytes = Buffer.from(largeText, 'latin1');
const tinyBytes = largeBytes.subarray(0, 4_096);

const settings = {
  POSTHOUSE_DATA_DIR: join(directory, 'data'),
  POSTHOUSE_WORKSPACE_BYTES: String(2 ** 40),
  POSTHOUSE_LOG_LEVEL: 'warn',
  ...(await engines.newSettings()),
};
const posthouse = await startProcess(settings);
const person = await addPerson(settings, 'bench@example.org');
const port = Number(new URL(posthouse.url).port);
const nginx = await startNginx(directory, directory);

async function uploads(): Promise<Compared[]> {
  const upload = async (bytes: Buffer, connections: number, requests: number) => {
    const { type, body } = multipart(bytes);
    const fields = { ...person.headers, 'Content-Type': type, 'Content-Length': body.length };
    const head = () => headOf('POST /api/storage/files/root', fields);
    return await run({ port, connections, requests, head, body, expect: 201 });
  };
  const put = async (bytes: Buffer, connections: number, requests: number) => {
    const head = (index: number) =>
      headOf(`PUT /put/${index % 64}-${crypto.randomUUID()}`, { 'Content-Length': bytes.length });
    const outcome = await run({
      port: nginx?.port ?? 0,
      connections,
      requests,
      head,
      body: bytes,
      expect: 201,
    });
    for (const name of readdirSync(join(directory, 'put'))) rmSync(join(directory, 'put', name));
    return outcome;
  };
  if (!nginx) return [];
  const ours = { name: 'Posthouse', pids: [posthouse.pid] };
  const theirs = { name: 'nginx DAV PUT', pids: [nginx.pid] };
  const megabytesOf = ({ seconds, times }: Outcome) => ({
    speed: (2 * LARGE) / seconds / 1e6,
    work: (2 * LARGE) / 1e9,
    times,
  });
  const requestsOf = ({ requestsPerSecond, times }: Outcome) => ({
    speed: requestsPerSecond,
    work: TINY_REQUESTS,
    times,
  });
  const large = await compare({
    name: `${MEGABYTES} MB multipart upload: type, SHA-256, CRC-32, quota, fsync, commit`,
    pairs: PAIRS,
    unit: 'MB/s',
    targets: [0.85],
    workUnit: 'GB',
    ours: { ...ours, run: async () => megabytesOf(await upload(largeBytes, 1, 2)) },
    theirs: { ...theirs, run: async () => megabytesOf(await put(largeBytes, 1, 2)) },
  });
  const tiny = await compare({
    name: '4 KB uploads, 16 connections',
    pairs: PAIRS,
    unit: 'requests/s',
    targets: [0.3],
    workUnit: 'request',
    ours: { ...ours, run: async () => requestsOf(await upload(tinyBytes, 16, TINY_REQUESTS)) },
    theirs: { ...theirs, run: async () => requestsOf(await put(tinyBytes, 16, TINY_REQUESTS)) },
  });
  return [large, tiny];
}

try {
  if (engines.name) print(engines.name);
  if (!nginx) print('nginx is not installed (Debian: apt-get install nginx-light), so there is no baseline.');
  const compared = await uploads();
  if (options.write) insertTables('storage', pairsTable(compared));
  finish('storage');
} finally {
  await nginx?.stop();
  await posthouse.stop();
  await engines.stop();
  rmSync(directory, { recursive: true, force: true });
}
