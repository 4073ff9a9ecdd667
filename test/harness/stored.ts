import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';

/** Returns the paths of the files and directories in a data directory, without the web app of each node. */
export function storedPaths(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
    (path) => !path.split('/').includes('web'),
  );
}

/**
 * Returns all data of a server as one text: every file of its data directory, and every row of its PostgreSQL
 * database.
 */
export async function everythingStored(settings: Record<string, string>): Promise<string> {
  const directory = settings.POSTHOUSE_DATA_DIR ?? '';
  const files = storedPaths(directory)
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'));
  return [...files, ...(await rows(settings.POSTHOUSE_DATABASE_URL))].join('\n');
}

async function rows(url: string | undefined): Promise<string[]> {
  if (!url) return [];
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    );
    const texts: string[] = [];
    for (const { name } of tables.rows) {
      const { rows } = await client.query<Record<string, unknown>>(`select * from "${name}"`);
      for (const row of rows)
        texts.push(
          ...Object.values(row).map((value) =>
            Buffer.isBuffer(value) ? value.toString('latin1') : String(value),
          ),
        );
    }
    return texts;
  } finally {
    await client.end();
  }
}
