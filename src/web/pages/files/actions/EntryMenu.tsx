import { Menu } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { returnFocus } from '../../../return-focus.ts';
import type { Entry } from '../entries.ts';
import { useFilesPage } from '../FilesContext.ts';
import { actionsFor, type RunEntryAction } from './entry-actions.tsx';

const OUTSIDE_EVENTS = ['mousedown', 'touchstart'];

/** An entry, and the position in the window where its menu opens. */
export interface MenuPosition {
  entry: Entry;
  x: number;
  y: number;
}

interface EntryMenuProps {
  /** Null = closed. */
  at: MenuPosition | null;
  run: RunEntryAction;
  close(): void;
  /** Whether the shortcuts of the actions apply to the entry. */
  hasShortcuts?: boolean;
}

/** The menu of an entry, at the position where it was requested. */
export function EntryMenu({ at, run, close, hasShortcuts = true }: EntryMenuProps) {
  const { canWrite } = useFilesPage();
  const isOpen = at !== null;
  // Mantine closes only a menu that has the focus, which it gets after it is shown.
  useWindowEvent('keydown', ({ key }) => isOpen && key === 'Escape' && close());
  return (
    <Menu
      opened={isOpen}
      onChange={(opened) => !opened && close()}
      // By default, the key event that opens the menu also counts as an event outside, and closes it.
      clickOutsideEvents={OUTSIDE_EVENTS}
      position="bottom-start"
      width={230}
    >
      <Menu.Target>
        <button
          type="button"
          aria-hidden
          tabIndex={-1}
          className="menu-anchor"
          style={{ left: at?.x ?? 0, top: at?.y ?? 0 }}
        />
      </Menu.Target>
      <Menu.Dropdown ref={returnFocus}>
        {at &&
          actionsFor([at.entry], canWrite).map(({ action, label, icon, shortcut }) => (
            <Menu.Item
              key={action}
              leftSection={icon}
              rightSection={hasShortcuts && <kbd className="shortcut">{shortcut}</kbd>}
              color={action === 'delete' ? 'var(--bad)' : undefined}
              onClick={() => run(action, [at.entry])}
            >
              {label}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}
