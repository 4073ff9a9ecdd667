import { throwUnlessUnavailable } from '../../../kernel/errors/unavailable.ts';

/** Uploads whose address no client has received, so that nothing can continue them. */
export interface AbandonedUploads {
  /** Deletes an upload now, or in a later `sweep` when the database or the blob store cannot be used. */
  remove(id: string): Promise<void>;
  /** Does not delete the upload later: a repeat of its first request has received the address. */
  keep(id: string): void;
  /** Repeats the deletions that failed. Call it on each node. */
  sweep(): Promise<void>;
}

/** @param remove deletes an upload */
export function createAbandonedUploads(remove: (id: string) => Promise<void>): AbandonedUploads {
  const left = new Set<string>();

  async function attempt(id: string): Promise<void> {
    try {
      await remove(id);
      left.delete(id);
    } catch (error) {
      throwUnlessUnavailable(error);
      left.add(id);
    }
  }

  return {
    remove: attempt,
    keep: (id) => void left.delete(id),
    async sweep() {
      for (const id of left) await attempt(id);
    },
  };
}
