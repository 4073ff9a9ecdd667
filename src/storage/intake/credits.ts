import type { Reader, Transaction } from '../../kernel/database/database.ts';
import { createTally } from '../../kernel/tally.ts';
import { WORTH_RESERVING } from '../tree/quota.ts';

/** Bytes that an upload need not reserve, since it replaces a file. */
export interface Credit {
  readonly bytes: number;
  /** Call when the upload has ended. */
  end(): void;
}

/**
 * Returns a credit for an upload in one request: of `freedBytes`, the size of the file that is replaced, or of fewer
 * bytes. The credits of a workspace together are at most its used bytes. Otherwise, uploads that replace the same file
 * would each get a credit of its size, and fill the disk without a reservation.
 */
export type TakeCredit = (workspaceId: string, freedBytes: number) => Promise<Credit>;

/** @param usedBytes returns the sum of the sizes of a workspace's files */
export function createTakeCredit(usedBytes: (workspaceId: string) => Promise<number>): TakeCredit {
  const credited = createTally<string>();
  return async (workspaceId, freedBytes) => {
    // An upload of this size reserves nothing either.
    if (freedBytes < WORTH_RESERVING) return { bytes: freedBytes, end: () => {} };
    const used = await usedBytes(workspaceId);
    const bytes = Math.max(0, Math.min(freedBytes, used - credited.of(workspaceId)));
    credited.add(workspaceId, bytes);
    let hasEnded = false;
    return {
      bytes,
      end() {
        if (!hasEnded) credited.add(workspaceId, -bytes);
        hasEnded = true;
      },
    };
  };
}

/**
 * Returns the number of bytes that a resumable upload need not reserve, since it replaces a file of
 * `freedBytes`. Requires the lock of the workspace. The credits of its unfinished uploads together are at
 * most its used bytes. Otherwise, uploads that replace the same file, which may be renamed between them,
 * would each get a credit of its size.
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
  const credited = (others?.size ?? 0) - (others?.reserved ?? 0);
  return Math.max(0, Math.min(freedBytes, (await usedBytes(trx, workspaceId)) - credited));
}

/** Returns the sum of the sizes of a workspace's files; 0 = no such workspace. */
export async function usedBytes(reader: Reader, workspaceId: string): Promise<number> {
  const row = await reader
    .selectFrom('workspaces')
    .select('used_bytes')
    .where('id', '=', workspaceId)
    .executeTakeFirst();
  return row?.used_bytes ?? 0;
}
