import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import type { FolderDeps } from '../../src/storage/tree/folders/changes.ts';
import { createQuota } from '../../src/storage/tree/quota.ts';
import { createRows } from '../../src/storage/tree/rows.ts';
import { createTrashSpace } from '../../src/storage/tree/trash/space.ts';

/** Returns the dependencies of folders and of the trash. @param workspaceBytes quota of a workspace */
export function folderDeps(
  database: Database,
  workspaceBytes: number,
  clock: Clock = systemClock,
): FolderDeps {
  return {
    database,
    clock,
    quota: createQuota({ database, clock, workspaceBytes, owner: 'test' }),
    trashSpace: createTrashSpace({ database, workspaceBytes, trashDays: 7, versionDays: 30 }),
    rows: createRows(database),
    changed() {},
  };
}
