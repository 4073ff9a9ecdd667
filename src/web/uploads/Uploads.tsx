import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { keys } from '../api/storage.ts';
import { createUploadFolders } from './folders.ts';
import { createKeep } from './keep.ts';
import { createUploads, type Uploads } from './queue.ts';
import { takesResumable } from './resumable.ts';
import { createTabs } from './tabs.ts';
import type { Upload } from './upload.ts';

const UploadsContext = createContext<Uploads | null>(null);
const LOOK_AGAIN_MS = 400;

/** Gives the pages below it the uploads of this tab, which go on while one walks from page to page. */
export function UploadsProvider({ accountId, children }: { accountId: string; children: ReactNode }) {
  const client = useQueryClient();
  const [uploads, setUploads] = useState<Uploads | null>(null);
  useEffect(() => {
    const changed = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Many small files arrive at once: the folder is looked at once for all of them.
    const arrived = (folderId: string) => {
      changed.add(folderId);
      timer ??= setTimeout(() => {
        timer = undefined;
        for (const id of changed) void client.invalidateQueries({ queryKey: keys.files(id) });
        changed.clear();
        void client.invalidateQueries({ queryKey: keys.usage });
      }, LOOK_AGAIN_MS);
    };
    const made = createUploads({
      accountId,
      keep: createKeep(),
      tabs: createTabs,
      folders: createUploadFolders((parentId) => void client.invalidateQueries({ queryKey: keys.folder(parentId) })),
      resumable: takesResumable,
      arrived,
    });
    setUploads(made);
    return () => {
      clearTimeout(timer);
      made.close();
    };
  }, [accountId, client]);
  return uploads && <UploadsContext value={uploads}>{children}</UploadsContext>;
}

/** The uploads of this tab. */
export function useUploads(): Uploads {
  const uploads = useContext(UploadsContext);
  if (!uploads) throw new Error('outside of UploadsProvider');
  return uploads;
}

export function useUploadList(): readonly Upload[] {
  const uploads = useUploads();
  return useSyncExternalStore(uploads.subscribe, uploads.list);
}
