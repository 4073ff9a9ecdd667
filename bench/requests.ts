import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addPerson } from '../test/harness/accounts.ts';
import { filesOf } from '../test/harness/files.ts';
import { startProcess } from '../test/harness/start.ts';
import { startEngines } from './lib/engines.ts';
import { insertFigures } from './lib/insert.ts';
import { describe } from './lib/machine.ts';
import { startNginx } from './lib/nginx.ts';
import { readOptions } from './lib/options.ts';
import { conditions, finish, print, record } from './lib/report.ts';
import { residentOf } from './lib/resident.ts';
import { comparePairs, type Side, table, type Work } from './lib/samples.ts';
import { hasWrk } from './lib/wrk.ts';

/*
 * Compares small requests and downloads with one nginx worker on the same machine, in pairs: `npm run bench --
 * requests`; with `--postgres` on PostgreSQL and S3 (`lib/engines.ts`, also for `radosgw`). `--write` puts the table
 * into docs/performance.md.
 */

const MB = 1_048_576;
const LARGE = 200 * MB;
const SIZES = { kilobyte: 1_024, small: 65_536, large: LARGE };

const options = readOptions('requests');
const { seconds: SECONDS, pairs: PAIRS } = options;

if (!hasWrk()) {
  print('wrk is not installed (Debian: apt-get install wrk), so requests are not measured.');
  finish('requests');
  process.exit(0);
}
const engines = await startEngines(options);
const directory = mkdtempSync(join(tmpdir(), 'posthouse-bench-'));
const settings = {
  POSTHOUSE_DATA_DIR: join(directory, 'data'),
  POSTHOUSE_WORKSPACE_BYTES: String(2 ** 40),
  POSTHOUSE_LOG_LEVEL: 'warn',
  ...(await engines.newSettings()),
};

const posthouse = await startProcess(settings);
const nginx = await startNginx(directory, directory);
try {
  if (!nginx) print('nginx is not installed (Debian: apt-get install nginx-light), so there are no ratios.');
  const ours: Side = { port: Number(new URL(posthouse.url).port), pids: [posthouse.pid] };
  const theirs = nginx && { port: nginx.port, pids: [nginx.pid] };
  const rows = [];
  for (const work of await works()) rows.push(await comparePairs(work, ours, theirs, PAIRS));
  const peakMemory = residentOf(posthouse.pid)?.peak() ?? 0;
  // Speeds on a busy machine are meaningless; CPU times vary less.
  const isBusy = conditions.load > conditions.cores;
  const memory = `${engines.name} Peak memory of Posthouse: ${Math.round(peakMemory / 1e6)} MB.`;
  const text = `${describe(conditions)} ${memory.trim()}\n\n${table(rows, { withSpeeds: !isBusy })}`;
  print(text);
  for (const { name, ...figures } of rows) record(name, figures);
  record('memory', { peak: peakMemory });
  if (options.write) insertFigures('requests', text);
  finish('requests');
} finally {
  await nginx?.stop();
  await posthouse.stop();
  await engines.stop();
  rmSync(directory, { recursive: true, force: true });
}

/** Uploads the files, and returns the requests to measure. */
async function works(): Promise<Work[]> {
  const { headers } = await addPerson(settings, 'bench@example.org');
  const files = filesOf(posthouse, headers);
  const paths: Record<string, string> = {};
  for (const [name, size] of Object.entries(SIZES)) {
    const bytes = crypto.getRandomValues(Buffer.alloc(Math.min(size, 65_536)));
    const content = Buffer.alloc(size, bytes);
    writeFileSync(join(directory, name), content);
    const { id } = await files.upload(content, { name });
    const { directToken } = await files.change(id, { visibility: 1 });
    paths[name] = `/api/storage/public/media/${directToken}`;
  }
  const file = (name: keyof typeof SIZES, connections: number) => ({
    path: paths[name] ?? '',
    baselinePath: `/${name}`,
    connections,
    seconds: SECONDS,
  });
  const plain = { baselinePath: null, connections: 16, seconds: SECONDS };
  return [
    { name: '`GET /Ping`, 16 connections', path: '/Ping', ...plain },
    {
      name: 'an unknown token (404), 16 connections',
      ...plain,
      path: `/api/storage/public/media/${'x'.repeat(32)}`,
      areRefused: true,
    },
    { name: '1 KB public file, 16 connections', target: 0.6, ...file('kilobyte', 16) },
    { name: '64 KB public file, 16 connections', target: 0.55, ...file('small', 16) },
    { name: '64 KB public file, one connection', target: 0.65, ...file('small', 1) },
    {
      name: '1 KB range of 200 MB, 4 connections',
      target: 0.6,
      ...file('large', 4),
      range: { length: 1_024, of: LARGE },
    },
    {
      name: '1 MB range of 200 MB, 4 connections',
      target: 0.85,
      ...file('large', 4),
      range: { length: MB, of: LARGE },
    },
    { name: '200 MB public file, one connection', target: 0.95, ...file('large', 1) },
  ];
}
