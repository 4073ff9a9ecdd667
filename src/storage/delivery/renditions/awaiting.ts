import { SECOND } from '../../../kernel/clock.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { createTally } from '../../../kernel/tally.ts';
import { type Rendition, type RenditionKind, renditionsOf, type StoredFile } from '../../tree/files/file.ts';

const MAX_MS = SECOND;
const PAUSE_MS = 50;
const AT_ONCE = 32;
const AT_ONCE_EACH = 2;

/**
 * Waits for a pending rendition of a file, at most a second. At most two requests of a caller and 32 in total wait at
 * once; others return its present state.
 * @param caller id of the account
 */
export type AwaitRendition = (file: StoredFile, kind: RenditionKind, caller: string) => Promise<Rendition>;

interface AwaitDeps {
  database: Database;
  /** Called with the id of a file that a request waits for. */
  hurry(fileId: string): void;
}

export function createAwaitRendition({ database, hurry }: AwaitDeps): AwaitRendition {
  const waiting = createTally<string>();

  const read = async (id: string) =>
    await database.read
      .selectFrom('files')
      .select(['thumbnail_state', 'thumbnail_key', 'preview_of', 'preview_key', 'blob_key'])
      .where('id', '=', id)
      .executeTakeFirst();

  async function poll({ id, ...file }: StoredFile, kind: RenditionKind): Promise<Rendition> {
    for (let left = MAX_MS; left > 0; left -= PAUSE_MS) {
      await Bun.sleep(PAUSE_MS);
      const row = await read(id);
      const rendition = row && renditionsOf(row)[kind];
      if (rendition?.state !== 'pending') return rendition ?? { state: 'none', key: null };
    }
    return file[kind];
  }

  return async (file, kind, caller) => {
    if (file[kind].state !== 'pending') return file[kind];
    if (waiting.total >= AT_ONCE || waiting.of(caller) >= AT_ONCE_EACH) return file[kind];
    waiting.add(caller, 1);
    hurry(file.id);
    try {
      return await poll(file, kind);
    } finally {
      waiting.add(caller, -1);
    }
  };
}
