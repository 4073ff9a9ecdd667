import type { Reader } from '../../kernel/database/database.ts';

/** Every column that references a blob. A blob in none of them is an orphan. */
export const REFERENCES = [
  ['files', 'blob_key'],
  ['files', 'thumbnail_key'],
  ['files', 'preview_key'],
  ['file_versions', 'blob_key'],
  ['upload_parts', 'blob_key'],
] as const;

/** Returns those of the `keys` that a row references. */
export async function referencedKeys(reader: Reader, keys: readonly string[]): Promise<Set<string>> {
  const named = new Set<string>();
  if (keys.length === 0) return named;
  for (const [table, column] of REFERENCES) {
    const rows = await reader
      .selectFrom(table)
      .select(`${column} as key`)
      .where(column, 'in', keys)
      .execute();
    for (const { key } of rows) if (key !== null) named.add(key);
  }
  return named;
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
