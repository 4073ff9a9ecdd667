import { type DragEvent, useRef, useState } from 'react';
import { shownName } from '../../../../text/shown-name.ts';
import { type PickedFiles, readDrop } from '../../../uploads/picked-files.ts';
import type { Entry } from '../entries.ts';
import type { Selection } from '../useSelection.ts';
import { folderOf } from './entry-changes.ts';
import type { FileOperations } from './useFileOperations.ts';

interface DragAndDropDeps {
  entries: readonly Entry[];
  selection: Selection;
  operations: FileOperations;
  canWrite: boolean;
  upload(dropped: Promise<PickedFiles>, folderId: string): void;
}

/** Media type of dragged entries. */
const ENTRIES = 'application/x-posthouse-entries';

export type DragAndDrop = ReturnType<typeof useDragAndDrop>;

/** Drags entries into folders, and files from outside into any folder. */
export function useDragAndDrop({ entries, selection, operations, canWrite, upload }: DragAndDropDeps) {
  const dragged = useRef<readonly Entry[]>([]);
  const [over, setOver] = useState<string | null>(null);
  const accepts = ({ dataTransfer: { types } }: DragEvent, folderId: string) =>
    canWrite &&
    (types.includes('Files') ||
      (types.includes(ENTRIES) &&
        // Neither into itself nor into the folder that it is in.
        dragged.current.every((entry) => entry.id !== folderId && folderOf(entry) !== folderId)));

  function drop({ dataTransfer }: DragEvent, folder: { id: string; name: string }) {
    setOver(null);
    if (dataTransfer.types.includes('Files')) return upload(readDrop(dataTransfer), folder.id);
    void operations.move(dragged.current, folder);
    dragged.current = [];
  }

  return {
    canDrag: canWrite,
    /** The folder under the pointer. */
    over,
    start(event: DragEvent, entry: Entry) {
      const isSelected = selection.selected.has(entry.id);
      dragged.current = isSelected ? entries.filter(({ id }) => selection.selected.has(id)) : [entry];
      event.dataTransfer.setData(ENTRIES, '');
      event.dataTransfer.effectAllowed = 'move';
      showDragImage(event, entry.name, dragged.current.length);
    },
    end() {
      dragged.current = [];
      setOver(null);
    },
    /** Properties of an element that accepts drops into a folder. */
    target: (folder: { id: string; name: string }) => ({
      'data-over': over === folder.id || undefined,
      onDragOver(event: DragEvent) {
        if (!accepts(event, folder.id)) return canWrite ? undefined : refuse(event);
        event.preventDefault();
        event.stopPropagation();
        setOver(folder.id);
      },
      onDragLeave: () => setOver(null),
      onDrop(event: DragEvent) {
        if (!accepts(event, folder.id)) return;
        event.preventDefault();
        event.stopPropagation();
        drop(event, folder);
      },
    }),
  };
}

/** Refuses a drop. Without this, the browser would leave the page and open the dropped file. */
function refuse(event: DragEvent): void {
  event.preventDefault();
  event.dataTransfer.dropEffect = 'none';
}

function showDragImage({ dataTransfer }: DragEvent, name: string, count: number): void {
  const image = document.createElement('div');
  image.className = 'drag-image';
  const shown = shownName(name);
  image.textContent = count > 1 ? `${shown} +${count - 1}` : shown;
  document.body.append(image);
  dataTransfer.setDragImage(image, -12, -12);
  setTimeout(() => image.remove());
}
