import { Database } from 'bun:sqlite';
import { join } from 'node:path';

/**
 * Copies the row of a file, on SQLite; uploads would take minutes. The copies have the bytes and the thumbnail.
 * @param changes returns the columns in which a copy differs, by its number from 1
 */
export function copyFile(
  settings: Record<string, string>,
  id: string,
  copies: number,
  changes: (number: number) => Record<string, string | number>,
): void {
  const database = new Database(join(settings.POSTHOUSE_DATA_DIR ?? '', 'posthouse.sqlite'));
  // The server may write at the same time.
  database.run('pragma busy_timeout = 5000');
  const row =
    database
      .query<Record<string, string | number | null>, [string]>('select * from files where id = ?')
      .get(id) ?? {};
  const columns = Object.keys(row);
  const insert = database.query(
    `insert into files (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  );
  database.transaction(() => {
    for (let number = 1; number <= copies; number++) {
      const tokens = { direct_token: crypto.randomUUID(), ui_token: crypto.randomUUID() };
      const copy = { ...row, id: crypto.randomUUID(), ...tokens, ...changes(number) };
      insert.run(...Object.values(copy));
    }
  })();
  database.close();
}
