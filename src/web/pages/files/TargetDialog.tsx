import { Button, Group, Modal, NativeSelect, NavLink, ScrollArea, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, Folder } from 'lucide-react';
import { useState } from 'react';
import { type FolderDetail, getFolder, keys } from '../../api/storage.ts';
import { isDeleted, mayWrite, useWorkspaces, workspaceName } from '../../api/workspaces.ts';
import { QueryContent } from '../../components/QueryContent.tsx';
import { countOf } from '../../formats.ts';
import type { Entry } from './entries.ts';
import { useFilesPage } from './FilesContext.ts';
import { texts } from './texts.ts';

interface TargetDialogProps {
  kind: 'move' | 'copy';
  entries: readonly Entry[];
  /** The folder that contains them. */
  folderId: string;
  /** Moves or copies the entries. */
  run(target: { id: string; name: string }): Promise<unknown>;
  close(): void;
}

/** Selects the folder that entries are moved or copied to, in any workspace that the person may change. */
export function TargetDialog({ kind, entries, folderId, run, close }: TargetDialogProps) {
  const { folder, name, workspaces, select } = useTarget(folderId);
  const [busy, setBusy] = useState(false);
  async function submit(id: string) {
    setBusy(true);
    await run({ id, name });
    close();
  }
  const what = entries.length === 1 ? texts.quoted(entries[0]?.name) : countOf(entries.length, 'item');
  const isSame = kind === 'move' && folder.data?.id === folderId;
  return (
    <Modal opened onClose={close} title={kind === 'move' ? texts.moveTitle(what) : texts.copyTitle(what)}>
      <Stack gap="md">
        {workspaces.length > 1 && (
          <NativeSelect
            label={texts.workspace}
            value={workspaces.find(({ id }) => id === folder.data?.workspaceId)?.rootFolderId}
            onChange={(event) => select(event.currentTarget.value)}
            data={workspaces.map((one) => ({ value: one.rootFolderId, label: workspaceName(one) }))}
          />
        )}
        <ScrollArea h={280} className="boxed">
          <QueryContent query={folder}>
            {(data) => <FolderChoice folder={data} excluded={entries} select={select} />}
          </QueryContent>
        </ScrollArea>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {texts.cancel}
          </Button>
          <Button
            loading={busy}
            disabled={!folder.data || isSame}
            onClick={() => folder.data && void submit(folder.data.id)}
          >
            {kind === 'move' ? texts.moveTo(name) : texts.copyTo(name)}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** The chosen folder, at first that of the entries, or the personal files if the person may not change it. */
function useTarget(folderId: string) {
  const { canWrite } = useFilesPage();
  const all = useWorkspaces().data ?? [];
  const workspaces = all.filter((one) => !isDeleted(one) && mayWrite(one));
  const [chosen, select] = useState(canWrite ? folderId : '');
  const target = chosen || (workspaces[0]?.rootFolderId ?? folderId);
  const folder = useQuery({ queryKey: keys.folder(target), queryFn: () => getFolder(target) });
  const root = workspaces.find(({ rootFolderId }) => rootFolderId === target);
  return { folder, name: root ? workspaceName(root) : (folder.data?.name ?? ''), workspaces, select };
}

interface FolderChoiceProps {
  folder: FolderDetail;
  /** Entries that are moved or copied, and cannot be the target. */
  excluded: readonly Entry[];
  select(id: string): void;
}

function FolderChoice({ folder: { path, folders }, excluded, select }: FolderChoiceProps) {
  const parent = path.at(-2);
  const choices = folders.filter(({ id }) => excluded.every((entry) => entry.id !== id));
  return (
    <>
      {parent && (
        <NavLink
          component="button"
          label={texts.parentFolder}
          leftSection={<ChevronLeft size={18} />}
          onClick={() => select(parent.id)}
        />
      )}
      {choices.map(({ id, name }) => (
        <NavLink
          key={id}
          component="button"
          label={name}
          leftSection={<Folder size={18} />}
          onClick={() => select(id)}
        />
      ))}
      {choices.length === 0 && (
        <Text size="sm" c="dimmed" p="md">
          {texts.noFolders}
        </Text>
      )}
    </>
  );
}
