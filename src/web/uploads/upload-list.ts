import type { Upload } from './upload.ts';

const NOTIFY_MS = 100;

/** The uploads of this tab, as a store for `useSyncExternalStore`. */
export interface UploadList {
  all(): Upload[];
  get(id: string): Upload | undefined;
  put(upload: Upload): void;
  change(id: string, changes: Partial<Upload>): void;
  delete(id: string): void;
  clear(): void;
  subscribe(listener: () => void): () => void;
  /** The uploads at the last notification. */
  snapshot(): readonly Upload[];
}

export function createUploadList(): UploadList {
  const uploads = new Map<string, Upload>();
  const listeners = new Set<() => void>();
  let snapshot: readonly Upload[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Notifies at most every NOTIFY_MS, because progress events are frequent. */
  function notify() {
    if (timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      snapshot = [...uploads.values()];
      for (const listener of listeners) listener();
    }, NOTIFY_MS);
  }

  const list: UploadList = {
    all: () => [...uploads.values()],
    get: (id) => uploads.get(id),
    put(upload) {
      uploads.set(upload.id, upload);
      notify();
    },
    change(id, changes) {
      const upload = uploads.get(id);
      if (upload) list.put({ ...upload, ...changes });
    },
    delete(id) {
      uploads.delete(id);
      notify();
    },
    clear: () => uploads.clear(),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    snapshot: () => snapshot,
  };
  return list;
}
