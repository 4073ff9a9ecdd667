import { Database } from 'bun:sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addPerson, startPosthouse } from '../test/harness/process.ts';
import { median, print } from './lib/pairs.ts';

/** A folder of 100,000 files: what its first page, its last page and its deletion cost. `npm run bench -- listing` */
const FILES = 100_000;
const ROUNDS = 15;
const directory = mkdtempSync(join(tmpdir(), 'posthouse-bench-'));
const settings = { POSTHOUSE_DATA_DIR: directory, POSTHOUSE_LOG_LEVEL: 'warn' };

async function fill(headers: Record<string, string>): Promise<string> {
  const posthouse = await startPosthouse(settings);
  const made = await posthouse.fetch('/api/storage/folders', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: '{"name":"full"}',
  });
  const { id } = (await made.json()) as { id: string };
  const form = new FormData();
  form.set('file', new Blob(['x']), 'one.txt');
  await posthouse.fetch(`/api/storage/files/${id}`, { method: 'POST', headers, body: form });
  await posthouse.stop();
  // Copies of one row: uploading them one by one would take longer than what is measured.
  const database = new Database(join(directory, 'posthouse.sqlite'));
  const [row] = database.query<Record<string, string | number | null>, [string]>('select * from files where folder_id = ?').all(id);
  const columns = Object.keys(row ?? {});
  const insert = database.prepare(`insert into files (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`);
  database.transaction(() => {
    for (let index = 1; index < FILES; index++) {
      const changed: Record<string, string | number> = {
        id: Bun.randomUUIDv7(),
        name_key: `file ${index}`,
        original_name: `file ${index}`,
        direct_token: `d${index}`,
        ui_token: `u${index}`,
      };
      insert.run(...columns.map((column) => changed[column] ?? row?.[column] ?? null));
    }
  })();
  database.run('update workspaces set used_bytes = (select sum(size_bytes) from files)');
  database.close();
  return id;
}

try {
  const person = await addPerson(settings, 'bench@example.org');
  const id = await fill(person.headers);
  const posthouse = await startPosthouse(settings);
  const page = async (path: string) => {
    const started = performance.now();
    const answer = await posthouse.fetch(path, { headers: person.headers });
    await answer.arrayBuffer();
    return { ms: performance.now() - started, next: /^<([^>]+)>/.exec(answer.headers.get('Link') ?? '')?.[1] };
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
    `a page of 100 out of ${FILES.toLocaleString('en-US')} files: first ${early.toFixed(2)} ms, last ${late.toFixed(2)} ms, ratio ${(late / early).toFixed(2)}, reach 2`,
  );
  const started = performance.now();
  await posthouse.fetch(`/api/storage/folders/${id}?recursive=true`, { method: 'DELETE', headers: person.headers });
  print(`deleting the folder: ${(performance.now() - started).toFixed(0)} ms, one transaction`);
  await posthouse.stop();
} finally {
  rmSync(directory, { recursive: true, force: true });
}
