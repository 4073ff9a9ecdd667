import { NativeSelect, NavLink, ScrollArea, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, Folder } from 'lucide-react';
import { useState } from 'react';
import { type FolderDetail, folderQuery } from '../../../api/storage.ts';
import { isDeleted, mayWrite, useWorkspaces, workspaceName } from '../../../api/workspaces.ts';
import { Name } from '../../../components/Name.tsx';
import { QueryContent } from '../../../components/QueryContent.tsx';
import { texts as common } from '../../../texts.ts';
import { texts } from '../texts.ts';

/** The chosen folder, initially `folderId`, or the personal files if the person may not change that folder. */
export function useFolderChoice(folderId: string, canWrite = true) {
  const all = useWorkspaces().data ?? [];
  const workspaces = all.filter((one) => !isDeleted(one) && mayWrite(one));
  const [chosen, select] = useState(canWrite ? folderId : '');
  const target = chosen || (workspaces[0]?.rootFolderId ?? folderId);
  const folder = useQuery(folderQuery(target));
  const root = workspaces.find(({ rootFolderId }) => rootFolderId === target);
  return { folder, name: root ? workspaceName(root) : (folder.data?.name ?? ''), workspaces, select };
}

interface FolderPickerProps {
  choice: ReturnType<typeof useFolderChoice>;
  /** Folders that cannot be chosen. */
  excluded?: readonly { id: string }[];
}

/** Selects a folder in any workspace that the person may change. */
export function FolderPicker({ choice: { folder, workspaces, select }, excluded = [] }: FolderPickerProps) {
  return (
    <>
      {workspaces.length > 1 && (
        <NativeSelect
          label={common.workspace}
          value={workspaces.find(({ id }) => id === folder.data?.workspaceId)?.rootFolderId}
          onChange={(event) => select(event.currentTarget.value)}
          data={workspaces.map((one) => ({ value: one.rootFolderId, label: workspaceName(one) }))}
        />
      )}
      <ScrollArea h={280} className="boxed">
        <QueryContent query={folder}>
          {(data) => <Folders folder={data} excluded={excluded} select={select} />}
        </QueryContent>
      </ScrollArea>
    </>
  );
}

interface FoldersProps extends Required<Pick<FolderPickerProps, 'excluded'>> {
  folder: FolderDetail;
  select(id: string): void;
}

/** The folders in a folder, and a button that returns to its parent. */
function Folders({ folder: { path, folders }, excluded, select }: FoldersProps) {
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
          label={<Name name={name} />}
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
