import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../../components/Dialog.tsx';
import { countOf } from '../../../formats.ts';
import { texts as common } from '../../../texts.ts';
import type { Entry } from '../entries.ts';
import { useFilesPage } from '../FilesContext.ts';
import { FolderPicker, useFolderChoice } from '../folders/FolderPicker.tsx';
import { texts } from '../texts.ts';

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
  const choice = useFolderChoice(folderId, useFilesPage().canWrite);
  const { folder, name } = choice;
  const [busy, setBusy] = useState(false);
  async function submit(id: string) {
    setBusy(true);
    await run({ id, name });
    close();
  }
  const what = entries.length === 1 ? texts.quoted(entries[0]?.name) : countOf(entries.length, 'item');
  const isSame = kind === 'move' && folder.data?.id === folderId;
  return (
    <Dialog close={close} title={kind === 'move' ? texts.moveTitle(what) : texts.copyTitle(what)}>
      <Stack gap="md">
        <FolderPicker choice={choice} excluded={entries} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {common.cancel}
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
    </Dialog>
  );
}
