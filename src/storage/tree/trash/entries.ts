import type { Reader } from '../../../kernel/database/database.ts';

/**
 * Starts a query over `entries`: the time of deletion and the size of each file and folder that was deleted itself, not
 * with a folder above it, including those that are erased but not yet collected.
 */
export function entriesOf(reader: Reader, workspaceId: string) {
  return reader.with('entries', (with_) =>
    with_
      .selectFrom('files')
      .select((of) => [of.ref('deleted_at').$notNull().as('deleted_at'), 'size_bytes'])
      .where('workspace_id', '=', workspaceId)
      .where('deleted_at', 'is not', null)
      .where('trash_id', 'is', null)
      .unionAll(
        with_
          .selectFrom('trash_trees')
          .select(['deleted_at', 'size_bytes'])
          .where('workspace_id', '=', workspaceId)
          .where('state', 'in', ['kept', 'removing']),
      ),
  );
}

interface TimeRange {
  order: 'asc' | 'desc';
  limit: number;
  /** Exclusive, ms since the epoch. */
  after?: number;
  before?: number;
}

/**
 * Returns the times of deletion of the oldest or newest entries, in order. Each table is read along its index:
 * PostgreSQL would read all entries to sort those of both.
 */
export async function entryTimes(
  reader: Reader,
  workspaceId: string,
  { order, limit, after = 0, before = Number.MAX_SAFE_INTEGER }: TimeRange,
): Promise<number[]> {
  const files = await reader
    .selectFrom('files')
    .select((of) => of.ref('deleted_at').$notNull().as('deleted_at'))
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', '>', after)
    .where('deleted_at', '<', before)
    .where('trash_id', 'is', null)
    .orderBy('deleted_at', order)
    .limit(limit)
    .execute();
  const trees = await reader
    .selectFrom('trash_trees')
    .select('deleted_at')
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', '>', after)
    .where('deleted_at', '<', before)
    .where('state', 'in', ['kept', 'removing'])
    .orderBy('deleted_at', order)
    .limit(limit)
    .execute();
  const direction = order === 'asc' ? 1 : -1;
  return [...files, ...trees]
    .map(({ deleted_at }) => deleted_at)
    .sort((a, b) => direction * (a - b))
    .slice(0, limit);
}
