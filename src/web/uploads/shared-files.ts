import { inStore, openDatabase } from '../indexed-db.ts';

/*
 * The files that other apps have shared. The service worker stores them in IndexedDB until they are uploaded, since
 * the person may have to sign in first. Any site can send a form to the address of shares, and nothing distinguishes
 * its request from that of an app. So a share never replaces files that wait, and the person sees and can remove each
 * of them before anything is uploaded.
 */

const FILES = 'files';
const KEY = 'latest';

/** Maximum number of waiting files. */
const MAX_FILES = 500;

/** Adds files to those that wait. */
export const addSharedFiles = async (files: readonly File[]) =>
  await keepSharedFiles([...(await sharedFiles()), ...files].slice(0, MAX_FILES));

/** Stores the files that still wait. */
export const keepSharedFiles = (files: readonly File[]) =>
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
