import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { Client } from 'pg';
import { startProcess } from '../../test/harness/start.ts';

interface Filling {
  /** Of a stopped server. */
  settings: Record<string, string>;
  /** Credentials of the folder's owner. */
  headers: Record<string, string>;
  count: number;
  /** Content of each file. */
  bytes: Uint8Array<ArrayBuffer>;
}

const USED_BYTES = 'update workspaces set used_bytes = (select sum(size_bytes) from files)';

/**
 * Creates a folder with `count` files; returns its id. One is uploaded, the others are copies of its row with the
 * same blob: uploading all would take longer than the measurement.
 */
export async function fillFolder({ settings, headers, count, bytes }: Filling): Promise<string> {
  const posthouse = await startProcess(settings);
  const made = await posthouse.fetch('/api/storage/folders', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: '{"name":"full"}',
  });
  const { id } = (await made.json()) as { id: string };
  const form = new FormData();
  form.set('file', new Blob([bytes]), 'file 0');
  await posthouse.fetch(`/api/storage/files/${id}`, { method: 'POST', headers, body: form });
  await posthouse.stop();
  const { POSTHOUSE_DATABASE_URL: url } = settings;
  if (url === undefined) copyInSqlite(join(settings.POSTHOUSE_DATA_DIR ?? '', 'posthouse.sqlite'), id, count);
  else await copyInPostgres(url, id, count);
  return id;
}

/** Copies the file of a folder, which has only one, until there are `count`. */
function copyInSqlite(path: string, folderId: string, count: number): void {
  const database = new Database(path);
  const [row] = database
    .query<Record<string, string | number | null>, [string]>('select * from files where folder_id = ?')
    .all(folderId);
  const columns = Object.keys(row ?? {});
  const insert = database.prepare(
    `insert into files (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  );
  database.transaction(() => {
    for (let index = 1; index < count; index++) {
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
  database.run(USED_BYTES);
  database.close();
}

async function copyInPostgres(url: string, folderId: string, count: number): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { fields } = await client.query('select * from files limit 0');
  const columns = fields.map(({ name }) => name);
  const changed: Record<string, string> = {
    id: 'gen_random_uuid()',
    name_key: "'file ' || i",
    original_name: "'file ' || i",
    direct_token: "'d' || i",
    ui_token: "'u' || i",
  };
  await client.query(
    `insert into files (${columns.join(', ')})
     select ${columns.map((column) => changed[column] ?? column).join(', ')}
     from files, generate_series(1, $2::integer - 1) i where folder_id = $1`,
    [folderId, count],
  );
  await client.query(USED_BYTES);
  await client.query('vacuum analyze files');
  await client.end();
}
