import { useQuery } from '@tanstack/react-query';
import { folderUsage } from '../../api/storage.ts';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { NameDialog } from '../../components/NameDialog.tsx';
import { formatBytes } from '../../formats.ts';
import { common } from '../../texts/common.ts';
import { fileTexts as texts } from '../../texts/files.ts';
import type { Entry } from './entries.ts';
import { MoveDialog } from './MoveDialog.tsx';
import type { FileOperations } from './useFileOperations.ts';

/** The dialog that is open, and the entries that it is for. */
export type OpenDialog =
  | { kind: 'create' }
  | { kind: 'rename'; entry: Entry }
  | { kind: 'move'; entries: readonly Entry[] }
  | { kind: 'delete'; entries: readonly Entry[] };

interface FileDialogsProps {
  dialog: OpenDialog;
  folderId: string;
  operations: FileOperations;
  /** @param done whether entries were moved or deleted */
  close(done: boolean): void;
}

/** The dialogs of the files page. */
export function FileDialogs({ dialog, folderId, operations, close }: FileDialogsProps) {
  switch (dialog.kind) {
    case 'create':
      return (
        <NameDialog
          title={texts.newFolder}
          label={texts.newFolderName}
          initial=""
          submitLabel={common.action.create}
          submit={operations.createFolder}
          close={() => close(false)}
        />
      );
    case 'rename':
      return (
        <NameDialog
          title={texts.rename(dialog.entry.name)}
          label={common.newName}
          initial={dialog.entry.name}
          submitLabel={common.action.rename}
          submit={(name) => operations.rename(dialog.entry, name)}
          close={() => close(false)}
        />
      );
    case 'move':
      return (
        <MoveDialog
          entries={dialog.entries}
          folderId={folderId}
          move={(target) => operations.move(dialog.entries, target)}
          close={() => close(true)}
        />
      );
    case 'delete':
      return <DeleteDialog entries={dialog.entries} operations={operations} close={() => close(true)} />;
  }
}

interface DeleteDialogProps {
  entries: readonly Entry[];
  operations: FileOperations;
  close(): void;
}

/** Confirms that folders are deleted with all files in them. */
function DeleteDialog({ entries, operations, close }: DeleteDialogProps) {
  const folders = entries.filter(({ kind }) => kind === 'folder');
  const files = entries.filter(({ kind }) => kind === 'file');
  const usage = useQuery({
    queryKey: ['folder-usage', folders.map(({ id }) => id)],
    queryFn: async ({ signal }) => await Promise.all(folders.map(({ id }) => folderUsage(id, signal))),
    staleTime: 0,
  });
  const total = (field: 'fileCount' | 'usedBytes') =>
    usage.data?.reduce((sum, folder) => sum + folder[field], 0) ?? 0;
  return (
    <ConfirmDialog
      title={texts.deleteFolders(folders.length, folders[0]?.name ?? '')}
      text={
        usage.isPending
          ? common.loading
          : texts.deleteFoldersText(total('fileCount'), formatBytes(total('usedBytes')))
      }
      confirmLabel={common.action.delete}
      confirm={async () => {
        await operations.deleteFolders(folders);
        if (files.length > 0) await operations.deleteFiles(files);
      }}
      close={close}
    />
  );
}
