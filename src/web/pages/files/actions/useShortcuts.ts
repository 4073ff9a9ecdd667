import { getHotkeyHandler } from '@mantine/hooks';
import type { KeyboardEvent } from 'react';
import type { Entry } from '../entries.ts';
import type { Selection } from '../useSelection.ts';
import { type RunEntryAction, SHORTCUTS } from './entry-actions.tsx';

interface ShortcutsDeps {
  entries: readonly Entry[];
  selection: Selection;
  run: RunEntryAction;
}

/** Handles the shortcuts of the files page, for the selected entries or else the active one. */
export function useShortcuts({ entries, selection, run }: ShortcutsDeps) {
  const selected = entries.filter(({ id }) => selection.selected.has(id));
  const active = entries[selection.active];
  const targets = selected.length > 0 || !active ? selected : [active];
  const handleKey = getHotkeyHandler([
    ...SHORTCUTS.map(([key, action]): [string, () => void] => [key, () => run(action, targets)]),
  ]);
  return (event: KeyboardEvent<HTMLElement>) => {
    if (!isTyping(event.target as HTMLElement)) handleKey(event);
  };
}

/** Whether keys belong to a text field, a dialog or a menu. */
function isTyping(target: HTMLElement): boolean {
  return target.closest('input:not([type=checkbox]), textarea, select, [role=dialog], [role=menu]') !== null;
}
