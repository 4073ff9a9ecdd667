import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { Page } from '../../../client/index.ts';
import {
  changeFile,
  changeFolder,
  createFolder,
  deleteFile,
  deleteFolder,
  type FileItem,
  keys,
  moveFile,
  restore as restoreFromTrash,
} from '../../api/storage.ts';
import { attempt, notify, notifyError } from '../../components/notify.tsx';
import { countOf } from '../../formats.ts';
import type { Entry } from './entries.ts';

/** Maximum number of concurrent requests. */
const MAX_REQUESTS = 6;

/** Changes to the entries of a folder. Each reports its result and refreshes the folder. */
export function useFileOperations(folderId: string) {
  const client = useQueryClient();
  const refresh = (...folders: string[]) => {
    for (const id of [folderId, ...folders]) {
      void client.invalidateQueries({ queryKey: keys.files(id) });
      void client.invalidateQueries({ queryKey: keys.folder(id) });
    }
    void client.invalidateQueries({ queryKey: keys.usage });
    void client.invalidateQueries({ queryKey: keys.trash });
  };

  async function restore(entries: readonly Entry[]) {
    const restored = await runAll(entries, ({ id }) => restoreFromTrash(id));
    refresh();
    if (restored.length > 0) notify(`Restored ${namesOf(restored)}`);
  }

  return {
    async createFolder(name: string) {
      await createFolder(name, folderId);
      refresh();
    },

    async rename({ kind, id }: Entry, name: string) {
      await (kind === 'folder' ? changeFolder(id, { name }) : changeFile(id, { originalName: name }));
      refresh();
      void client.invalidateQueries({ queryKey: keys.file(id) });
    },

    async move(entries: readonly Entry[], target: { id: string; name: string }) {
      const moved = await runAll(entries, ({ kind, id }) =>
        kind === 'folder' ? changeFolder(id, { parentFolderId: target.id }) : moveFile(id, target.id),
      );
      refresh(target.id, ...moved.filter(({ kind }) => kind === 'folder').map(({ id }) => id));
      if (moved.length > 0) notify(`Moved ${namesOf(moved)} to “${target.name}”`);
    },

    async deleteFiles(files: readonly Entry[]) {
      hideFiles(client, folderId, new Set(files.map(({ id }) => id)));
      const deleted = await runAll(files, ({ id }) => deleteFile(id));
      refresh();
      if (deleted.length > 0) notify(`Deleted ${namesOf(deleted)}`, () => void restore(deleted));
    },

    async deleteFolders(folders: readonly Entry[]) {
      const deleted: Entry[] = [];
      await attempt(async () => {
        for (const folder of folders) {
          await deleteFolder(folder.id);
          deleted.push(folder);
        }
      });
      refresh();
      if (deleted.length > 0) notify(`Deleted ${namesOf(deleted)}`, () => void restore(deleted));
    },
  };
}

export type FileOperations = ReturnType<typeof useFileOperations>;

/** The name of a single entry, otherwise their number. */
const namesOf = (entries: readonly Entry[]) =>
  entries.length === 1 ? `“${entries[0]?.name}”` : countOf(entries.length, 'item', 'items');

/** Runs `work` for all items, reports failures, and returns the items that succeeded. */
async function runAll<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<Item[]> {
  const queue = [...items];
  const succeeded: Item[] = [];
  const errors: Error[] = [];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      try {
        await work(item);
        succeeded.push(item);
      } catch (error) {
        errors.push(error as Error);
      }
    }
  };
  await Promise.all(Array.from({ length: MAX_REQUESTS }, worker));
  const [first] = errors;
  if (first && errors.length === 1) notifyError(first);
  else if (first)
    notifyError(new Error(`${countOf(errors.length, 'item', 'items')} failed: ${first.message}`));
  return succeeded;
}

/** Removes files from the listing before the server has deleted them. The next refresh corrects a failure. */
function hideFiles(client: QueryClient, folderId: string, ids: ReadonlySet<string>): void {
  client.setQueriesData<InfiniteData<Page<FileItem>>>(
    { queryKey: keys.files(folderId) },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({ ...page, items: page.items.filter(({ id }) => !ids.has(id)) })),
      },
  );
}
