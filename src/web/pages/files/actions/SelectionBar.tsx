import { Button, Menu } from '@mantine/core';
import { Ellipsis, X } from 'lucide-react';
import { useIsPhone } from '../../../components/useIsPhone.ts';
import { formatNumber } from '../../../formats.ts';
import type { Entry } from '../entries.ts';
import { useFilesPage } from '../FilesContext.ts';
import { texts } from '../texts.ts';
import { actionsFor, type EntryAction, type RunEntryAction } from './entry-actions.tsx';

/** Number of actions that fit side by side on a phone, and those that stay there if there are more. */
const FITTING = 4;
const FREQUENT: ReadonlySet<EntryAction> = new Set(['details', 'share', 'download', 'delete']);

interface SelectionBarProps {
  entries: readonly Entry[];
  run: RunEntryAction;
  clear(): void;
}

/** The actions for all selected entries. */
export function SelectionBar({ entries, run, clear }: SelectionBarProps) {
  const { canWrite } = useFilesPage();
  const isPhone = useIsPhone();
  const actions = actionsFor(entries, canWrite).filter(({ action }) => action !== 'replace');
  const hasMore = isPhone && actions.length > FITTING;
  const shown = hasMore ? actions.filter(({ action }) => FREQUENT.has(action)) : actions;
  const others = actions.filter((action) => !shown.includes(action));
  return (
    <div className="selection-bar" role="toolbar" aria-label={texts.selected(formatNumber(entries.length))}>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        onClick={clear}
        leftSection={<X size={16} />}
        title={texts.clearSelection}
        className="selection-count"
      >
        {formatNumber(entries.length)}&nbsp;{texts.selectedWord}
      </Button>
      {shown.map(({ action, label, icon }) => (
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
      {hasMore && <MoreActions actions={others} run={(action) => run(action, entries)} />}
    </div>
  );
}

interface MoreActionsProps {
  actions: ReturnType<typeof actionsFor>;
  run(action: EntryAction): void;
}

/** A button with a menu of the less frequent actions. */
function MoreActions({ actions, run }: MoreActionsProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<Ellipsis size={16} />}
          title={texts.more}
          className="selection-action"
        >
          {texts.more}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ action, label, icon }) => (
          <Menu.Item key={action} leftSection={icon} onClick={() => run(action)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
