import { texts } from './texts.ts';
import type { Upload } from './upload.ts';
import type { UploadList } from './upload-list.ts';

interface UploadConflictsDeps {
  list: UploadList;
  /** Removes an upload that is skipped. */
  skip(upload: Upload): void;
  /** Called when an upload can start. */
  ready(): void;
}

/** Uploads whose names are taken in their folders. The others continue while the person decides. */
export interface UploadConflicts {
  /** Reports whether the person has to decide before the file is sent. */
  isOpen(upload: Upload, folderId: string): Promise<boolean>;
  /** Asks the person. The upload is then restarted or skipped. */
  decide(upload: Upload, folderId: string): Promise<void>;
}

export function createUploadConflicts({ list, skip, ready }: UploadConflictsDeps): UploadConflicts {
  return {
    async isOpen({ replaceFileId, onConflict, address, name, names }, folderId) {
      // The server has already accepted the name of an upload that it has created.
      if (replaceFileId !== null || onConflict !== 'fail' || address !== null) return false;
      return await names.has(folderId, name);
    },
    async decide(upload, folderId) {
      const { id, name, file, ask } = upload;
      const reason = texts.waitingForChoice;
      list.change(id, { status: 'asking', sent: 0, address: null, reason });
      const conflict = { kind: 'file', name, folderId, sizeBytes: file.size, replaced: 'version' } as const;
      const choice = await ask(conflict);
      // Paused or removed meanwhile.
      if (list.get(id)?.status !== 'asking') return;
      if (choice === 'skip') skip(upload);
      else list.change(id, { status: 'waiting', reason: null, onConflict: choice });
      ready();
    },
  };
}
