import { useQueryClient } from '@tanstack/react-query';
import { keys } from './keys.ts';

/** Returns a function that refetches folders, and everything that depends on their content. */
export function useRefreshFolders() {
  const client = useQueryClient();
  return (folderIds: Iterable<string>) => {
    for (const id of new Set(folderIds)) {
      void client.invalidateQueries({ queryKey: [...keys.files, id] });
      void client.invalidateQueries({ queryKey: [...keys.folder, id] });
    }
    // The last three match all files and searches, but few of these are shown at a time.
    for (const queryKey of [keys.usage, keys.trash, keys.file, keys.versions, keys.search])
      void client.invalidateQueries({ queryKey });
  };
}
