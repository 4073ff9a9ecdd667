import { type DragEvent, useRef, useState } from 'react';
import { readDropped } from '../../uploads/dropped.ts';
import type { Changes } from './changes.ts';
import type { Entry } from './entries.ts';
import type { FilesContextValue } from './FilesContext.ts';
import type { Selection } from './selection.ts';

interface DragParts {
  entries: readonly Entry[];
  selection: Selection;
  changes: Changes;
  upload(dropped: ReturnType<typeof readDropped>, folderId: string): void;
}

const INNER = 'application/x-posthouse-lines';
const SHOWN_MOST = 1;

/** Dragging lines into folders, and files from outside into any folder. */
export function useDrag({ entries, selection, changes, upload }: DragParts): FilesContextValue['drag'] {
  const dragged = useRef<readonly Entry[]>([]);
  const [over, setOver] = useState<string | null>(null);
  const takes = (event: DragEvent, folderId: string) =>
    event.dataTransfer.types.includes('Files') ||
    (event.dataTransfer.types.includes(INNER) && dragged.current.every(({ id }) => id !== folderId));
  return {
    over,
    start(event, entry) {
      dragged.current = selection.chosen.has(entry.id) ? entries.filter(({ id }) => selection.chosen.has(id)) : [entry];
      event.dataTransfer.setData(INNER, '');
      event.dataTransfer.effectAllowed = 'move';
      const more = dragged.current.length - SHOWN_MOST;
      const mark = document.createElement('div');
      mark.className = 'drag-mark';
      mark.textContent = more > 0 ? `${entry.name} +${more}` : entry.name;
      document.body.append(mark);
      event.dataTransfer.setDragImage(mark, -12, -12);
      setTimeout(() => mark.remove());
    },
    end() {
      dragged.current = [];
      setOver(null);
    },
    into: (folder) => ({
      onDragOver(event) {
        if (!takes(event, folder.id)) return;
        event.preventDefault();
        event.stopPropagation();
        setOver(folder.id);
      },
      onDragLeave: () => setOver(null),
      onDrop(event) {
        if (!takes(event, folder.id)) return;
        event.preventDefault();
        event.stopPropagation();
        setOver(null);
        if (event.dataTransfer.types.includes('Files')) upload(readDropped(event.dataTransfer), folder.id);
        else {
          void changes.move(dragged.current, folder);
          dragged.current = [];
        }
      },
    }),
  };
}
