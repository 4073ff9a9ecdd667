import type { Reader, Transaction } from '../../kernel/database/database.ts';
import { Problem } from '../../kernel/problem.ts';
import { nameKey, numberedName } from './names.ts';

/** Returns the newest file of a name in a folder. @param except a file that does not count */
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
    .orderBy('date_created', 'desc')
    .orderBy('id', 'desc')
    .limit(1);
  if (except !== null) query = query.where('id', '!=', except);
  return (await query.executeTakeFirst()) ?? null;
}

/** Returns the subfolder of a name. */
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

/** Returns “name (2).ext”, or the next number that no file of the folder has. */
export async function numberedFileName(trx: Transaction, folderId: string, name: string): Promise<string> {
  return await firstFree(name, false, (keys) =>
    trx
      .selectFrom('files')
      .select('name_key')
      .where('folder_id', '=', folderId)
      .where('name_key', 'in', keys)
      .where('deleted_at', 'is', null)
      .execute(),
  );
}

/** Returns “name (2)”, or the next number that no subfolder has. */
export async function numberedFolderName(trx: Transaction, parentId: string, name: string): Promise<string> {
  return await firstFree(name, true, (keys) =>
    trx
      .selectFrom('folders')
      .select('name_key')
      .where('parent_id', '=', parentId)
      .where('name_key', 'in', keys)
      .where('deleted_at', 'is', null)
      .execute(),
  );
}

export function nameTaken(kind: 'file' | 'folder'): Problem {
  return new Problem('name_taken', `There is a ${kind} with this name already.`);
}

const MAX_CANDIDATES = 1000;

async function firstFree(
  name: string,
  isFolder: boolean,
  taken: (keys: string[]) => Promise<{ name_key: string }[]>,
): Promise<string> {
  for (let first = 2, count = 10; ; first += count, count = Math.min(count * 10, MAX_CANDIDATES)) {
    const names = Array.from({ length: count }, (_, index) => numberedName(name, first + index, isFolder));
    const rows = await taken(names.map(nameKey));
    const keys = new Set(rows.map(({ name_key }) => name_key));
    const free = names.find((candidate) => !keys.has(nameKey(candidate)));
    if (free !== undefined) return free;
  }
}
