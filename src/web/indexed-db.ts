/** Opens a database. @param create creates the object stores of a new database */
export function openDatabase(name: string, create: (database: IDBDatabase) => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => create(request.result);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Runs one request in a transaction. Returns its result after the commit. */
export async function inStore<Result>(
  database: IDBDatabase,
  { name, mode }: { name: string; mode: IDBTransactionMode },
  work: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const transaction = database.transaction(name, mode);
  const request = work(transaction.objectStore(name));
  return await new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
  });
}
