import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrations } from '../src/foundation/schema.ts';
import type { Database } from '../src/kernel/database/database.ts';
import { migrate } from '../src/kernel/database/migrate.ts';
import { openPostgres } from '../src/kernel/database/postgres/postgres.ts';
import { openSqlite } from '../src/kernel/database/sqlite/sqlite.ts';
import { newId } from '../src/kernel/ids.ts';
import { createLog } from '../src/kernel/log.ts';
import { createIndexer } from '../src/storage/search/indexer.ts';
import { type SearchOptions, searchFiles } from '../src/storage/search/search.ts';
import { createWorkspaces } from '../src/storage/tree/workspaces.ts';
import { createTestDatabase } from '../test/harness/databases.ts';
import { analyze, fillNamed } from '../test/harness/many-rows.ts';
import { startPeers } from '../test/harness/peers.ts';
import { readOptions } from './lib/options.ts';
import { finish, print, record } from './lib/report.ts';

/**
 * Measures the search for files among 1,000,000 of one workspace and a few of another, on both databases:
 * `npm run bench -- search`.
 */
const { files: FILES } = readOptions('search');
const FEW = 1_000;
const ROUNDS = 100;
/** Number of searches before the measurement, in which the process compiles its code. */
const WARM_UP = 10;
const TARGET_MS = 50;

const QUERIES: Record<string, Partial<SearchOptions> & { in?: 'few' | 'both' }> = {
  'one file': { query: '777777 of' },
  'no file, common parts': { query: 'report img_' },
  'no file, rare parts': { query: 'zebra' },
  '500,000 new files': { query: 'meeting' },
  '500,000 old files': { query: 'img_2019' },
  '500 old files': { query: 'img_20190123' },
  'files with digits': { query: '4711' },
  'one character': { query: 'r' },
  'two characters, old files': { query: 'im' },
  'all files, one type': { query: '', type: 'image' },
  'a type without files': { query: 'report', type: 'video' },
  'ten days': { query: 'img', after: Date.now() - 25 * 86_400_000, before: Date.now() - 15 * 86_400_000 },
  'a workspace of few files': { query: 'img', in: 'few' },
  'two workspaces': { query: 'img_2019', in: 'both' },
};

async function measure(database: Database): Promise<void> {
  await migrate(database, migrations);
  const [many, few] = [await makeWorkspace(database), await makeWorkspace(database)];
  await fillNamed(database, many, FILES - FEW);
  await fillNamed(database, few, FEW);
  const started = performance.now();
  await createIndexer(database).catchUp();
  await analyze(database);
  print(`${database.kind}: indexed ${FILES.toLocaleString('en-US')} files in ${seconds(started)} s`);
  for (const [name, { in: where, ...query }] of Object.entries(QUERIES)) {
    const ids = { few: [few.workspaceId], both: [few.workspaceId, many.workspaceId] }[where ?? 'both'];
    const search = () =>
      searchFiles(database, where ? ids : [many.workspaceId], { query: '', limit: 50, ...query });
    const times: number[] = [];
    let files = 0;
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      const begun = performance.now();
      const page = await search();
      if (round >= 0) times.push(performance.now() - begun);
      files = page.files.length;
    }
    times.sort((a, b) => a - b);
    const [p50, p99] = [times[ROUNDS / 2] ?? 0, times[ROUNDS - 2] ?? 0];
    record(`${database.kind}: ${name}`, { files, p50, p99, target: TARGET_MS });
    print(
      `  ${name.padEnd(28)} ${String(files).padStart(3)} files, p50 ${p50.toFixed(1).padStart(6)} ms, p99 ${p99.toFixed(1).padStart(6)} ms, target ${TARGET_MS}: ${p99 <= TARGET_MS ? 'reached' : 'short'}`,
    );
  }
  await database.close();
}

async function makeWorkspace(database: Database): Promise<{ workspaceId: string; rootFolderId: string }> {
  const limits = { workspaceBytes: 2 ** 40, trashDays: 7 };
  const workspaces = createWorkspaces({ database, clock: Date, limits });
  const workspace = { name: 'bench', personal: true, accountId: newId() };
  const { id, rootFolderId } = await database.transaction((trx) => workspaces.create(trx, workspace));
  return { workspaceId: id, rootFolderId };
}

const seconds = (started: number) => ((performance.now() - started) / 1000).toFixed(1);

const directory = mkdtempSync(join(tmpdir(), 'posthouse-bench-'));
const peers = await startPeers();
try {
  await measure(openSqlite(join(directory, 'search.sqlite'), createLog('silent')));
  await measure(openPostgres(await createTestDatabase(peers)));
  finish('search');
} finally {
  await peers.stop();
  rmSync(directory, { recursive: true, force: true });
}
