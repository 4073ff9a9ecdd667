import { Button, Group, Modal, NavLink, ScrollArea, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, Folder } from 'lucide-react';
import { useState } from 'react';
import { type FolderDetail, getFolder, keys } from '../../api/storage.ts';
import { QueryContent } from '../../components/QueryContent.tsx';
import { countOf } from '../../formats.ts';
import type { Entry } from './entries.ts';

interface MoveDialogProps {
  entries: readonly Entry[];
  /** The folder that contains them. */
  folderId: string;
  move(target: { id: string; name: string }): Promise<unknown>;
  close(): void;
}

/** Selects the folder that entries are moved to. */
export function MoveDialog({ entries, folderId, move, close }: MoveDialogProps) {
  const [target, setTarget] = useState(folderId);
  const [busy, setBusy] = useState(false);
  const folder = useQuery({
    queryKey: keys.folder(target),
    queryFn: () => getFolder(target),
  });
  const name = folder.data?.parentFolderId === null ? 'My files' : (folder.data?.name ?? '');
  async function submit() {
    setBusy(true);
    await move({ id: target, name });
    close();
  }
  const what = entries.length === 1 ? `“${entries[0]?.name}”` : countOf(entries.length, 'item', 'items');
  return (
    <Modal opened onClose={close} title={`Move ${what} to …`}>
      <ScrollArea h={280} className="boxed">
        <QueryContent query={folder}>
          {(data) => <FolderChoice folder={data} excluded={entries} select={setTarget} />}
        </QueryContent>
      </ScrollArea>
      <Group justify="flex-end" mt="md" gap="xs">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button loading={busy} disabled={!folder.data || target === folderId} onClick={() => void submit()}>
          {`Move to “${name}”`}
        </Button>
      </Group>
    </Modal>
  );
}

interface FolderChoiceProps {
  folder: FolderDetail;
  /** Entries that are moved, and cannot be the target. */
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
          label="Parent folder"
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
          No folders here
        </Text>
      )}
    </>
  );
}
