import { useQuery } from '@tanstack/react-query';
import { keys } from '../../../api/keys.ts';
import { folderUsage } from '../../../api/storage.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { NameDialog } from '../../../components/NameDialog.tsx';
import { countOf, formatBytes } from '../../../formats.ts';
import { texts as common } from '../../../texts.ts';
import type { Entry } from '../entries.ts';
import { ShareDialog } from '../sharing/ShareDialog.tsx';
import { texts } from '../texts.ts';
import { TargetDialog } from './TargetDialog.tsx';
import type { FileOperations } from './useFileOperations.ts';

/** The dialog that is open, and the entries that it is for. */
export type OpenDialog =
  | { kind: 'create' }
  | { kind: 'rename'; entry: Entry }
  | { kind: 'move' | 'copy'; entries: readonly Entry[] }
  | { kind: 'share' | 'delete'; entries: readonly Entry[] };

interface FileDialogsProps {
  dialog: OpenDialog;
  folderId: string;
  operations: FileOperations;
  /** @param done whether entries were moved, copied or deleted */
  close(done: boolean): void;
}

export function FileDialogs({ dialog, folderId, operations, close }: FileDialogsProps) {
  switch (dialog.kind) {
    case 'create':
      return (
        <NameDialog
          title={texts.newFolder}
          label={texts.folderName}
          initial=""
          submitLabel={common.create}
          submit={operations.createFolder}
          close={() => close(false)}
        />
      );
    case 'rename':
      return (
        <NameDialog
          title={texts.renameTitle(dialog.entry.name)}
          label={common.newName}
          initial={dialog.entry.name}
          submitLabel={common.rename}
          submit={(name) => operations.rename(dialog.entry, name)}
          close={() => close(false)}
        />
      );
    case 'move':
    case 'copy':
      return (
        <TargetDialog
          kind={dialog.kind}
          entries={dialog.entries}
          folderId={folderId}
          run={(target) => operations[dialog.kind](dialog.entries, target)}
          close={() => close(true)}
        />
      );
    case 'share':
      return <ShareDialog entries={dialog.entries} close={() => close(false)} />;
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
  const usage = useQuery({
    queryKey: [...keys.folderUsage, folders.map(({ id }) => id)],
    queryFn: () => Promise.all(folders.map(({ id }) => folderUsage(id))),
    staleTime: 0,
  });
  const total = (field: 'fileCount' | 'usedBytes') =>
    usage.data?.reduce((sum, folder) => sum + folder[field], 0) ?? 0;
  return (
    <ConfirmDialog
      title={
        folders.length === 1 ? texts.deleteFolder(folders[0]?.name) : texts.deleteFolders(folders.length)
      }
      text={usage.isPending ? common.loading : consequence(total('fileCount'), total('usedBytes'))}
      confirmLabel={common.delete}
      confirm={() => operations.remove(entries)}
      close={close}
    />
  );
}

const consequence = (files: number, bytes: number) =>
  files === 0 ? texts.folderEmpty : texts.deletes(countOf(files, 'file'), formatBytes(bytes));
