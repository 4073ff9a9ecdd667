import type { Transaction } from '../../kernel/database/database.ts';
import { nameKey, numberedName } from './names.ts';

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
