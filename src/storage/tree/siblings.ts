import { sql } from 'kysely';
import type { Reader, Transaction } from '../../kernel/database/database.ts';
import { Problem } from '../../kernel/problem.ts';
import { nameKey } from '../../text/name-key.ts';

/** Returns the newest file with a name in a folder; null = none. @param except a file that does not count */
export async function fileNamed(
  reader: Reader,
  folderId: string,
  name: string,
  except: string | null,
): Promise<{ id: string; size_bytes: number } | null> {
  let query = reader
    .selectFrom('files')
    .select(['id', 'size_bytes'])
    .where('folder_id', '=', folderId)
    .where('name_key', '=', nameKey(name))
    .where('deleted_at', 'is', null)
    // The sign keeps SQLite from reading all files of the folder by the index of this order.
    .orderBy(sql`+date_created`, 'desc')
    .orderBy('id', 'desc')
    .limit(1);
  if (except !== null) query = query.where('id', '!=', except);
  return (await query.executeTakeFirst()) ?? null;
}

/** Returns the subfolder with a name; null = none. */
export async function folderNamed(
  trx: Transaction,
  parentId: string,
  name: string,
): Promise<{ id: string } | null> {
  const row = await trx
    .selectFrom('folders')
    .select('id')
    .where('parent_id', '=', parentId)
    .where('name_key', '=', nameKey(name))
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

export function nameTaken(kind: 'file' | 'folder'): Problem {
  return new Problem('name_taken', `A ${kind} with this name already exists.`);
}
