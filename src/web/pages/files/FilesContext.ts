import { createContext, type DragEvent, use } from 'react';
import type { Entry } from './entries.ts';
import type { Selection } from './selection.ts';

/** What the parts of the files page share. */
export interface FilesContextValue {
  selection: Selection;
  /** Opens a folder, or shows a file. */
  open(entry: Entry): void;
  /** Offers what can be done with a line, at a place of the window. */
  offer(entry: Entry, index: number, place: { x: number; y: number }): void;
  drag: {
    start(event: DragEvent, entry: Entry): void;
    end(): void;
    /** Handlers that let an element take what is dragged into the folder; `over` names the folder it is over. */
    into(folder: { id: string; name: string }): {
      onDragOver(event: DragEvent): void;
      onDragLeave(): void;
      onDrop(event: DragEvent): void;
    };
    over: string | null;
  };
}

export const FilesContext = createContext<FilesContextValue | null>(null);

export function useFilesPage(): FilesContextValue {
  const value = use(FilesContext);
  if (!value) throw new Error('outside of the files page');
  return value;
}
