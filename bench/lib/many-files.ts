import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { startProcess } from '../../test/harness/start.ts';

interface Filling {
  /** Data directory of a stopped server on SQLite. */
  settings: Record<string, string>;
  /** Credentials of the folder's owner. */
  headers: Record<string, string>;
  count: number;
  /** Content of each file. */
  bytes: Uint8Array<ArrayBuffer>;
}

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
  const database = new Database(join(settings.POSTHOUSE_DATA_DIR ?? '', 'posthouse.sqlite'));
  const [row] = database
    .query<Record<string, string | number | null>, [string]>('select * from files where folder_id = ?')
    .all(id);
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
  database.run('update workspaces set used_bytes = (select sum(size_bytes) from files)');
  database.close();
  return id;
}
