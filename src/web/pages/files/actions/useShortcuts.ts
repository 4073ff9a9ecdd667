import { getHotkeyHandler } from '@mantine/hooks';
import type { KeyboardEvent } from 'react';
import type { Entry } from '../entries.ts';
import type { Selection } from '../useSelection.ts';
import { type RunEntryAction, SHORTCUTS } from './entry-actions.tsx';

/** Elements in which shortcuts apply. */
const PLACES = '.listing, .selection-bar';

interface ShortcutsDeps {
  entries: readonly Entry[];
  selection: Selection;
  run: RunEntryAction;
}

/**
 * Handles the shortcuts of the files page, for the selected entries or else the active one, while the list or the bar
 * of the selection has the focus: elsewhere, keys are for what has the focus, such as a folder of the tree.
 */
export function useShortcuts({ entries, selection, run }: ShortcutsDeps) {
  const selected = entries.filter(({ id }) => selection.selected.has(id));
  const active = entries[selection.active];
  const targets = selected.length > 0 || !active ? selected : [active];
  const handleKey = getHotkeyHandler([
    ...SHORTCUTS.map(([key, action]): [string, () => void] => [key, () => run(action, targets)]),
  ]);
  return (event: KeyboardEvent<HTMLElement>) => {
    if ((event.target as HTMLElement).closest(PLACES)) handleKey(event);
  };
}
