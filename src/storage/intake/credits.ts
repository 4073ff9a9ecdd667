import { MB } from '../../kernel/bytes.ts';
import type { Reader } from '../../kernel/database/database.ts';
import { createTally } from '../../kernel/tally.ts';

/** Below this, a credit is not counted: an upload of this size reserves nothing either. */
const WORTH_COUNTING = MB;

/** Bytes that an upload need not reserve, since it replaces a file. */
export interface Credit {
  readonly bytes: number;
  /** Call when the upload has ended. */
  end(): void;
}

/**
 * Credits of uploads in one request. The credits of a workspace together are at most its used bytes: uploads that
 * replace the same file would otherwise receive its size each, and fill the disk without a reservation.
 */
export interface Credits {
  /** Returns a credit of `freedBytes`, the size of the file that is replaced, or of fewer bytes. */
  take(workspaceId: string, freedBytes: number): Promise<Credit>;
}

/** @param usedBytes returns the sum of the sizes of a workspace's files */
export function createCredits(usedBytes: (workspaceId: string) => Promise<number>): Credits {
  const credited = createTally<string>();
  return {
    async take(workspaceId, freedBytes) {
      if (freedBytes < WORTH_COUNTING) return { bytes: freedBytes, end: () => {} };
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
    },
  };
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
