import type { Transaction } from '../../../kernel/database/database.ts';
import { firstWithin } from '../../../kernel/first-within.ts';

/** Maximum number of rows that one transaction changes, so that it does not delay others. */
export const ROWS_AT_ONCE = 500;

/** The workspaces of a move. */
interface Between {
  workspaceId: string;
  /** The locked workspaces from which rows are moved; the rows of others may change meanwhile. */
  sources: readonly string[];
}

interface MovedFiles {
  ids: readonly string[];
  /** Number of files and of their versions. */
  rows: number;
  /** Bytes by former workspace. */
  bySource: ReadonlyMap<string, number>;
  /** More files must be moved. */
  isPartial: boolean;
}

/** Moves files. @param most maximum number of files and versions, unless a single file has more */
export async function moveFiles(
  trx: Transaction,
  folderIds: readonly string[],
  { workspaceId, sources, most }: Between & { most: number },
): Promise<MovedFiles> {
  const bySource = new Map<string, number>();
  const found = sources.length === 0 ? [] : await filesToMove(trx, folderIds, sources);
  if (found.length === 0) return { ids: [], rows: 0, bySource, isPartial: false };
  const files = firstWithin(found, most, ({ versions }) => 1 + versions);
  for (const { workspace_id, size_bytes } of files)
    bySource.set(workspace_id, (bySource.get(workspace_id) ?? 0) + size_bytes);
  const ids = files.map(({ id }) => id);
  await trx.updateTable('files').set({ workspace_id: workspaceId }).where('id', 'in', ids).execute();
  const rows = files.reduce((sum, { versions }) => sum + 1 + versions, 0);
  return { ids, rows, bySource, isPartial: files.length < found.length || found.length === ROWS_AT_ONCE };
}

async function filesToMove(trx: Transaction, folderIds: readonly string[], sources: readonly string[]) {
  return await trx
    .selectFrom('files')
    .select((of) => [
      'id',
      'workspace_id',
      'size_bytes',
      of
        .selectFrom('file_versions')
        .select((of) => of.fn.countAll<number>().as('count'))
        .whereRef('file_id', '=', 'files.id')
        .$asScalar()
        .$notNull()
        .as('versions'),
    ])
    .where('folder_id', 'in', folderIds)
    .where('workspace_id', 'in', sources)
    // Deleted ones stay in the trash of their workspace.
    .where('deleted_at', 'is', null)
    .limit(ROWS_AT_ONCE)
    .execute();
}

/** Returns the number of subfolders that were moved and marked. */
export async function moveSubfolders(
  trx: Transaction,
  folderIds: readonly string[],
  { workspaceId, sources, moveId }: Between & { moveId: string },
): Promise<number> {
  if (sources.length === 0) return 0;
  const rows = await trx
    .updateTable('folders')
    .set({ workspace_id: workspaceId, move_id: moveId })
    .where('id', 'in', (from) =>
      from
        .selectFrom('folders')
        .select('id')
        .where('parent_id', 'in', folderIds)
        .where('workspace_id', 'in', sources)
        .where('deleted_at', 'is', null)
        .limit(ROWS_AT_ONCE),
    )
    .returning('id')
    .execute();
  return rows.length;
}

/** Returns the number of links to folders that were moved with them. */
export async function moveLinks(
  trx: Transaction,
  folderIds: readonly string[],
  workspaceId: string,
): Promise<number> {
  const result = await trx
    .updateTable('links')
    .set({ workspace_id: workspaceId })
    .where('id', 'in', (from) =>
      from
        .selectFrom('links')
        .select('id')
        .where('folder_id', 'in', folderIds)
        .where('workspace_id', '!=', workspaceId)
        .limit(ROWS_AT_ONCE),
    )
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}
