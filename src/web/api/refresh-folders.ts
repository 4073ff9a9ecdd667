import { useQueryClient } from '@tanstack/react-query';
import { keys } from './storage.ts';

/** Returns a function that reads folders, and what depends on their content, again. */
export function useRefreshFolders() {
  const client = useQueryClient();
  return (folderIds: Iterable<string>) => {
    for (const id of new Set(folderIds)) {
      void client.invalidateQueries({ queryKey: keys.files(id) });
      void client.invalidateQueries({ queryKey: keys.folder(id) });
    }
    // The last ones are of single files, and few are open.
    for (const queryKey of [keys.usage, keys.trash, ['file'], ['versions']])
      void client.invalidateQueries({ queryKey });
  };
}
