import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { Page } from '../../../../client/index.ts';
import { keys } from '../../../api/keys.ts';
import { useRefreshFolders } from '../../../api/refresh-folders.ts';
import { createFolder, type FileItem } from '../../../api/storage.ts';
import { notify } from '../../../components/notify.tsx';
import { runAll } from '../../../components/run-all.ts';
import { useQuestions } from '../../../conflicts/ConflictsProvider.tsx';
import type { Conflict } from '../../../conflicts/questions.ts';
import { type OnConflict, resolveConflict } from '../../../conflicts/resolve.ts';
import { countOf } from '../../../formats.ts';
import type { Entry } from '../entries.ts';
import { texts } from '../texts.ts';
import {
  copyEntry,
  deleteEntry,
  type EntryChange,
  folderOf,
  moveEntry,
  renameEntry,
} from './entry-changes.ts';

interface Target {
  id: string;
  name: string;
}

/** Changes to entries. Each refreshes their folders and reports its result, which can be undone. */
export function useFileOperations(folderId: string) {
  const client = useQueryClient();
  const refresh = useRefreshFolders();
  const questions = useQuestions();

  /** @param done message after the changes @param undone message after they have been undone */
  function report(changes: readonly EntryChange[], done: string, undone: string) {
    const folders = changes.flatMap((change) => change.folders);
    refresh([folderId, ...folders]);
    if (changes.length === 0) return;
    const undos = changes.flatMap(({ undo }) => undo ?? []);
    const undoAll = async () => {
      const taken = await runAll(undos, (undo) => undo());
      refresh([folderId, ...folders]);
      if (taken.length > 0) notify(undone);
    };
    notify(done, undos.length > 0 ? () => void undoAll() : undefined);
  }

  /** Moves or copies entries into a folder, and asks about names that are taken there. */
  async function changeAll(
    entries: readonly Entry[],
    target: Target,
    change: (entry: Entry, targetId: string, onConflict: OnConflict) => Promise<EntryChange>,
  ): Promise<EntryChange[]> {
    const ask = questions.forAction(entries.length);
    const changes = await runAll(entries, (entry) =>
      resolveConflict(ask, conflictOf(entry, target.id), (how) => change(entry, target.id, how)),
    );
    return changes.filter((made) => made !== null);
  }

  return {
    async createFolder(name: string) {
      await createFolder(name, folderId);
      refresh([folderId]);
    },

    /** @throws PosthouseError, also when the name is taken and the person keeps the former one */
    async rename(entry: Entry, name: string) {
      if (name === entry.name) return;
      // The server would keep only the part after the separator, as in the paths that forms send.
      if (/[/\\]/.test(name)) throw new Error(texts.noSeparators);
      const ask = questions.forAction(1);
      const conflict = { ...conflictOf(entry, folderOf(entry)), name };
      const change = await resolveConflict(ask, conflict, (how) => renameEntry(entry, name, how));
      if (!change) throw new Error(texts.nameTaken);
      const to = change.name;
      report([change], texts.renamed(entry.name, to), texts.renamedBack(to, entry.name));
    },

    async move(entries: readonly Entry[], target: Target) {
      const moved = await changeAll(entries, target, moveEntry);
      const names = namesOf(moved);
      report(moved, texts.moved(names, target.name), texts.movedBack(names));
    },

    async copy(entries: readonly Entry[], target: Target) {
      const copied = await changeAll(entries, target, copyEntry);
      report(copied, texts.copied(namesOf(copied), target.name), '');
    },

    /** Moves entries to the trash. */
    async remove(entries: readonly Entry[]) {
      hideFiles(client, folderId, new Set(entries.map(({ id }) => id)));
      const removed = await runAll(entries, deleteEntry);
      const names = namesOf(removed);
      report(removed, texts.deleted(names), texts.restored(names));
    },
  };
}

export type FileOperations = ReturnType<typeof useFileOperations>;

const conflictOf = (entry: Entry, folderId: string): Conflict => ({
  kind: entry.kind,
  name: entry.name,
  folderId,
  sizeBytes: entry.kind === 'file' ? entry.file.sizeBytes : null,
  replaced: 'version',
});

/** The name of a single entry, or the number of several. */
const namesOf = (changes: readonly EntryChange[]) =>
  changes.length === 1 ? texts.quoted(changes[0]?.entry.name) : countOf(changes.length, 'item');

/** Removes files from the listing before the server has deleted them. After a failure, a refetch shows them again. */
function hideFiles(client: QueryClient, folderId: string, ids: ReadonlySet<string>): void {
  client.setQueriesData<InfiniteData<Page<FileItem>>>(
    { queryKey: [...keys.files, folderId] },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({ ...page, items: page.items.filter(({ id }) => !ids.has(id)) })),
      },
  );
}
