import { useLocation } from 'wouter';
import { mayWrite, useWorkspaces } from '../../../api/workspaces.ts';
import { EntryMenu, type MenuPosition } from '../actions/EntryMenu.tsx';
import type { EntryAction } from '../actions/entry-actions.tsx';
import { folderOf } from '../actions/entry-changes.ts';
import { FileDialogs } from '../actions/FileDialogs.tsx';
import { useEntryActions } from '../actions/useEntryActions.ts';
import { useFileOperations } from '../actions/useFileOperations.ts';
import { type Entry, folderAddress } from '../entries.ts';
import { FilesContext, useFilesPage } from '../FilesContext.ts';
import { opening } from '../usePanels.ts';

/** A result, and the position in the window where its menu opens. */
export interface FoundPosition extends MenuPosition {
  workspaceId: string;
}

interface FoundMenuProps {
  at: FoundPosition;
  isOpen: boolean;
  close(): void;
}

/** Panels that the page of the folder shows. */
const PANELS = { open: 'preview', details: 'details', versions: 'versions' } as const;
const isPanel = (action: EntryAction): action is keyof typeof PANELS => action in PANELS;

/** The menu of a result, for the role of the person in its workspace, and the dialogs of its actions. */
export function FoundMenu({ at, isOpen, close }: FoundMenuProps) {
  const page = useFilesPage();
  const [, navigate] = useLocation();
  const workspace = useWorkspaces().data?.find(({ id }) => id === at.workspaceId);
  const canWrite = mayWrite(workspace);
  const folderId = folderOf(at.entry);
  const operations = useFileOperations(folderId);
  const { selection } = page;
  const { run, dialog, closeDialog } = useEntryActions({ folderId, operations, selection, canWrite });

  function runFound(action: EntryAction, entries: readonly Entry[]) {
    if (at.entry.kind === 'folder' || !isPanel(action)) return run(action, entries);
    const panel = PANELS[action];
    navigate(`${folderAddress(folderId)}?${panel}=${at.entry.id}`, { state: opening(panel) });
  }

  return (
    <FilesContext value={{ ...page, workspace, isShared: workspace?.personal === false, canWrite }}>
      <EntryMenu at={isOpen ? at : null} run={runFound} hasShortcuts={false} close={close} />
      {dialog && (
        <FileDialogs
          dialog={dialog}
          folderId={folderId}
          operations={operations}
          close={() => closeDialog(dialog)}
        />
      )}
    </FilesContext>
  );
}
