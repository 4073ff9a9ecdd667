import type { Upload } from './upload.ts';

/** What outlives a reload: the file itself and where it was going. */
export type KeptUpload = Pick<Upload, 'id' | 'file' | 'name' | 'folderId' | 'path' | 'replaceFileId'> & { accountId: string };

/** Keeps unfinished uploads in the browser, so that they go on after a reload. */
export interface Keep {
  /** Gives false where the browser keeps nothing. */
  put(upload: KeptUpload): Promise<boolean>;
  /** Notes where a resumable upload goes on. Apart from `put`, since that copies the whole file. */
  putAddress(id: string, address: string): Promise<void>;
  remove(id: string): Promise<void>;
  all(accountId: string): Promise<(KeptUpload & { address: string | null })[]>;
}

const DATABASE = 'posthouse';
const FILES = 'uploads';
const ADDRESSES = 'upload-addresses';

export function createKeep(): Keep {
  let opening: Promise<IDBDatabase> | undefined;
  const database = () => {
    opening ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(DATABASE, 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore(FILES, { keyPath: 'id' });
        request.result.createObjectStore(ADDRESSES);
      };
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    return opening;
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

  // Private windows and full disks: an upload does not depend on being kept.
  const quietly = async (work: Promise<unknown>) => {
    try {
      await work;
      return true;
    } catch {
      return false;
    }
  };

  return {
    put: (upload) => quietly(inStore(FILES, 'readwrite', (store) => store.put(upload))),
    async putAddress(id, address) {
      await quietly(inStore(ADDRESSES, 'readwrite', (store) => store.put(address, id)));
    },
    async remove(id) {
      await quietly(inStore(FILES, 'readwrite', (store) => store.delete(id)));
      await quietly(inStore(ADDRESSES, 'readwrite', (store) => store.delete(id)));
    },
    async all(accountId) {
      try {
        const kept = await inStore(FILES, 'readonly', (store) => store.getAll() as IDBRequest<KeptUpload[]>);
        const mine = kept.filter((upload) => upload.accountId === accountId);
        const address = (id: string) => inStore(ADDRESSES, 'readonly', (store) => store.get(id) as IDBRequest<string | undefined>);
        return await Promise.all(mine.map(async (upload) => ({ ...upload, address: (await address(upload.id)) ?? null })));
      } catch {
        return [];
      }
    },
  };
}
