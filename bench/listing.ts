import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addPerson } from '../test/harness/accounts.ts';
import { startProcess } from '../test/harness/start.ts';
import { fillFolder } from './lib/many-files.ts';
import { readOptions } from './lib/options.ts';
import { finish, print, record } from './lib/report.ts';
import { median } from './lib/statistics.ts';

/** Measures the first page, the last page and the deletion of a folder of 100,000 files: `npm run bench -- listing`. */
const { files: FILES } = readOptions('listing');
const ROUNDS = 15;
const directory = mkdtempSync(join(tmpdir(), 'posthouse-bench-'));
const settings = { POSTHOUSE_DATA_DIR: directory, POSTHOUSE_LOG_LEVEL: 'warn' };

try {
  const person = await addPerson(settings, 'bench@example.org');
  const id = await fillFolder({
    settings,
    headers: person.headers,
    count: FILES,
    bytes: new TextEncoder().encode('x'),
  });
  const posthouse = await startProcess(settings);
  const page = async (path: string) => {
    const started = performance.now();
    const answer = await posthouse.fetch(path, { headers: person.headers });
    await answer.arrayBuffer();
    return {
      ms: performance.now() - started,
      next: /^<([^>]+)>/.exec(answer.headers.get('Link') ?? '')?.[1],
    };
  };
  const first = `/api/storage/files/${id}?limit=100`;
  let last = first;
  for (let next: string | undefined = `/api/storage/files/${id}?limit=100`; next; ) {
    last = next;
    next = (await page(next)).next;
  }
  const times = async (path: string) => {
    const all: number[] = [];
    for (let round = 0; round < ROUNDS; round++) all.push((await page(path)).ms);
    return median(all);
  };
  const [early, late] = [await times(first), await times(last)];
  print(
    `a page of 100 out of ${FILES.toLocaleString('en-US')} files: first ${early.toFixed(2)} ms, last ${late.toFixed(2)} ms, ratio ${(late / early).toFixed(2)}, target 2`,
  );
  const started = performance.now();
  await posthouse.fetch(`/api/storage/folders/${id}?recursive=true`, {
    method: 'DELETE',
    headers: person.headers,
  });
  const deletion = performance.now() - started;
  print(`deleting the folder: ${deletion.toFixed(0)} ms, in transactions of 1,000 rows`);
  record('a page of 100 files', { first: early, last: late, ratio: late / early, target: 2 });
  record('deleting the folder', { ms: deletion });
  finish('listing');
  await posthouse.stop();
} finally {
  rmSync(directory, { recursive: true, force: true });
}
