import { inStore, openDatabase } from '../indexed-db.ts';

/*
 * The files that another app has shared. The service worker stores them in IndexedDB until they are uploaded, since
 * the person may have to sign in first. Only the latest share is held, so that they cannot add up.
 */

const FILES = 'files';
const KEY = 'latest';

/** Stores files in place of those before. */
export const putSharedFiles = (files: readonly File[]) =>
  inFiles('readwrite', (store) => store.put(files, KEY));

export const sharedFiles = async (): Promise<File[]> =>
  (await inFiles('readonly', (store) => store.get(KEY) as IDBRequest<File[] | undefined>)) ?? [];

export const removeSharedFiles = () => inFiles('readwrite', (store) => store.delete(KEY));

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
