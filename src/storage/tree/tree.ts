import type { Clock } from '../../kernel/clock.ts';
import type { Vault } from '../../kernel/crypto/vault.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import type { Changed } from './changes.ts';
import { createFiles } from './files/files.ts';
import { createFolders } from './folders/folders.ts';
import { createQuota } from './quota.ts';
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
export function createTree(deps: TreeDeps) {
  const { database, clock, vault, owner, hasRenditions, erasing, secretsChanged, changed } = deps;
  const { workspaceBytes, trashDays, versionDays } = deps.limits;
  const quota = createQuota({ database, clock, workspaceBytes, owner });
  const trashSpace = createTrashSpace({ database, workspaceBytes, trashDays, versionDays, erasing });
  const folders = createFolders({ database, clock, quota, trashSpace, changed });
  const files = createFiles({
    database,
    clock,
    vault,
    quota,
    trashSpace,
    hasRenditions,
    secretsChanged,
    changed,
  });
  const trash = createTrash({ database, clock, quota, trashSpace, changed });
  return { quota, trashSpace, folders, files, trash };
}
