import { useFileDialog } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useUploads } from '../../../uploads/UploadsProvider.tsx';
import { type Entry, folderAddress } from '../entries.ts';
import { usePanels } from '../usePanels.ts';
import type { Selection } from '../useSelection.ts';
import { downloadEntries } from './download.ts';
import { type EntryAction, writes } from './entry-actions.tsx';
import type { OpenDialog } from './FileDialogs.tsx';
import type { FileOperations } from './useFileOperations.ts';

interface EntryActionsDeps {
  folderId: string;
  operations: FileOperations;
  selection: Selection;
  canWrite: boolean;
}

/** Runs actions on entries: immediately, or after a dialog. */
export function useEntryActions({ folderId, operations, selection, canWrite }: EntryActionsDeps) {
  const [, navigate] = useLocation();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const panels = usePanels();
  const replaceContent = useReplaceContent(folderId);

  const actions: Record<EntryAction, (first: Entry, entries: readonly Entry[]) => void> = {
    open: ({ kind, id }) => (kind === 'folder' ? navigate(folderAddress(id)) : panels.show('preview', id)),
    details: ({ kind, id }, { length }) => kind === 'file' && length === 1 && panels.show('details', id),
    share({ kind }, entries) {
      const isOne = entries.length === 1;
      if (isOne ? kind === 'folder' : entries.every((entry) => entry.kind === 'file'))
        setDialog({ kind: 'share', entries });
    },
    download: (_, entries) => void downloadEntries(entries),
    rename: (entry) => setDialog({ kind: 'rename', entry }),
    move: (_, entries) => setDialog({ kind: 'move', entries }),
    copy: (_, entries) => setDialog({ kind: 'copy', entries }),
    replace: (entry, entries) => entry.kind === 'file' && entries.length === 1 && replaceContent(entry),
    versions: ({ kind, id }) => kind === 'file' && panels.show('versions', id),
    delete(_, entries) {
      if (entries.some(({ kind }) => kind === 'folder')) return setDialog({ kind: 'delete', entries });
      selection.clear();
      void operations.remove(entries);
    },
  };

  return {
    run(action: EntryAction, entries: readonly Entry[]) {
      const [first] = entries;
      if (first && (canWrite || !writes(action))) actions[action](first, entries);
    },
    dialog,
    setDialog,
    /** Closes a dialog, unless another one has been opened while its action ran. */
    closeDialog: (closed: OpenDialog) => setDialog((current) => (current === closed ? null : current)),
    panels,
  };
}

/** Returns a function that replaces the content of an entry with a file that the person selects. */
function useReplaceContent(folderId: string): (entry: Entry) => void {
  const uploads = useUploads();
  const replaced = useRef<Entry>(null);
  const dialog = useFileDialog({
    multiple: false,
    onChange(files) {
      const file = files?.[0];
      if (file && replaced.current) uploads.replace(replaced.current.id, folderId, file);
    },
  });
  return (entry) => {
    replaced.current = entry;
    dialog.open();
  };
}
