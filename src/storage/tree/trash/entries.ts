import type { Reader } from '../../../kernel/database/database.ts';

/**
 * Starts a query over `entries`: the time of deletion and the size of each file and each folder that was deleted, but
 * not of what was deleted with a folder. Those that are erased and not yet collected are among them.
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
