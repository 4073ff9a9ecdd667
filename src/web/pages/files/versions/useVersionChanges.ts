import { useRefreshFolders } from '../../../api/refresh-folders.ts';
import type { FileMetadata } from '../../../api/storage.ts';
import { eraseVersion, type FileVersion, listVersions, restoreVersion } from '../../../api/versions.ts';
import { attempt, notify, runReported } from '../../../components/notify.tsx';
import { texts } from './texts.ts';

/** Changes to the versions of a file. Each reports its result. */
export function useVersionChanges({ id, folderId, originalName }: FileMetadata) {
  const refresh = useRefreshFolders();
  const change = async (work: () => Promise<unknown>) => {
    await attempt(work);
    refresh([folderId]);
  };

  return {
    restore: (version: FileVersion) =>
      change(async () => {
        await restoreVersion(id, version.id);
        const [before] = await listVersions(id);
        const undo = () =>
          change(async () => {
            if (before) await restoreVersion(id, before.id);
            notify(texts.undone(originalName));
          });
        notify(texts.restoredVersion(originalName), before && (() => void undo()));
      }),
    /** Rejects after an error. */
    erase: (version: FileVersion) =>
      runReported(() => eraseVersion(id, version.id)).finally(() => refresh([folderId])),
  };
}
