import type { Upload } from './upload.ts';

/** An upload as stored across reloads. */
export type StoredUpload = Pick<Upload, 'id' | 'file' | 'name' | 'folderId' | 'path' | 'replaceFileId'> & {
  accountId: string;
};

/** Stores unfinished uploads in IndexedDB, so that they continue after a reload. */
export interface UploadStore {
  /** Returns false if the browser stores nothing, for instance in a private window. */
  put(upload: StoredUpload): Promise<boolean>;
  /** Stores the URL of a resumable upload. Separate from `put`, which copies the whole file. */
  putAddress(id: string, address: string): Promise<void>;
  remove(id: string): Promise<void>;
  all(accountId: string): Promise<(StoredUpload & { address: string | null })[]>;
}

const DATABASE = 'posthouse';
const FILES = 'uploads';
const ADDRESSES = 'upload-addresses';

export function createUploadStore(): UploadStore {
  let opened: Promise<IDBDatabase> | undefined;
  const database = () => {
    opened ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(DATABASE, 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore(FILES, { keyPath: 'id' });
        request.result.createObjectStore(ADDRESSES);
      };
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    return opened;
  };

  async function inStore<Result>(
    name: string,
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore) => IDBRequest<Result>,
  ): Promise<Result> {
    const transaction = (await database()).transaction(name, mode);
    const request = work(transaction.objectStore(name));
    return await new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  }

  // In private windows and on full disks, uploads work without being stored.
  const succeeded = async (work: Promise<unknown>) => {
    try {
      await work;
      return true;
    } catch {
      return false;
    }
  };

  return {
    put: (upload) => succeeded(inStore(FILES, 'readwrite', (store) => store.put(upload))),
    async putAddress(id, address) {
      await succeeded(inStore(ADDRESSES, 'readwrite', (store) => store.put(address, id)));
    },
    async remove(id) {
      await succeeded(inStore(FILES, 'readwrite', (store) => store.delete(id)));
      await succeeded(inStore(ADDRESSES, 'readwrite', (store) => store.delete(id)));
    },
    async all(accountId) {
      try {
        const stored = await inStore(
          FILES,
          'readonly',
          (store) => store.getAll() as IDBRequest<StoredUpload[]>,
        );
        const mine = stored.filter((upload) => upload.accountId === accountId);
        const address = (id: string) =>
          inStore(ADDRESSES, 'readonly', (store) => store.get(id) as IDBRequest<string | undefined>);
        return await Promise.all(
          mine.map(async (upload) => ({ ...upload, address: (await address(upload.id)) ?? null })),
        );
      } catch {
        return [];
      }
    },
  };
}
