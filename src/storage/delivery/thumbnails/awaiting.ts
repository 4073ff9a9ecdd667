import { SECOND } from '../../../kernel/clock.ts';
import type { Database } from '../../../kernel/database/database.ts';
import type { StoredFile } from '../../tree/file.ts';

const LONGEST_MS = SECOND;
const PAUSE_MS = 50;
const AT_ONCE = 32;
const AT_ONCE_EACH = 2;

/**
 * Waits for the thumbnail of a file while it is pending: a second at most, for two requests of a caller and 32
 * requests at once; others do not wait.
 * @param caller id of the account
 * @returns the key of the blob; null = there is no thumbnail, or not yet
 */
export type AwaitThumbnail = (file: StoredFile, caller: string) => Promise<string | null>;

export function createAwaitThumbnail(database: Database): AwaitThumbnail {
  const waiting = new Map<string, number>();
  let all = 0;

  const count = (caller: string, change: 1 | -1) => {
    all += change;
    const own = (waiting.get(caller) ?? 0) + change;
    if (own > 0) waiting.set(caller, own);
    else waiting.delete(caller);
  };

  const read = async (id: string) =>
    await database.read
      .selectFrom('files')
      .select(['thumbnail_state', 'thumbnail_key'])
      .where('id', '=', id)
      .executeTakeFirst();

  async function poll(id: string): Promise<string | null> {
    for (let left = LONGEST_MS; left > 0; left -= PAUSE_MS) {
      await Bun.sleep(PAUSE_MS);
      const row = await read(id);
      if (row?.thumbnail_state !== 'pending')
        return row?.thumbnail_state === 'made' ? row.thumbnail_key : null;
    }
    return null;
  }

  return async (file, caller) => {
    if (file.thumbnail !== 'pending') return file.thumbnailKey;
    if (all >= AT_ONCE || (waiting.get(caller) ?? 0) >= AT_ONCE_EACH) return null;
    count(caller, 1);
    try {
      return await poll(file.id);
    } finally {
      count(caller, -1);
    }
  };
}
