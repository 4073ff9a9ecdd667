import { readPages } from '../../api/pages.ts';
import { useRefreshFolders } from '../../api/refresh-folders.ts';
import { emptyTrash, erase, listTrash, type TrashEntry } from '../../api/trash.ts';
import { attempt, notify, runReported } from '../../components/notify.tsx';
import { runAll } from '../../components/run-all.ts';
import { useQuestions } from '../../conflicts/ConflictsProvider.tsx';
import type { Conflict } from '../../conflicts/questions.ts';
import { resolveConflict } from '../../conflicts/resolve.ts';
import { countOf } from '../../formats.ts';
import { type RestoredEntry, restoreEntry } from './restore-entry.ts';
import { texts } from './texts.ts';

/** Changes to the trash of a workspace. Each reports its result. @param workspaceId undefined = the personal one */
export function useTrashOperations(workspaceId: string | undefined) {
  const refresh = useRefreshFolders();
  const questions = useQuestions();

  function report(restored: readonly RestoredEntry[]) {
    const folders = restored.map(({ folderId }) => folderId);
    refresh(folders);
    if (restored.length === 0) return;
    const names = namesOf(restored.map(({ entry }) => entry));
    notify(texts.restored(names), async () => {
      const deleted = await runAll(restored, ({ undo }) => undo());
      refresh(folders);
      if (deleted.length > 0) notify(texts.deletedAgain(names));
    });
  }

  async function restoreAll(entries: readonly TrashEntry[]) {
    const ask = questions.forAction(entries.length);
    const restoreOne = (entry: TrashEntry) =>
      resolveConflict(ask, conflictOf(entry), (how) => restoreEntry(entry, how));
    // One by one, the last deleted first: a folder must exist before the items that were deleted in it earlier.
    const folders = await runAll(ofKind(entries, 'folder'), restoreOne, 1);
    const files = await runAll(ofKind(entries, 'file'), restoreOne);
    report([...folders, ...files].filter((one) => one !== null));
  }

  return {
    restore: restoreAll,
    restoreEverything: () => attempt(async () => restoreAll(await readPages(listTrash(workspaceId)))),
    async erase(entries: readonly TrashEntry[]) {
      const erased = await runAll(entries, async (entry) => {
        await erase(entry.id);
        return entry;
      });
      refresh([]);
      if (erased.length > 0) notify(texts.erased(namesOf(erased)));
    },
    /** Rejects after an error. */
    empty: () =>
      runReported(async () => {
        await emptyTrash(workspaceId);
        notify(texts.empty);
      }).finally(() => refresh([])),
  };
}

export type TrashOperations = ReturnType<typeof useTrashOperations>;

const ofKind = (entries: readonly TrashEntry[], kind: TrashEntry['kind']) =>
  entries.filter((entry) => entry.kind === kind);

const namesOf = (entries: readonly TrashEntry[]) =>
  entries.length === 1 ? texts.quoted(entries[0]?.name ?? '') : countOf(entries.length, 'item');

const conflictOf = (entry: TrashEntry): Conflict => ({
  kind: entry.kind,
  name: entry.name,
  // A folder that was created again has another ID.
  folderId: entry.kind === 'file' ? entry.folderId : null,
  sizeBytes: entry.sizeBytes,
  replaced: 'trash',
});
