import { SECOND } from '../../kernel/clock.ts';
import type { Reader } from '../../kernel/database/database.ts';
import { Problem } from '../../kernel/problem.ts';

/** Reports whether a tree of the workspace is being moved to the trash or back. */
export async function isMoving(reader: Reader, workspaceId: string): Promise<boolean> {
  const row = await reader
    .selectFrom('workspaces')
    .select('moving_tree_id')
    .where('id', '=', workspaceId)
    .executeTakeFirst();
  return row !== undefined && row.moving_tree_id !== null;
}

/** Returns 503 for a change that must wait for a move. */
export function movingProblem(): Problem {
  const detail = 'A folder of this workspace is being moved, deleted or restored. Try again in a moment.';
  return new Problem('unavailable', detail, { retryAfterMs: SECOND });
}
