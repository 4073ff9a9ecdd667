import { PosthouseError } from '../../client/index.ts';
import { nameKey } from '../../text/name-key.ts';
import { createFolder, getFolder } from '../api/storage.ts';

/**
 * Finds or creates the folders of uploads that were added together, each once even if many files need it. Later uploads
 * look for theirs again: a folder may have been renamed, moved or deleted since.
 */
export interface UploadFolders {
  /** Returns the ID of the folder at `path` below `folderId`. @throws PosthouseError */
  find(folderId: string, path: readonly string[]): Promise<string>;
  /** Makes `find` look for the folders again, after one of them was deleted. */
  forget(): void;
}

/** @param created called with the parent of each created folder */
export function createUploadFolders(created: (parentId: string) => void): UploadFolders {
  const known = new Map<string, Promise<string>>();

  async function create(parentId: string, name: string): Promise<string> {
    try {
      const { id } = await createFolder(name, parentId);
      created(parentId);
      return id;
    } catch (error) {
      if (!(error instanceof PosthouseError) || error.code !== 'name_taken') throw error;
      const { folders } = await getFolder(parentId);
      const existing = folders.find((folder) => nameKey(folder.name) === nameKey(name));
      if (!existing) throw error;
      return existing.id;
    }
  }

  function find(folderId: string, path: readonly string[]): Promise<string> {
    const name = path.at(-1);
    if (name === undefined) return Promise.resolve(folderId);
    const key = [folderId, ...path].join('/');
    let found = known.get(key);
    if (!found) {
      found = find(folderId, path.slice(0, -1)).then((parentId) => create(parentId, name));
      known.set(key, found);
      // The next file retries after an error.
      found.catch(() => known.delete(key));
    }
    return found;
  }

  return { find, forget: () => known.clear() };
}
