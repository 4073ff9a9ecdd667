import { useDocumentTitle } from '@mantine/hooks';
import { useState } from 'react';
import { shownName } from '../../../text/shown-name.ts';
import { isOutage } from '../../api/queries.ts';
import type { Me } from '../../api/session.ts';
import type { FolderDetail } from '../../api/storage.ts';
import { mayWrite, type Workspace, workspaceName } from '../../api/workspaces.ts';
import { lazyComponent } from '../../components/lazy-component.tsx';
import { attempt } from '../../components/notify.tsx';
import { texts as common } from '../../texts.ts';
import type { PickedFiles } from '../../uploads/picked-files.ts';
import { useUploads } from '../../uploads/UploadsProvider.tsx';
import { EntryMenu, type MenuPosition } from './actions/EntryMenu.tsx';
import { FileDialogs } from './actions/FileDialogs.tsx';
import { SelectionBar } from './actions/SelectionBar.tsx';
import { useDragAndDrop } from './actions/useDragAndDrop.ts';
import { useEntryActions } from './actions/useEntryActions.ts';
import { useFileOperations } from './actions/useFileOperations.ts';
import { useShortcuts } from './actions/useShortcuts.ts';
import { filesOf, useEntries } from './entries.ts';
import { FilesContext } from './FilesContext.ts';
import { FilesSidebar } from './FilesSidebar.tsx';
import { FolderHeader } from './FolderHeader.tsx';
import { FolderContent, FolderError } from './listing/FolderContent.tsx';
import { NoStorage } from './NoStorage.tsx';
import { SpaceAndTrash } from './SpaceAndTrash.tsx';
import { SearchResults } from './search/SearchResults.tsx';
import { useFileSearch } from './search/useFileSearch.ts';
import { Toolbar } from './Toolbar.tsx';
import { texts } from './texts.ts';
import type { usePanels } from './usePanels.ts';
import { useSelection } from './useSelection.ts';
import { useView } from './useView.ts';
import { useWorkspaceOf } from './workspaces/useWorkspaceOf.ts';

const Preview = lazyComponent(async () => (await import('./preview/Preview.tsx')).Preview);
const DetailsPanel = lazyComponent(async () => (await import('./DetailsPanel.tsx')).DetailsPanel);
const VersionsPanel = lazyComponent(async () => (await import('./versions/VersionsPanel.tsx')).VersionsPanel);

/** The files page, which shows one folder. */
export function FilesPage({ me: { rootFolderId }, folderId }: { me: Me; folderId: string | null }) {
  if (folderId === null || rootFolderId === null) return <NoStorage />;
  return <WorkspaceView folderId={folderId} />;
}

function WorkspaceView({ folderId }: { folderId: string }) {
  const workspace = useWorkspaceOf(folderId);
  return <FolderView key={folderId} workspace={workspace} folderId={folderId} />;
}

/** A folder with its sidebar, toolbar, entries and dialogs. */
function FolderView({ workspace, folderId }: { workspace: Workspace | undefined; folderId: string }) {
  const view = useView();
  const search = useFileSearch();
  const content = useEntries(folderId, view.view, search.inFolder);
  const { folder, entries } = content;
  const selection = useSelection(entries, folderId);
  const selected = entries.filter(({ id }) => selection.selected.has(id));
  const operations = useFileOperations(folderId);
  const canWrite = mayWrite(workspace);
  const actions = useEntryActions({ folderId, operations, selection, canWrite });
  const { run, dialog, setDialog, closeDialog, panels } = actions;
  const [menu, setMenu] = useState<MenuPosition | null>(null);
  const drag = useDragAndDrop({ entries, selection, operations, canWrite, upload: useUploadDrop() });
  const onKeyDown = useShortcuts({ entries, selection, run });
  const name = shownName(folderName(folder, workspace));
  useDocumentTitle(`${name} · Posthouse`);

  if (content.error && (content.isPending || !isOutage(content.error)))
    return <FolderError error={content.error} retry={content.retry} />;
  return (
    <FilesContext
      value={{
        workspace,
        isShared: workspace?.personal === false,
        canWrite,
        selection,
        drag,
        open: (entry) => run('open', [entry]),
        showMenu(entry, index, position) {
          selection.activate(index);
          setMenu({ entry, ...position });
        },
      }}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: shortcuts for buttons inside */}
      <div className="files" onKeyDown={onKeyDown}>
        <FilesSidebar folderId={folderId} path={folder?.path.map(({ id }) => id) ?? []} />
        <section className="files-main" aria-label={name} {...drag.target({ id: folderId, name })}>
          <FolderHeader folderId={folderId} folder={folder} create={() => setDialog({ kind: 'create' })} />
          {selected.length > 0 ? (
            <SelectionBar entries={selected} run={run} clear={selection.clear} />
          ) : (
            <Toolbar folderId={folderId} view={view} search={search} />
          )}
          {search.isUsed && !search.isHere ? (
            <SearchResults filter={search.filter} />
          ) : (
            <FolderContent content={content} view={view} name={name} search={search.inFolder} />
          )}
          <footer className="files-footer">
            <SpaceAndTrash />
          </footer>
          {drag.over === folderId && <p className="drop-note">{texts.dropInto(name)}</p>}
        </section>
      </div>
      <EntryMenu at={menu} run={run} close={() => setMenu(null)} />
      {dialog && (
        <FileDialogs
          dialog={dialog}
          folderId={folderId}
          operations={operations}
          close={(done) => {
            closeDialog(dialog);
            if (done) selection.clear();
          }}
        />
      )}
      <FilePanels panels={panels} content={content} canWrite={canWrite} />
    </FilesContext>
  );
}

interface FilePanelsProps {
  panels: ReturnType<typeof usePanels>;
  content: ReturnType<typeof useEntries>;
  canWrite: boolean;
}

/** The panels that are open: preview, details and versions of a file. */
function FilePanels({ panels: { preview, details, versions, show }, content, canWrite }: FilePanelsProps) {
  return (
    <>
      {preview && (
        <Preview
          id={preview}
          files={filesOf(content.entries)}
          position={content.isPartial ? null : undefined}
          canWrite={canWrite}
          show={show}
        />
      )}
      {details && <DetailsPanel id={details} close={() => show('details', null)} />}
      {versions && <VersionsPanel id={versions} close={() => show('versions', null)} />}
    </>
  );
}

function folderName(folder: FolderDetail | undefined, workspace: Workspace | undefined): string {
  if (!folder) return common.files;
  return folder.parentFolderId === null && workspace ? workspaceName(workspace) : folder.name;
}

/** Returns a function that uploads dropped files and folders. */
function useUploadDrop() {
  const uploads = useUploads();
  return (dropped: Promise<PickedFiles>, folderId: string) =>
    void attempt(async () => {
      const { files, emptyFolders } = await dropped;
      void uploads.add(files, folderId);
      await uploads.createFolders(emptyFolders, folderId);
    });
}
