import type { Clock } from '../../kernel/clock.ts';
import type { Vault } from '../../kernel/crypto/vault.ts';
import type { Database } from '../../kernel/database/database.ts';
import { createFiles } from './files.ts';
import { createFolders } from './folders.ts';
import { createQuota } from './quota.ts';
import { createTrashSpace } from './trash-space.ts';

interface TreeDeps {
  database: Database;
  clock: Clock;
  vault: Vault;
  /** Id of this run of the server, which owns its reservations. */
  owner: string;
  limits: { workspaceBytes: number; trashDays: number };
  /** Reports whether files of a media type get a thumbnail. */
  isPicture(mediaType: string): boolean;
  /** Called in each transaction that erases files or discards blobs, before its commit. */
  erasing(): void;
}

export type Tree = ReturnType<typeof createTree>;

/** The rows of workspaces, folders, files and trash. */
export function createTree({ database, clock, vault, owner, limits, isPicture, erasing }: TreeDeps) {
  const { workspaceBytes, trashDays } = limits;
  const quota = createQuota({ database, clock, workspaceBytes, owner });
  const trashSpace = createTrashSpace({ database, workspaceBytes, erasing });
  const folders = createFolders({ database, clock, quota, trashSpace });
  const files = createFiles({ database, clock, vault, quota, trashSpace, trashDays, isPicture });
  return { quota, trashSpace, folders, files };
}
