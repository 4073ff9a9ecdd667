import type { Clock } from '../../kernel/clock.ts';
import type { Vault } from '../../kernel/crypto/vault.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import type { Changed } from './changes.ts';
import { createFiles } from './files/files.ts';
import { createFolders } from './folders/folders.ts';
import { createQuota } from './quota.ts';
import { createRows } from './rows.ts';
import { createTrashSpace } from './trash/space.ts';
import { createTrash } from './trash/trash.ts';

interface TreeDeps {
  database: Database;
  clock: Clock;
  vault: Vault;
  /** Id of this run of the server, which owns its reservations. */
  owner: string;
  limits: { workspaceBytes: number; trashDays: number; versionDays: number };
  /** Reports whether files of a media type get a thumbnail. */
  hasRenditions(mediaType: string): boolean;
  /** Called in each transaction that erases files or discards blobs, before its commit. */
  erasing(): void;
  /** Called when the password or the access key of a file changes. */
  secretsChanged(trx: Transaction, fileId: string): Promise<void>;
  changed: Changed;
}

export type Tree = ReturnType<typeof createTree>;

/** The rows of workspaces, folders, files and trash. */
export function createTree(given: TreeDeps) {
  const { workspaceBytes } = given.limits;
  const quota = createQuota({ ...given, workspaceBytes });
  const trashSpace = createTrashSpace({ ...given, ...given.limits });
  const deps = { ...given, quota, trashSpace, rows: createRows(given.database) };
  return {
    quota,
    trashSpace,
    folders: createFolders(deps),
    files: createFiles(deps),
    trash: createTrash(deps),
  };
}
