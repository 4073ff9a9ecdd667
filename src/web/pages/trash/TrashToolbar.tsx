import { Button, Checkbox, Group } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { TrashEntry } from '../../api/trash.ts';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { countOf, formatNumber } from '../../formats.ts';
import { texts as common } from '../../texts.ts';
import { RestoreButton } from './RestoreButton.tsx';
import { texts } from './texts.ts';
import type { TrashList } from './useTrash.ts';
import type { TrashOperations } from './useTrashOperations.ts';

interface TrashToolbarProps {
  entries: readonly TrashEntry[];
  trash: TrashList;
  operations: TrashOperations;
  /** Whether the person may delete permanently. */
  canErase: boolean;
}

/** The actions for the selected entries, or else for all. */
export function TrashToolbar({ entries, trash, operations, canErase }: TrashToolbarProps) {
  const { selected, select } = trash;
  const isAny = selected.length > 0;
  const withSelected = async (work: (selected: readonly TrashEntry[]) => Promise<unknown>) => {
    await work(selected);
    select([]);
  };
  return (
    <Group
      justify="space-between"
      gap="xs"
      mb="xs"
      className="trash-toolbar"
      role="toolbar"
      aria-label={common.trash}
    >
      <Checkbox
        label={isAny ? texts.selected(formatNumber(selected.length)) : common.selectAll}
        checked={selected.length === entries.length}
        indeterminate={isAny && selected.length < entries.length}
        onChange={() => select(isAny ? [] : entries)}
      />
      <Group gap="xs">
        <RestoreButton
          label={isAny ? texts.restoreSelected : texts.restoreAll}
          restore={() => (isAny ? withSelected(operations.restore) : operations.restoreEverything())}
        />
        {canErase && (
          <EraseButton
            label={isAny ? common.deletePermanently : texts.emptyTrash}
            title={isAny ? texts.eraseTitle(countOf(selected.length, 'item')) : texts.eraseAllTitle}
            erase={() => (isAny ? withSelected(operations.erase) : operations.empty())}
          />
        )}
      </Group>
    </Group>
  );
}

interface EraseButtonProps {
  label: string;
  title: string;
  erase(): Promise<unknown>;
}

function EraseButton({ label, title, erase }: EraseButtonProps) {
  // As they were when the dialog was opened: changes by other people must not turn the selected items into all.
  const [asked, setAsked] = useState<Pick<EraseButtonProps, 'title' | 'erase'> | null>(null);
  return (
    <>
      <Button
        size="xs"
        variant="subtle"
        color="red"
        leftSection={<Trash2 size={15} />}
        onClick={() => setAsked({ title, erase })}
      >
        {label}
      </Button>
      {asked && (
        <ConfirmDialog
          title={asked.title}
          text={texts.eraseText}
          confirmLabel={common.deletePermanently}
          confirm={asked.erase}
          close={() => setAsked(null)}
        />
      )}
    </>
  );
}
