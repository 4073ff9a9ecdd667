import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/http.ts';
import {
  changeFile,
  changeFolder,
  createFolder,
  deleteFile,
  deleteFolder,
  type FileItem,
  keys,
  moveFile,
  restoreFile,
} from '../../api/storage.ts';
import { attempt, tell, tellError } from '../../parts/tell.tsx';
import { fileTexts as texts } from '../../texts/files.ts';
import type { Entry } from './entries.ts';

/** Requests that run at once when many lines are chosen. */
const AT_ONCE = 6;

/** What can be done with the lines of a folder; each says how it went and brings the shown folder up to date. */
export function useChanges(folderId: string) {
  const client = useQueryClient();
  const lookAgain = (...folders: string[]) => {
    for (const id of [folderId, ...folders]) {
      void client.invalidateQueries({ queryKey: keys.files(id) });
      void client.invalidateQueries({ queryKey: keys.folder(id) });
    }
    void client.invalidateQueries({ queryKey: keys.usage });
    void client.invalidateQueries({ queryKey: keys.trash });
  };

  async function restore(files: readonly { id: string }[]) {
    const { done, failed } = await forEach(files, ({ id }) => restoreFile(id));
    lookAgain();
    if (done.length > 0) tell(texts.restored(done.length));
    tellFailures(failed);
  }

  return {
    create: (name: string) =>
      createFolder(name, folderId).then((folder) => {
        lookAgain();
        return folder;
      }),

    async rename(entry: Entry, name: string) {
      if (entry.kind === 'folder') await changeFolder(entry.id, { name });
      else await changeFile(entry.id, { originalName: name });
      lookAgain();
      void client.invalidateQueries({ queryKey: keys.file(entry.id) });
    },

    async move(entries: readonly Entry[], target: { id: string; name: string }) {
      const { done, failed } = await forEach(entries, (entry) =>
        entry.kind === 'folder' ? changeFolder(entry.id, { parentFolderId: target.id }) : moveFile(entry.id, target.id),
      );
      lookAgain(target.id, ...done.flatMap((entry) => (entry.kind === 'folder' ? [entry.id] : [])));
      const first = done[0];
      if (first) tell(texts.moved(done.length, first.name, target.name));
      tellFailures(failed);
    },

    async removeFiles(files: readonly Entry[]) {
      const ids = new Set(files.map(({ id }) => id));
      takeOff(client, folderId, ids);
      const { done, failed } = await forEach(files, ({ id }) => deleteFile(id));
      lookAgain();
      const first = done[0];
      if (first) tell(texts.deleted(done.length, first.name), () => void restore(done));
      tellFailures(failed);
    },

    async removeFolders(folders: readonly Entry[]) {
      await attempt(async () => {
        for (const { id } of folders) await deleteFolder(id);
      });
      lookAgain();
    },
  };
}

export type Changes = ReturnType<typeof useChanges>;

function tellFailures(failed: readonly Error[]): void {
  const [first] = failed;
  if (!first) return;
  tellError(failed.length === 1 ? first : new ApiError({ status: 0, code: 'partly', detail: texts.partly(failed.length, first.message) }));
}

async function forEach<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>) {
  const left = [...items];
  const done: Item[] = [];
  const failed: Error[] = [];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) {
      try {
        await work(item);
        done.push(item);
      } catch (error) {
        failed.push(error as Error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { done, failed };
}

/** Lines vanish at once; should the server refuse, the next look brings them back. */
function takeOff(client: QueryClient, folderId: string, ids: ReadonlySet<string>): void {
  client.setQueriesData<InfiniteData<{ files: FileItem[]; next: string | null }>>(
    { queryKey: keys.files(folderId) },
    (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, files: page.files.filter(({ id }) => !ids.has(id)) })) },
  );
}
