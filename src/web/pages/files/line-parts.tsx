import { Globe, KeyRound, LockKeyhole } from 'lucide-react';
import type { MouseEvent } from 'react';
import type { FileItem } from '../../api/storage.ts';
import { fileTexts as texts } from '../../texts/files.ts';
import type { Entry } from './entries.ts';
import { useFilesPage } from './FilesContext.ts';

/** What a line and a tile do alike when they are clicked, dragged and dropped on. */
export function useLine(entry: Entry, index: number) {
  const { selection, open, offer, drag } = useFilesPage();
  const drop = entry.kind === 'folder' ? drag.into({ id: entry.id, name: entry.name }) : {};
  return {
    chosen: selection.chosen.has(entry.id),
    active: selection.active === index,
    open: () => open(entry),
    toggle: () => selection.choose(index, { toggle: true }),
    offer: (event: MouseEvent) => {
      const { left, bottom } = event.currentTarget.getBoundingClientRect();
      offer(entry, index, { x: left, y: bottom });
    },
    element: {
      draggable: true,
      'data-chosen': selection.chosen.has(entry.id) || undefined,
      'data-active': selection.active === index || undefined,
      'data-over': drag.over === entry.id || undefined,
      onClick(event: MouseEvent) {
        if ((event.target as HTMLElement).closest('a, button, input')) return;
        // A finger has no double click: a tap opens, and the box chooses.
        if ((event.nativeEvent as PointerEvent).pointerType === 'touch' && selection.chosen.size === 0) open(entry);
        else selection.choose(index, { toggle: event.ctrlKey || event.metaKey || isTouch(event), range: event.shiftKey });
      },
      onDoubleClick(event: MouseEvent) {
        if (!(event.target as HTMLElement).closest('a, button, input')) open(entry);
      },
      onContextMenu(event: MouseEvent) {
        event.preventDefault();
        offer(entry, index, { x: event.clientX, y: event.clientY });
      },
      onDragStart: (event: React.DragEvent) => drag.start(event, entry),
      onDragEnd: drag.end,
      ...drop,
    },
  };
}

const isTouch = (event: MouseEvent) => (event.nativeEvent as PointerEvent).pointerType === 'touch';

/** Signs for how a file is shared. */
export function SharingSigns({ file }: { file: FileItem }) {
  const signs = [
    file.visibility === 1 && ([Globe, texts.public] as const),
    file.hasFilePassword && ([LockKeyhole, texts.locked] as const),
    file.hasAccessKey && ([KeyRound, texts.keyed] as const),
  ].filter((sign) => sign !== false);
  return (
    <span className="sharing-signs">
      {signs.map(([Icon, label]) => (
        <span key={label} role="img" aria-label={label} title={label}>
          <Icon size={15} aria-hidden />
        </span>
      ))}
    </span>
  );
}
