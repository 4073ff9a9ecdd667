import { posthouse } from '../api/posthouse.ts';
import type { Questions } from '../conflicts/questions.ts';
import type { PickedFile } from './picked-files.ts';
import { createSender, type Sender, type SenderDeps } from './sender.ts';
import type { TabClaims } from './tab-claims.ts';
import type { TakenNames } from './taken-names.ts';
import { isUnfinished, type Upload } from './upload.ts';
import { createUploadConflicts } from './upload-conflicts.ts';
import type { UploadFolders } from './upload-folders.ts';
import { createUploadList, type UploadList } from './upload-list.ts';
import type { StoredUpload, UploadStore } from './upload-store.ts';

const MAX_RUNNING = 3;

interface QueueDeps extends Pick<SenderDeps, 'store' | 'arrived'> {
  accountId: string;
  questions: Questions;
  createTabClaims(own: () => readonly string[]): TabClaims;
  /** Called for the files and folders that are added together, as is `createNames`. */
  createFolders(): UploadFolders;
  createNames(): TakenNames;
}

/** The uploads of this tab: some run, the others wait. */
export interface UploadQueue {
  subscribe: UploadList['subscribe'];
  list: UploadList['snapshot'];
  /** Resolves when the browser has stored the files, or refused to. */
  add(files: readonly PickedFile[], folderId: string): Promise<void>;
  /** Creates dropped folders that contain no files. @throws PosthouseError */
  createFolders(paths: readonly string[][], folderId: string): Promise<void>;
  replace(fileId: string, folderId: string, file: File): void;
  pause(ids: readonly string[]): void;
  /** Resumes paused uploads and retries failed ones. */
  resume(ids: readonly string[]): void;
  /** Cancels unfinished uploads, and removes all of these uploads from the list. */
  remove(ids: readonly string[]): void;
  close(): void;
}

export function createUploadQueue(deps: QueueDeps): UploadQueue {
  const { accountId, createTabClaims, createFolders, store } = deps;
  const list = createUploadList();
  const conflicts = createUploadConflicts({
    list,
    skip: (upload) => remove(list, sender, store, upload),
    ready: fill,
  });
  const sender: Sender = createSender({ ...deps, list, conflicts, idle: fill });
  const claims = createTabClaims(() =>
    list.all().flatMap(({ id, status }) => (status === 'done' ? [] : [id])),
  );
  const stopListening = listenToWindow(list, sender);
  void restore(list, claims, deps).then(fill);

  function fill() {
    for (const upload of list.all()) {
      if (sender.count() >= MAX_RUNNING) return;
      if (upload.status === 'waiting' && !sender.isRunning(upload.id)) sender.start(upload);
    }
  }

  async function enqueue(added: readonly NewUpload[]): Promise<void> {
    // A new batch starts with an empty list.
    if (list.all().every(({ status }) => status === 'done' || status === 'failed')) list.clear();
    const action = actionOf(deps, added.length);
    const storing = added.map((upload) => {
      const id = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
      list.put({ ...upload, ...WAITING, ...action, id, address: null, stored: false });
      return persist(list, store, { ...upload, id, accountId });
    });
    fill();
    await Promise.all(storing);
  }

  const each = (ids: readonly string[], work: (upload: Upload) => void) => {
    for (const upload of ids.map(list.get)) if (upload) work(upload);
    fill();
  };

  return {
    subscribe: list.subscribe,
    list: list.snapshot,
    add: (files, folderId) =>
      enqueue(
        files.map(({ file, path }) => ({ file, name: file.name, folderId, path, replaceFileId: null })),
      ),
    async createFolders(paths, folderId) {
      const folders = createFolders();
      for (const path of paths) await folders.find(folderId, path);
    },
    replace: (fileId, folderId, file) =>
      void enqueue([{ file, name: file.name, folderId, path: [], replaceFileId: fileId }]),
    pause: (ids) => each(ids, (upload) => pause(list, sender, upload)),
    resume: (ids) => each(ids, (upload) => resume(list, upload)),
    remove: (ids) => each(ids, (upload) => remove(list, sender, store, upload)),
    close() {
      stopListening();
      claims.close();
      list.clear();
      sender.stopAll();
    },
  };
}

type NewUpload = Pick<Upload, 'file' | 'name' | 'folderId' | 'path' | 'replaceFileId'>;
const WAITING = { status: 'waiting', sent: 0, reason: null, onConflict: 'fail' } as const;

/** Returns what uploads that are added together share. */
const actionOf = ({ questions, createFolders, createNames }: QueueDeps, count: number) => ({
  ask: questions.forAction(count),
  folders: createFolders(),
  names: createNames(),
});

async function persist(list: UploadList, store: UploadStore, upload: StoredUpload): Promise<void> {
  const stored = await store.put(upload);
  const status = list.get(upload.id)?.status;
  // The upload ended or was removed while it was being stored.
  if (status === undefined || status === 'done' || status === 'failed') void store.remove(upload.id);
  else list.change(upload.id, { stored });
}

/** Adds the stored uploads that no other tab sends. */
async function restore(list: UploadList, claims: TabClaims, deps: QueueDeps): Promise<void> {
  const stored = await deps.store.all(deps.accountId);
  const unclaimed = new Set(await claims.unclaimed(stored.map(({ id }) => id)));
  const action = actionOf(deps, unclaimed.size);
  for (const upload of stored)
    if (unclaimed.has(upload.id)) list.put({ ...upload, ...WAITING, ...action, stored: true });
}

/**
 * Retries when the browser is online again, and warns before the page is left with uploads that are not stored. Returns
 * a function that stops both.
 */
function listenToWindow(list: UploadList, sender: Sender): () => void {
  const listeners = new AbortController();
  const { signal } = listeners;
  const online = () => {
    for (const { id } of list.all()) sender.retry(id);
  };
  const leave = (event: BeforeUnloadEvent) => {
    if (list.all().some((upload) => isUnfinished(upload) && !upload.stored)) event.preventDefault();
  };
  window.addEventListener('online', online, { signal });
  window.addEventListener('beforeunload', leave, { signal });
  return () => listeners.abort();
}

function pause(list: UploadList, sender: Sender, upload: Upload): void {
  if (!isUnfinished(upload)) return;
  list.change(upload.id, { status: 'paused', reason: null });
  sender.stop(upload.id);
}

function resume(list: UploadList, { id, status }: Upload): void {
  if (['paused', 'failed', 'offline'].includes(status)) list.change(id, { status: 'waiting', reason: null });
}

function remove(list: UploadList, sender: Sender, store: UploadStore, { id, status, address }: Upload): void {
  list.delete(id);
  sender.stop(id);
  if (status === 'done') return;
  void store.remove(id);
  if (address) void posthouse.uploads.cancel(address).catch(() => {});
}
