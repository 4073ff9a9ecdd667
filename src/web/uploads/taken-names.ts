import { nameKey } from '../../text/name-key.ts';
import { listNames } from '../api/storage.ts';

const KEPT_MS = 10_000;

/**
 * The names of files in folders, read once for many uploads that were added together. Later uploads read them again: a
 * file may have been deleted, moved or renamed since.
 */
export interface TakenNames {
  /** Reports whether a file had the name a moment ago; false when the names cannot be read. */
  has(folderId: string, name: string): Promise<boolean>;
}

export function createTakenNames(): TakenNames {
  const known = new Map<string, Promise<ReadonlySet<string>>>();

  function read(folderId: string): Promise<ReadonlySet<string>> {
    const names = listNames(folderId).then((list) => new Set(list.map(nameKey)));
    known.set(folderId, names);
    const forget = () => known.delete(folderId);
    names.then(() => setTimeout(forget, KEPT_MS), forget);
    return names;
  }

  return {
    async has(folderId, name) {
      try {
        const names = await (known.get(folderId) ?? read(folderId));
        return names.has(nameKey(name));
      } catch {
        return false;
      }
    },
  };
}
