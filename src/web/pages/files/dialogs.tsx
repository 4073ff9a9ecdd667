import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { folderUsage } from '../../api/storage.ts';
import { formatBytes } from '../../formats.ts';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { NameDialog } from '../../parts/NameDialog.tsx';
import { common } from '../../texts/common.ts';
import { fileTexts as texts } from '../../texts/files.ts';
import type { Changes } from './changes.ts';
import type { Entry } from './entries.ts';
import { MoveDialog } from './MoveDialog.tsx';

/** The question that the page is asking. */
export type Question =
  | { kind: 'create' }
  | { kind: 'rename'; entry: Entry }
  | { kind: 'move'; entries: readonly Entry[] }
  | { kind: 'deleteFolders'; entries: readonly Entry[] };

interface QuestionsProps {
  question: Question | null;
  folderId: string;
  changes: Changes;
  /** @param done what was asked for was done */
  close(done: boolean): void;
}

/** The dialogs of the files page. */
export function Questions({ question, folderId, changes, close }: QuestionsProps) {
  const cancel = () => close(false);
  if (question?.kind === 'create') {
    return (
      <NameDialog
        title={texts.newFolder}
        label={texts.newFolderName}
        initial=""
        button={common.action.create}
        submit={changes.create}
        close={cancel}
      />
    );
  }
  if (question?.kind === 'rename') {
    return (
      <NameDialog
        title={texts.rename(question.entry.name)}
        label={texts.newName}
        initial={question.entry.name}
        button={texts.actions.rename}
        submit={(name) => changes.rename(question.entry, name)}
        close={cancel}
      />
    );
  }
  if (question?.kind === 'move') {
    return (
      <MoveDialog
        entries={question.entries}
        folderId={folderId}
        move={(target) => changes.move(question.entries, target)}
        close={() => close(true)}
      />
    );
  }
  if (question?.kind === 'deleteFolders') return <DeleteFolders entries={question.entries} changes={changes} close={close} />;
  return null;
}

function DeleteFolders({ entries, changes, close }: { entries: readonly Entry[]; changes: Changes; close(done: boolean): void }) {
  const folders = entries.filter(({ kind }) => kind === 'folder');
  const files = entries.filter(({ kind }) => kind === 'file');
  const usage = useQuery({
    queryKey: ['folder-usage', folders.map(({ id }) => id)],
    queryFn: async ({ signal }) => await Promise.all(folders.map(({ id }) => folderUsage(id, signal))),
    staleTime: 0,
  });
  const sum = (of: 'fileCount' | 'usedBytes') => usage.data?.reduce((total, one) => total + one[of], 0) ?? 0;
  return (
    <ConfirmDialog
      title={texts.deleteFolders(folders.length, folders[0]?.name ?? '')}
      text={
        <Text span inherit>
          {usage.isPending ? common.loading : texts.deleteFoldersText(sum('fileCount'), formatBytes(sum('usedBytes')))}
        </Text>
      }
      button={common.action.delete}
      confirm={async () => {
        await changes.removeFolders(folders);
        if (files.length > 0) await changes.removeFiles(files);
      }}
      close={() => close(true)}
    />
  );
}
