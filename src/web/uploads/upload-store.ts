import { inStore, openDatabase } from '../indexed-db.ts';
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
    opened ??= openDatabase(DATABASE, (created) => {
      created.createObjectStore(FILES, { keyPath: 'id' });
      created.createObjectStore(ADDRESSES);
    });
    return opened;
  };
  const write = async (name: string, work: (store: IDBObjectStore) => IDBRequest) =>
    await inStore(await database(), { name, mode: 'readwrite' }, work);
  const read = async <Result>(name: string, work: (store: IDBObjectStore) => IDBRequest<Result>) =>
    await inStore(await database(), { name, mode: 'readonly' }, work);

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
    put: (upload) => succeeded(write(FILES, (store) => store.put(upload))),
    async putAddress(id, address) {
      await succeeded(write(ADDRESSES, (store) => store.put(address, id)));
    },
    async remove(id) {
      await succeeded(write(FILES, (store) => store.delete(id)));
      await succeeded(write(ADDRESSES, (store) => store.delete(id)));
    },
    async all(accountId) {
      try {
        const stored = await read(FILES, (store) => store.getAll() as IDBRequest<StoredUpload[]>);
        const mine = stored.filter((upload) => upload.accountId === accountId);
        const address = (id: string) =>
          read(ADDRESSES, (store) => store.get(id) as IDBRequest<string | undefined>);
        return await Promise.all(
          mine.map(async (upload) => ({ ...upload, address: (await address(upload.id)) ?? null })),
        );
      } catch {
        return [];
      }
    },
  };
}
