import { PosthouseError } from '../../client/index.ts';
import { posthouse } from '../api/posthouse.ts';
import { isNameTaken } from '../conflicts/resolve.ts';
import { formatBytes } from '../formats.ts';
import { texts } from './texts.ts';
import type { Upload } from './upload.ts';
import type { UploadConflicts } from './upload-conflicts.ts';
import type { UploadList } from './upload-list.ts';
import type { UploadStore } from './upload-store.ts';

const MAX_RETRY_MS = 8_000;

export interface SenderDeps {
  list: UploadList;
  store: UploadStore;
  conflicts: UploadConflicts;
  /** Called after a file was stored in this folder. */
  arrived(folderId: string): void;
  /** Called when the sender can start another upload. */
  idle(): void;
}

/** Sends uploads, and retries them while the server does not respond. */
export interface Sender {
  start(upload: Upload): void;
  stop(id: string): void;
  stopAll(): void;
  isRunning(id: string): boolean;
  count(): number;
  /** Retries an upload that is offline. */
  retry(id: string): void;
}

export function createSender({ list, store, conflicts, arrived, idle }: SenderDeps): Sender {
  const running = new Map<string, AbortController>();
  const failures = new Map<string, number>();
  const requireSize = createSizeCheck();

  async function run(upload: Upload, { signal }: AbortController) {
    const { id, folders, replaceFileId } = upload;
    let folderId: string | null = null;
    try {
      await requireSize(upload.file);
      folderId = await folders.find(upload.folderId, upload.path);
      if (await conflicts.isOpen(upload, folderId)) return void conflicts.decide(upload, folderId);
      await posthouse.uploads.upload(upload.file, {
        name: upload.name,
        folderId,
        ...(replaceFileId === null ? { onConflict: upload.onConflict } : { replaceFileId }),
        address: upload.address,
        signal,
        // The retries below also cover the requests before and after the upload.
        retryDelays: [],
        onProgress(sent) {
          failures.delete(id);
          list.change(id, { sent });
        },
        onAddress(address) {
          list.change(id, { address });
          void store.putAddress(id, address);
        },
      });
      list.change(id, { status: 'done', sent: upload.file.size });
      void store.remove(id);
      arrived(folderId);
    } catch (error) {
      if (signal.aborted) return;
      // Another file got the name meanwhile.
      if (folderId !== null && isNameTaken(error)) void conflicts.decide(upload, folderId);
      else fail(upload, error as Error);
    } finally {
      running.delete(id);
      idle();
    }
  }

  function fail({ id, folders }: Upload, error: Error) {
    // A retry creates a folder that was deleted during the uploads.
    if (error instanceof PosthouseError && error.status === 404) folders.forget();
    if (!isTransient(error)) {
      list.change(id, { status: 'failed', reason: isChanged(error) ? texts.unreadable : error.message });
      // After a reload it would fail again.
      void store.remove(id);
      return;
    }
    const count = (failures.get(id) ?? 0) + 1;
    failures.set(id, count);
    const isRefused = error instanceof PosthouseError && error.status === 429;
    list.change(id, { status: 'offline', reason: isRefused ? error.message : texts.noResponse });
    const wanted = error instanceof PosthouseError ? (error.retryAfterMs ?? 0) : 0;
    setTimeout(() => retry(id), Math.max(wanted, Math.min(MAX_RETRY_MS, 500 * 2 ** count)));
  }

  function retry(id: string) {
    if (list.get(id)?.status !== 'offline') return;
    list.change(id, { status: 'waiting' });
    idle();
  }

  return {
    start(upload) {
      const controller = new AbortController();
      running.set(upload.id, controller);
      list.change(upload.id, { status: 'running', reason: null });
      void run(upload, controller);
    },
    stop: (id) => running.get(id)?.abort(),
    stopAll() {
      for (const controller of running.values()) controller.abort();
    },
    isRunning: (id) => running.has(id),
    count: () => running.size,
    retry,
  };
}

/** Returns a function that refuses a file that is too large before it is sent, with a PosthouseError. */
function createSizeCheck(): (file: File) => Promise<void> {
  let limit: Promise<number | null> | null = null;
  return async ({ size }) => {
    limit ??= posthouse.uploads.maxBytes();
    const maxBytes = await limit.catch((error) => {
      limit = null;
      throw error;
    });
    if (maxBytes === null || size <= maxBytes) return;
    // A retry reads the limit again.
    limit = null;
    const detail = texts.tooLarge(formatBytes(size), formatBytes(maxBytes));
    throw new PosthouseError({ status: 413, code: 'file_too_large', detail });
  };
}

/**
 * Reports whether a retry can succeed: after no response, a lock by another request (423), a rate limit (429), or a
 * server error other than a lack of storage (507).
 */
function isTransient(error: Error): boolean {
  if (!(error instanceof PosthouseError)) return true;
  const { status } = error;
  if (isChanged(error)) return false;
  return [0, 423, 429].includes(status) || (status >= 500 && status !== 507);
}

/** Reports whether the file was moved or changed on the disk. */
const isChanged = (error: Error) => error instanceof PosthouseError && error.code === 'file_changed';
