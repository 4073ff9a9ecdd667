import { workspaceFull } from '../tree/quota.ts';

/** An upload of unknown length. */
export interface UnsizedUpload {
  /**
   * Counts bytes. Call before storing them.
   * @throws Problem 507 `quota_exceeded` when all such uploads of the workspace exceed its free space, which ends the
   *   upload
   */
  take(bytes: number): Promise<void> | undefined;
  /** Call before the file is charged, and after a failure. */
  end(): void;
}

/**
 * Begins an upload of unknown length, which reserves no space. Together, such uploads must fit into the free space of
 * their workspace, so that concurrent ones cannot fill the disk.
 * @param freedBytes size of the file to replace
 */
export type BeginUnsized = (workspaceId: string, freedBytes: number) => UnsizedUpload;

interface Total {
  bytes: number;
  /** Free space when it was last read. */
  free: number;
  uploads: number;
}

/** @param freeBytes returns the space of a workspace that is neither used nor reserved */
export function createBeginUnsized(freeBytes: (workspaceId: string) => Promise<number>): BeginUnsized {
  const totals = new Map<string, Total>();
  return (workspaceId, freedBytes) => {
    const total = totals.get(workspaceId) ?? { bytes: 0, free: 0, uploads: 0 };
    totals.set(workspaceId, total);
    total.uploads++;
    let freed = freedBytes;
    let own = 0;
    let hasEnded = false;

    function end(): void {
      if (hasEnded) return;
      hasEnded = true;
      total.bytes -= own;
      // The file may be charged from now on.
      total.free = 0;
      if (--total.uploads === 0) totals.delete(workspaceId);
    }

    async function check(): Promise<void> {
      total.free = await freeBytes(workspaceId);
      if (total.bytes <= total.free) return;
      // Frees its space for the others immediately, so that at least the last of them fits.
      end();
      throw workspaceFull();
    }

    return {
      take(bytes) {
        const covered = Math.min(freed, bytes);
        freed -= covered;
        own += bytes - covered;
        total.bytes += bytes - covered;
        return total.bytes <= total.free || own === 0 ? undefined : check();
      },
      end,
    };
  };
}
