import { createContext, use } from 'react';
import type { Workspace } from '../../api/workspaces.ts';
import type { DragAndDrop } from './actions/useDragAndDrop.ts';
import type { Entry } from './entries.ts';
import type { Selection } from './useSelection.ts';

/** Shared by the components of the files page. */
export interface FilesContextValue {
  /** The workspace of the folder; undefined while it loads. */
  workspace: Workspace | undefined;
  /** Whether the workspace has members. */
  isShared: boolean;
  /** Whether the person may change the folder. */
  canWrite: boolean;
  selection: Selection;
  drag: DragAndDrop;
  /** Opens a folder, or the preview of a file. */
  open(entry: Entry): void;
  /** Opens the menu of an entry at a position in the window. */
  showMenu(entry: Entry, index: number, position: { x: number; y: number }): void;
}

export const FilesContext = createContext<FilesContextValue | null>(null);

export function useFilesPage(): FilesContextValue {
  const value = use(FilesContext);
  if (!value) throw new Error('useFilesPage must be used inside the files page');
  return value;
}
