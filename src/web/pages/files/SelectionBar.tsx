import { Button } from '@mantine/core';
import { X } from 'lucide-react';
import { formatNumber } from '../../formats.ts';
import type { Entry } from './entries.ts';
import { actionsFor, type RunEntryAction } from './entry-actions.tsx';
import { useFilesPage } from './FilesContext.ts';
import { texts } from './texts.ts';

interface SelectionBarProps {
  entries: readonly Entry[];
  run: RunEntryAction;
  clear(): void;
}

/** The actions for all selected entries. */
export function SelectionBar({ entries, run, clear }: SelectionBarProps) {
  const { canWrite } = useFilesPage();
  return (
    <div className="selection-bar" role="toolbar" aria-label={texts.selected(formatNumber(entries.length))}>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        onClick={clear}
        leftSection={<X size={16} />}
        title={texts.clearSelection}
      >
        {formatNumber(entries.length)}
        <span className="selection-word">&nbsp;{texts.selectedWord}</span>
      </Button>
      {actionsFor(entries, canWrite)
        .filter(({ action }) => action !== 'replace')
        .map(({ action, label, icon }) => (
          <Button
            key={action}
            size="compact-sm"
            variant="subtle"
            color={action === 'delete' ? 'red' : undefined}
            leftSection={icon}
            title={label}
            onClick={() => run(action, entries)}
            className="selection-action"
          >
            {label}
          </Button>
        ))}
    </div>
  );
}
