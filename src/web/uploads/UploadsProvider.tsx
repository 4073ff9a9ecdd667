import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useState, useSyncExternalStore } from 'react';
import { keys } from '../api/keys.ts';
import { useQuestions } from '../conflicts/ConflictsProvider.tsx';
import type { Refresher } from '../live/refresh.ts';
import { createUploadQueue, type UploadQueue } from './queue.ts';
import { createTabClaims } from './tab-claims.ts';
import { createTakenNames } from './taken-names.ts';
import type { Upload } from './upload.ts';
import { createUploadFolders } from './upload-folders.ts';
import { createUploadStore } from './upload-store.ts';

const UploadsContext = createContext<UploadQueue | null>(null);

interface UploadsProviderProps {
  accountId: string;
  refresher: Refresher;
  children: ReactNode;
}

/** Provides the upload queue of this tab, which continues across pages. */
export function UploadsProvider({ accountId, refresher, children }: UploadsProviderProps) {
  const client = useQueryClient();
  const questions = useQuestions();
  const [uploads, setUploads] = useState<UploadQueue | null>(null);
  useEffect(() => {
    const queue = createUploadQueue({
      accountId,
      createTabClaims,
      questions,
      createNames: createTakenNames,
      store: createUploadStore(),
      createFolders: () =>
        createUploadFolders(
          (parentId) => void client.invalidateQueries({ queryKey: [...keys.folder, parentId] }),
        ),
      // As an event, which the server also sends, so that lists are not loaded twice.
      arrived: (folderId) => refresher.changed({ name: 'files', data: { folderId } }),
    });
    setUploads(queue);
    return queue.close;
  }, [accountId, client, questions, refresher]);
  return uploads && <UploadsContext value={uploads}>{children}</UploadsContext>;
}

export function useUploads(): UploadQueue {
  const uploads = use(UploadsContext);
  if (!uploads) throw new Error('useUploads must be used inside UploadsProvider');
  return uploads;
}

export function useUploadList(): readonly Upload[] {
  const uploads = useUploads();
  return useSyncExternalStore(uploads.subscribe, uploads.list);
}
