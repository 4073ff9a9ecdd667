import type { Transaction } from '../../../kernel/database/database.ts';
import { Problem } from '../../../kernel/problem.ts';
import { numberedFolderName } from '../numbered-names.ts';
import { folderNamed, nameTaken } from '../siblings.ts';
import type { Folder } from './folder.ts';

/** @throws Problem 409 `root_folder` */
export function requireNotRoot(folder: Folder): asserts folder is Folder & { parentId: string } {
  if (folder.parentId === null)
    throw new Problem('root_folder', 'The root folder cannot be renamed, moved or deleted.');
}

/** The ways to resolve a conflict with the name of another folder of the parent: add a number, or fail. */
export const ON_FOLDER_CONFLICT = ['rename', 'fail'] as const;
export type OnFolderConflict = (typeof ON_FOLDER_CONFLICT)[number];

interface FolderNaming {
  parentId: string;
  name: string;
  /** Id of the folder itself; undefined = a new one. */
  folderId?: string;
  onConflict: OnFolderConflict;
}

/** Returns the name that a folder gets. Requires the lock of the workspace. @throws Problem 409 `name_taken` */
export async function resolveFolderName(
  trx: Transaction,
  { parentId, name, folderId, onConflict }: FolderNaming,
): Promise<string> {
  const sibling = await folderNamed(trx, parentId, name);
  if (!sibling || sibling.id === folderId) return name;
  if (onConflict === 'fail') throw nameTaken('folder');
  return await numberedFolderName(trx, parentId, name);
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
