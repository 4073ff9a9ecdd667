import { Button, Group, Modal, NavLink, ScrollArea, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, Folder } from 'lucide-react';
import { useState } from 'react';
import { getFolder, keys } from '../../api/storage.ts';
import { Failure } from '../../parts/Failure.tsx';
import { common } from '../../texts/common.ts';
import { fileTexts as texts } from '../../texts/files.ts';
import type { Entry } from './entries.ts';

interface MoveDialogProps {
  entries: readonly Entry[];
  /** Where they are now. */
  folderId: string;
  move(target: { id: string; name: string }): Promise<unknown>;
  close(): void;
}

/** Lets one walk to the folder that things are to be moved to. */
export function MoveDialog({ entries, folderId, move, close }: MoveDialogProps) {
  const [place, setPlace] = useState(folderId);
  const [busy, setBusy] = useState(false);
  const folder = useQuery({ queryKey: keys.folder(place), queryFn: ({ signal }) => getFolder(place, signal) });
  const moved = new Set(entries.map(({ id }) => id));
  const path = folder.data?.path ?? [];
  const parent = path.at(-2);
  const name = folder.data?.parentFolderId === null ? texts.root : (folder.data?.name ?? '');
  const inner = folder.data?.folders.filter(({ id }) => !moved.has(id)) ?? [];
  return (
    <Modal opened onClose={close} title={texts.moveTitle(entries.length, entries[0]?.name ?? '')} centered>
      <ScrollArea h={280} className="boxed">
        {folder.isPending && <Skeleton height={36} m="xs" />}
        {folder.isError && <Failure error={folder.error} retry={() => void folder.refetch()} />}
        {parent && (
          <NavLink component="button" label={texts.up} leftSection={<ChevronLeft size={18} />} onClick={() => setPlace(parent.id)} />
        )}
        {inner.map(({ id, name }) => (
          <NavLink key={id} component="button" label={name} leftSection={<Folder size={18} />} onClick={() => setPlace(id)} />
        ))}
        {folder.data && inner.length === 0 && (
          <Text size="sm" c="dimmed" p="md">
            {texts.noFolders}
          </Text>
        )}
      </ScrollArea>
      <Group justify="flex-end" mt="md" gap="xs">
        <Button variant="default" onClick={close}>
          {common.action.cancel}
        </Button>
        <Button
          loading={busy}
          disabled={!folder.data || place === folderId}
          onClick={async () => {
            setBusy(true);
            await move({ id: place, name });
            close();
          }}
        >
          {texts.moveHere(name)}
        </Button>
      </Group>
    </Modal>
  );
}
