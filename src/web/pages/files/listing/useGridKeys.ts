import { getHotkeyHandler, type HotkeyItem } from '@mantine/hooks';
import type { KeyboardEvent, MouseEvent, RefObject } from 'react';
import type { Entry } from '../entries.ts';
import { useFilesPage } from '../FilesContext.ts';
import { entryElementId } from './useEntryItem.ts';

interface GridKeysDeps {
  entries: readonly Entry[];
  /** Entries per row. */
  columns: number;
  scroller: RefObject<HTMLElement | null>;
  rowHeight: number;
  scrollTo(index: number): void;
}

/** Keyboard control of the grid: arrows, Page Up and Down, Home, End, Space, Enter, Ctrl+A, Escape, Menu. */
export function useGridKeys({ entries, columns, scroller, rowHeight, scrollTo }: GridKeysDeps) {
  const { selection, open, showMenu } = useFilesPage();
  const { active } = selection;
  const last = entries.length - 1;

  function moveTo(index: number, extend: boolean) {
    const target = Math.max(0, Math.min(last, index));
    if (extend) selection.select(target, { range: true });
    else selection.activate(target);
    scrollTo(target);
  }
  /** A key that moves; with Shift it extends the selection. */
  const move = (key: string, target: () => number): HotkeyItem[] => [
    [key, () => moveTo(target(), false)],
    [`shift+${key}`, () => moveTo(target(), true)],
  ];
  const pageSize = () =>
    Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1) * columns;

  function openMenu() {
    const entry = entries[active];
    const box = entry && document.getElementById(entryElementId(entry))?.getBoundingClientRect();
    if (box) showMenu(entry, active, { x: box.left + Math.min(48, box.width / 2), y: box.bottom });
  }
  function openActive() {
    const entry = entries[active];
    if (entry) open(entry);
  }

  const handleKey = getHotkeyHandler([
    ...move('ArrowDown', () => (active < 0 ? 0 : active + columns)),
    ...move('ArrowUp', () => active - columns),
    ...move('PageDown', () => active + pageSize()),
    ...move('PageUp', () => active - pageSize()),
    ...move('Home', () => 0),
    ...move('End', () => last),
    ...(columns > 1 ? [...move('ArrowRight', () => active + 1), ...move('ArrowLeft', () => active - 1)] : []),
    ['Space', () => selection.select(Math.max(0, active), { toggle: true })],
    ['Enter', openActive],
    ['mod+A', selection.selectAll],
    ['Escape', selection.clear],
    ['ContextMenu', openMenu],
    ['shift+F10', openMenu],
  ]);

  return {
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      if (event.target === event.currentTarget) handleKey(event);
    },
    onContextMenu(event: MouseEvent) {
      // Only from the keyboard: a right click opens the menu of the entry under the pointer.
      if (event.target !== event.currentTarget || event.button === 2) return;
      event.preventDefault();
      openMenu();
    },
  };
}
