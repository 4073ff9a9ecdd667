import { inStore, openDatabase } from '../indexed-db.ts';

/*
 * The files that other apps have shared. The service worker stores them in IndexedDB until they are uploaded, since the
 * person may have to sign in first. Any site can send a form to the share address, and its request looks like that of
 * an app. Therefore a share never replaces waiting files, and the person sees each file, and can remove it, before
 * anything is uploaded.
 */

const FILES = 'files';

/** Maximum number of waiting files. */
export const MAX_SHARED = 500;

export interface SharedFile {
  /** Key in the store, in the order of sharing. */
  key: IDBValidKey;
  file: File;
}

/** Adds files to the waiting ones, up to `MAX_SHARED` in total. */
export const addSharedFiles = (files: readonly File[]) =>
  inFiles('readwrite', (store) => {
    const waiting = store.count();
    waiting.onsuccess = () => {
      const now = Date.now();
      for (const [index, file] of files.slice(0, Math.max(0, MAX_SHARED - waiting.result)).entries())
        store.put(file, [now, index, crypto.randomUUID()]);
    };
    return waiting;
  });

/**
 * Key of the record in which a service worker of an earlier version stores all files. Such a worker still receives
 * files until the first page has loaded.
 */
const TOGETHER = 'latest';

const separate = () =>
  inFiles('readwrite', (store) => {
    const together = store.get(TOGETHER) as IDBRequest<File[] | undefined>;
    together.onsuccess = () => {
      for (const [index, file] of (together.result ?? []).entries())
        store.put(file, [0, index, crypto.randomUUID()]);
      store.delete(TOGETHER);
    };
    return together;
  });

export async function sharedFiles(): Promise<SharedFile[]> {
  await separate();
  const waiting: SharedFile[] = [];
  await inFiles('readonly', (store) => {
    const request = store.openCursor();
    request.onsuccess = () => {
      const cursor = request.result;
      if (!cursor) return;
      waiting.push({ key: cursor.key, file: cursor.value as File });
      cursor.continue();
    };
    return request;
  });
  return waiting;
}

export const removeSharedFiles = (files: readonly SharedFile[]) =>
  inFiles('readwrite', (store) => {
    for (const { key } of files) store.delete(key);
    return store.count();
  });

export const clearSharedFiles = () => inFiles('readwrite', (store) => store.clear());

async function inFiles<Result>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await openDatabase('posthouse-shared', (created) => created.createObjectStore(FILES));
  try {
    return await inStore(database, { name: FILES, mode }, work);
  } finally {
    database.close();
  }
}
