import type { Transaction } from '../../kernel/database/database.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Folder } from './folder.ts';
import { folderNamed, nameTaken } from './siblings.ts';

/** @throws Problem 409 `root_folder` */
export function requireNotRoot(folder: Folder): asserts folder is Folder & { parentId: string } {
  if (folder.parentId === null)
    throw new Problem('root_folder', 'The root folder can be neither renamed, moved nor deleted.');
}

/** @throws Problem 409 `name_taken` when another folder than `except` has the name */
export async function requireFreeName(
  trx: Transaction,
  parentId: string,
  name: string,
  except: string | null,
): Promise<void> {
  const sibling = await folderNamed(trx, parentId, name);
  if (sibling && sibling.id !== except) throw nameTaken('folder');
}

/** @throws Problem 409 `folder_not_empty` */
export async function requireEmpty(trx: Transaction, folderId: string): Promise<void> {
  const child = await trx
    .selectFrom('folders')
    .select('id')
    .where('parent_id', '=', folderId)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  const file = await trx
    .selectFrom('files')
    .select('id')
    .where('folder_id', '=', folderId)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  if (child || file)
    throw new Problem('folder_not_empty', 'The folder is not empty. Delete it with ?recursive=true.');
}
