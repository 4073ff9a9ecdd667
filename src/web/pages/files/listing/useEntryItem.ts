import type { DragEvent, MouseEvent } from 'react';
import type { Entry } from '../entries.ts';
import { useFilesPage } from '../FilesContext.ts';

export const entryElementId = (entry: Entry) => `entry-${entry.id}`;

/** State and event handlers of an entry, for its row or tile. */
export function useEntryItem(entry: Entry, index: number) {
  const { selection, open, showMenu, drag } = useFilesPage();
  const isSelected = selection.selected.has(entry.id);
  const isActive = selection.active === index;

  function onClick(event: MouseEvent) {
    if (isControl(event)) return;
    const isTouch = (event.nativeEvent as PointerEvent).pointerType === 'touch';
    // Touch screens have no double click: a tap opens, unless other entries are selected.
    if (isTouch && selection.selected.size === 0) open(entry);
    else
      selection.select(index, { toggle: event.ctrlKey || event.metaKey || isTouch, range: event.shiftKey });
  }

  return {
    isSelected,
    toggle: () => selection.select(index, { toggle: true }),
    open: () => open(entry),
    showMenuAt: (position: { x: number; y: number }) => showMenu(entry, index, position),
    props: {
      id: entryElementId(entry),
      'aria-selected': isSelected,
      'data-selected': isSelected || undefined,
      'data-active': isActive || undefined,
      draggable: drag.canDrag,
      onClick,
      onDoubleClick(event: MouseEvent) {
        if (!isControl(event)) open(entry);
      },
      onContextMenu(event: MouseEvent) {
        event.preventDefault();
        showMenu(entry, index, { x: event.clientX, y: event.clientY });
      },
      onDragStart: (event: DragEvent) => drag.start(event, entry),
      onDragEnd: drag.end,
      ...(entry.kind === 'folder' && drag.target(entry)),
    },
  };
}

/** Whether the event belongs to a link, button or checkbox inside the entry. */
const isControl = (event: MouseEvent) => (event.target as HTMLElement).closest('a, button, input') !== null;
