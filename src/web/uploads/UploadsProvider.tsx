import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useState, useSyncExternalStore } from 'react';
import { keys } from '../api/keys.ts';
import { refreshFolders } from '../api/refresh-folders.ts';
import { useQuestions } from '../conflicts/ConflictsProvider.tsx';
import { createUploadQueue, type UploadQueue } from './queue.ts';
import { createTabClaims } from './tab-claims.ts';
import { createTakenNames } from './taken-names.ts';
import type { Upload } from './upload.ts';
import { createUploadFolders } from './upload-folders.ts';
import { createUploadStore } from './upload-store.ts';

const UploadsContext = createContext<UploadQueue | null>(null);
const REFRESH_MS = 400;

/** Provides the upload queue of this tab, which continues across pages. */
export function UploadsProvider({ accountId, children }: { accountId: string; children: ReactNode }) {
  const client = useQueryClient();
  const questions = useQuestions();
  const [uploads, setUploads] = useState<UploadQueue | null>(null);
  useEffect(() => {
    const refresh = createRefresh(client);
    const queue = createUploadQueue({
      accountId,
      createTabClaims,
      questions,
      names: createTakenNames(),
      store: createUploadStore(),
      folders: createUploadFolders(
        (parentId) => void client.invalidateQueries({ queryKey: [...keys.folder, parentId] }),
      ),
      arrived: refresh.schedule,
    });
    setUploads(queue);
    return () => {
      refresh.cancel();
      queue.close();
    };
  }, [accountId, client, questions]);
  return uploads && <UploadsContext value={uploads}>{children}</UploadsContext>;
}

/** Refreshes folders with new files, once for many files that arrive together. */
function createRefresh(client: QueryClient) {
  const folders = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = () => {
    timer = undefined;
    refreshFolders(client, folders);
    folders.clear();
  };
  return {
    schedule(folderId: string) {
      folders.add(folderId);
      timer ??= setTimeout(refresh, REFRESH_MS);
    },
    cancel: () => clearTimeout(timer),
  };
}

/** The upload queue of this tab. */
export function useUploads(): UploadQueue {
  const uploads = use(UploadsContext);
  if (!uploads) throw new Error('useUploads must be used inside UploadsProvider');
  return uploads;
}

export function useUploadList(): readonly Upload[] {
  const uploads = useUploads();
  return useSyncExternalStore(uploads.subscribe, uploads.list);
}
