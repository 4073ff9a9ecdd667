import { sql } from 'kysely';
import type { Tables, Transaction } from '../../kernel/database/database.ts';

/** Maximum number of rows of each table that one call deletes. */
const ROWS_AT_ONCE = 1_000;
const LIMIT = sql.lit(ROWS_AT_ONCE);

interface Reference {
  table: keyof Tables & string;
  /** The column that refers to another row. */
  column: string;
  /** The other column of the primary key. */
  other: string;
}

/** Rows that refer to files. The database would delete them with their file, in one statement of any length. */
export const OF_FILES: readonly Reference[] = [
  { table: 'link_files', column: 'file_id', other: 'link_id' },
  { table: 'download_grants', column: 'file_id', other: 'visitor' },
];

/** Rows that refer to links, likewise. */
const OF_LINKS: readonly Reference[] = [
  { table: 'link_files', column: 'link_id', other: 'file_id' },
  { table: 'link_grants', column: 'link_id', other: 'visitor' },
];

/** Deletes rows that refer to those with `ids`, a batch of each table; reports whether there may be more. */
export async function deleteDependents(
  trx: Transaction,
  references: readonly Reference[],
  ids: readonly string[],
): Promise<boolean> {
  let isPartial = false;
  for (const { table, column, other } of references) {
    const [of, key, rest] = [sql.table(table), sql.ref(column), sql.ref(other)];
    const some = sql`select ${key}, ${rest} from ${of} where ${key} in (${sql.join(ids)}) limit ${LIMIT}`;
    const statement = sql`delete from ${of} where (${key}, ${rest}) in (${some})`;
    const { numAffectedRows = 0n } = await statement.execute(trx);
    isPartial ||= numAffectedRows >= BigInt(ROWS_AT_ONCE);
  }
  return isPartial;
}

/** Deletes a batch of links with the rows that refer to them; reports whether there may be more. */
export async function deleteLinks(
  trx: Transaction,
  column: 'id' | 'folder_id' | 'workspace_id',
  values: readonly string[],
): Promise<boolean> {
  const links = await trx
    .selectFrom('links')
    .select('id')
    .where(column, 'in', values)
    .limit(ROWS_AT_ONCE)
    .execute();
  if (links.length === 0) return false;
  const ids = links.map(({ id }) => id);
  if (await deleteDependents(trx, OF_LINKS, ids)) return true;
  await trx.deleteFrom('links').where('id', 'in', ids).execute();
  return links.length === ROWS_AT_ONCE;
}
