import { sql } from 'kysely';
import type { Reader } from '../../kernel/database/database.ts';

/** Every column that references a blob. A blob in none of them is an orphan. */
export const REFERENCES = [
  ['files', 'blob_key'],
  ['files', 'thumbnail_key'],
  ['files', 'preview_key'],
  ['file_versions', 'blob_key'],
  ['upload_parts', 'blob_key'],
] as const;

/**
 * Returns those of the `keys` that a row references, in one statement: between two, a restored version could move a
 * key to a column that was read before.
 */
export async function referencedKeys(reader: Reader, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const selects = REFERENCES.map(
    ([table, column]) =>
      sql`select ${sql.ref(column)} as key from ${sql.table(table)} where ${sql.ref(column)} in (${sql.join(keys)})`,
  );
  const { rows } = await sql<{ key: string }>`${sql.join(selects, sql` union all `)}`.execute(reader);
  return new Set(rows.map(({ key }) => key));
}

/** Returns those of the `keys` whose blobs are scheduled for deletion. */
export async function discardedKeys(reader: Reader, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await reader
    .selectFrom('blob_deletions')
    .select('blob_key')
    .where('blob_key', 'in', keys)
    .execute();
  return new Set(rows.map(({ blob_key }) => blob_key));
}
