import { ApiError } from '../api/http.ts';
import { createFolder, getFolder } from '../api/storage.ts';

/** Finds or makes the folders that uploads go into, each once, however many files wait for it. */
export interface UploadFolders {
  /** The id of the folder `path` below `folderId`. @throws ApiError */
  find(folderId: string, path: readonly string[]): Promise<string>;
}

/** @param made told the parent of every folder that was made */
export function createUploadFolders(made: (parentId: string) => void): UploadFolders {
  const known = new Map<string, Promise<string>>();

  async function make(parentId: string, name: string): Promise<string> {
    try {
      const { id } = await createFolder(name, parentId);
      made(parentId);
      return id;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'name_taken') throw error;
      const { folders } = await getFolder(parentId);
      const there = folders.find((folder) => plain(folder.name) === plain(name));
      if (!there) throw error;
      return there.id;
    }
  }

  function find(folderId: string, path: readonly string[]): Promise<string> {
    const name = path.at(-1);
    if (name === undefined) return Promise.resolve(folderId);
    const key = [folderId, ...path].join('/');
    let found = known.get(key);
    if (!found) {
      found = find(folderId, path.slice(0, -1)).then((parentId) => make(parentId, name));
      known.set(key, found);
      // A failure is not remembered: the next file tries again. Nor is success for long: folders can be deleted.
      found.then(
        () => setTimeout(() => known.delete(key), 60_000),
        () => known.delete(key),
      );
    }
    return found;
  }

  return { find };
}

/** As the server compares the names of folders. */
const plain = (name: string) => name.normalize('NFC').toLowerCase();
