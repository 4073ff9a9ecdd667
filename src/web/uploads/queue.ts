import { ApiError } from '../api/http.ts';
import { uploadTexts } from '../texts/uploads.ts';
import type { Chosen } from './dropped.ts';
import type { UploadFolders } from './folders.ts';
import type { Keep } from './keep.ts';
import { sendPlain } from './plain.ts';
import { discard, sendResumable } from './resumable.ts';
import type { Tabs } from './tabs.ts';
import { isUnfinished, type Upload } from './upload.ts';

const SIDE_BY_SIDE = 3;
/** A smaller file is as quickly sent again as resumed. */
const RESUMABLE_FROM = 4_000_000;
const TOLD_EVERY_MS = 100;
const LONGEST_PAUSE_MS = 8_000;

interface QueueParts {
  accountId: string;
  keep: Keep;
  folders: UploadFolders;
  tabs: (mine: () => readonly string[]) => Tabs;
  resumable: () => Promise<boolean>;
  /** A file has arrived in this folder. */
  arrived(folderId: string): void;
}

/** The uploads of this tab: some at once, the others behind them. */
export interface Uploads {
  subscribe(told: () => void): () => void;
  list(): readonly Upload[];
  add(chosen: readonly Chosen[], folderId: string): void;
  /** Makes folders that were dropped without a file in them. @throws ApiError */
  makeFolders(paths: readonly string[][], folderId: string): Promise<void>;
  replace(fileId: string, folderId: string, file: File): void;
  pause(ids: readonly string[]): void;
  /** Goes on with paused ones and tries failed ones again. */
  resume(ids: readonly string[]): void;
  /** Ends unfinished ones and takes them, like all others named, off the list. */
  remove(ids: readonly string[]): void;
  close(): void;
}

export function createUploads({ accountId, keep, folders, tabs, resumable, arrived }: QueueParts): Uploads {
  const uploads = new Map<string, Upload>();
  const running = new Map<string, AbortController>();
  const failures = new Map<string, number>();
  const listeners = new Set<() => void>();
  let shown: readonly Upload[] = [];
  let telling: ReturnType<typeof setTimeout> | undefined;
  let server: Promise<boolean> | undefined;
  const others = tabs(() => [...uploads.values()].filter((upload) => upload.status !== 'done').map(({ id }) => id));

  function tell() {
    if (telling) return;
    telling = setTimeout(() => {
      telling = undefined;
      shown = [...uploads.values()];
      for (const told of listeners) told();
    }, TOLD_EVERY_MS);
  }

  function change(id: string, changes: Partial<Upload>) {
    const upload = uploads.get(id);
    if (upload) uploads.set(id, { ...upload, ...changes });
    tell();
  }

  /** A new batch begins with an empty list. */
  function clearOldBatch() {
    const all = [...uploads.values()];
    if (all.every(({ status }) => status === 'done')) uploads.clear();
  }

  function take(taken: Pick<Upload, 'file' | 'name' | 'folderId' | 'path' | 'replaceFileId'>) {
    const id = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
    uploads.set(id, { ...taken, id, status: 'waiting', sent: 0, reason: null, address: null, kept: false });
    void keep.put({ ...taken, id, accountId }).then((kept) => {
      // It may have arrived, or been taken off, while it was being kept.
      const status = uploads.get(id)?.status;
      if (status === undefined || status === 'done') void keep.remove(id);
      else change(id, { kept });
    });
  }

  function fill() {
    for (const { id, status } of uploads.values()) {
      if (running.size >= SIDE_BY_SIDE) break;
      if (status === 'waiting' && !running.has(id)) void run(id);
    }
    tell();
  }

  async function run(id: string) {
    const upload = uploads.get(id);
    if (!upload) return;
    const controller = new AbortController();
    running.set(id, controller);
    change(id, { status: 'running', reason: null });
    try {
      const folderId = await folders.find(upload.folderId, upload.path);
      const inParts = upload.file.size >= RESUMABLE_FROM && (await takesResumable());
      await (inParts ? sendResumable : sendPlain)({
        upload,
        folderId,
        signal: controller.signal,
        progress(sent) {
          failures.delete(id);
          change(id, { sent });
        },
        addressed(address) {
          change(id, { address });
          void keep.putAddress(id, address);
        },
      });
      change(id, { status: 'done', sent: upload.file.size });
      void keep.remove(id);
      arrived(folderId);
    } catch (error) {
      if (!controller.signal.aborted) await failed(upload, error as Error);
    } finally {
      running.delete(id);
      fill();
    }
  }

  async function takesResumable(): Promise<boolean> {
    server ??= resumable();
    try {
      return await server;
    } catch {
      server = undefined;
      throw new ApiError({ status: 0, code: 'unreachable', detail: uploadTexts.offline });
    }
  }

  async function failed({ id, file }: Upload, error: Error) {
    if (!isTransient(error)) {
      change(id, { status: 'failed', reason: error.message });
      return;
    }
    // A file that was moved or changed on the disk looks like a lost connection.
    if (
      file.size > 0 &&
      !(await file
        .slice(0, 1)
        .arrayBuffer()
        .catch(() => null))
    ) {
      change(id, { status: 'failed', reason: uploadTexts.unreadable });
      return;
    }
    const count = (failures.get(id) ?? 0) + 1;
    failures.set(id, count);
    change(id, { status: 'offline', reason: uploadTexts.offline });
    setTimeout(() => again(id), Math.min(LONGEST_PAUSE_MS, 500 * 2 ** count));
  }

  function again(id: string) {
    if (uploads.get(id)?.status !== 'offline') return;
    change(id, { status: 'waiting' });
    fill();
  }

  const online = () => {
    for (const { id } of uploads.values()) again(id);
  };
  const leaving = (event: BeforeUnloadEvent) => {
    if ([...uploads.values()].some((upload) => isUnfinished(upload) && !upload.kept)) event.preventDefault();
  };
  window.addEventListener('online', online);
  window.addEventListener('beforeunload', leaving);

  async function goOn() {
    const kept = await keep.all(accountId);
    const mine = new Set(await others.unclaimed(kept.map(({ id }) => id)));
    for (const upload of kept) {
      if (mine.has(upload.id)) uploads.set(upload.id, { ...upload, status: 'waiting', sent: 0, reason: null, kept: true });
    }
    fill();
  }
  void goOn();

  return {
    subscribe(told) {
      listeners.add(told);
      return () => listeners.delete(told);
    },
    list: () => shown,
    add(chosen, folderId) {
      clearOldBatch();
      for (const { file, path } of chosen) take({ file, name: file.name, folderId, path, replaceFileId: null });
      fill();
    },
    async makeFolders(paths, folderId) {
      for (const path of paths) await folders.find(folderId, path);
    },
    replace(fileId, folderId, file) {
      clearOldBatch();
      take({ file, name: file.name, folderId, path: [], replaceFileId: fileId });
      fill();
    },
    pause(ids) {
      for (const id of ids) {
        const upload = uploads.get(id);
        if (!upload || !isUnfinished(upload)) continue;
        change(id, { status: 'paused', reason: null });
        running.get(id)?.abort();
      }
    },
    resume(ids) {
      for (const id of ids) {
        const status = uploads.get(id)?.status;
        if (status === 'paused' || status === 'failed' || status === 'offline') change(id, { status: 'waiting', reason: null });
      }
      fill();
    },
    remove(ids) {
      for (const id of ids) {
        const upload = uploads.get(id);
        if (!upload) continue;
        uploads.delete(id);
        running.get(id)?.abort();
        if (upload.status === 'done') continue;
        void keep.remove(id);
        if (upload.address) void discard(upload.address).catch(() => {});
      }
      fill();
    },
    close() {
      window.removeEventListener('online', online);
      window.removeEventListener('beforeunload', leaving);
      others.close();
      for (const controller of running.values()) controller.abort();
    },
  };
}

/** Worth trying again without asking: no answer, an upload that another request still holds, a server in trouble. */
function isTransient(error: Error): boolean {
  if (!(error instanceof ApiError)) return true;
  const { status } = error;
  return status === 0 || status === 423 || status === 429 || (status >= 500 && status !== 507);
}
