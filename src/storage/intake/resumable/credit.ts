import type { Transaction } from '../../../kernel/database/database.ts';
import { usedBytes } from '../credits.ts';

/**
 * Returns the number of bytes that an upload need not reserve, since it replaces a file of `freedBytes`. Requires the
 * lock of the workspace. The credits of its unfinished uploads together are at most its used bytes: uploads that
 * replace the same file, which may be renamed between them, would otherwise receive its size each.
 */
export async function creditOf(trx: Transaction, workspaceId: string, freedBytes: number): Promise<number> {
  if (freedBytes === 0) return 0;
  const others = await trx
    .selectFrom('reservations')
    .innerJoin('uploads', 'uploads.id', 'reservations.id')
    .select((of) => [
      of.fn.sum<number | null>('uploads.size_bytes').as('size'),
      of.fn.sum<number | null>('reservations.bytes').as('reserved'),
    ])
    .where('reservations.workspace_id', '=', workspaceId)
    .executeTakeFirst();
  const credited = Number(others?.size ?? 0) - Number(others?.reserved ?? 0);
  return Math.max(0, Math.min(freedBytes, (await usedBytes(trx, workspaceId)) - credited));
}
