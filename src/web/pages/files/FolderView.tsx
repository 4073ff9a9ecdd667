import { Button } from '@mantine/core';
import { useDebouncedValue, useDocumentTitle } from '@mantine/hooks';
import { FolderPlus } from 'lucide-react';
import { type KeyboardEvent, lazy, Suspense, useRef, useState } from 'react';
import { attempt } from '../../parts/tell.tsx';
import { Waiting } from '../../parts/Waiting.tsx';
import { common } from '../../texts/common.ts';
import { fileTexts as texts } from '../../texts/files.ts';
import type { readDropped } from '../../uploads/dropped.ts';
import { useUploads } from '../../uploads/Uploads.tsx';
import { useChanges } from './changes.ts';
import { Questions } from './dialogs.tsx';
import { useDrag } from './drag.ts';
import { ACTION_KEYS, EntryMenu, SelectionBar } from './EntryActions.tsx';
import { type Entry, useEntries } from './entries.ts';
import { FilesContext, type FilesContextValue } from './FilesContext.ts';
import { FilesSide, TrashLink } from './FilesSide.tsx';
import { EmptyFolder, FolderFailure } from './FolderStates.tsx';
import { ListHead } from './ListHead.tsx';
import { Listing } from './Listing.tsx';
import { PathBar } from './PathBar.tsx';
import { useSelection } from './selection.ts';
import { Toolbar } from './Toolbar.tsx';
import { UploadButtons } from './UploadButtons.tsx';
import { UsageBar } from './UsageBar.tsx';
import { useActs } from './useActs.ts';
import { useView } from './view.ts';

const Preview = lazy(() => import('./Preview.tsx').then((module) => ({ default: module.Preview })));
const DetailsPanel = lazy(() => import('./DetailsPanel.tsx').then((module) => ({ default: module.DetailsPanel })));
const SEARCH_MS = 250;

/** One folder with everything that can be done in it. */
export function FolderView({ rootId, folderId }: { rootId: string; folderId: string }) {
  const uploads = useUploads();
  const view = useView();
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search, SEARCH_MS);
  const { folder, entries, isPending, isPartial, error, retry } = useEntries(folderId, view.view, wanted);
  const selection = useSelection(entries, folderId);
  const changes = useChanges(folderId);
  const { act, question, ask, shown, show, replacement, replaced } = useActs(changes, selection);
  const [menu, setMenu] = useState<{ entry: Entry; x: number; y: number } | null>(null);
  const searchBox = useRef<HTMLInputElement>(null);
  const name = folder?.parentFolderId === null ? texts.root : (folder?.name ?? texts.title);
  const chosen = entries.filter(({ id }) => selection.chosen.has(id));
  useDocumentTitle(`${name} · ${common.product}`);

  const upload = (dropped: ReturnType<typeof readDropped>, target: string) =>
    void attempt(async () => {
      const { files, emptyFolders } = await dropped;
      uploads.add(files, target);
      await uploads.makeFolders(emptyFolders, target);
    });
  const context: FilesContextValue = {
    selection,
    open: (entry) => act('open', [entry]),
    offer(entry, index, place) {
      selection.goTo(index);
      setMenu({ entry, ...place });
    },
    drag: useDrag({ entries, selection, changes, upload }),
  };

  function onKeyDown(event: KeyboardEvent) {
    if (isTyping(event.target as HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
    const active = entries[selection.active];
    const action = ACTION_KEYS[event.key];
    if (event.key === '/') searchBox.current?.focus();
    else if (action && (active || chosen.length > 0)) act(action, chosen.length > 0 || !active ? chosen : [active]);
    else return;
    event.preventDefault();
  }

  if (error) return <FolderFailure error={error} retry={retry} />;
  const isOver = context.drag.over === folderId;
  return (
    <FilesContext value={context}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: shortcuts for what its buttons do */}
      <div className="files" onKeyDown={onKeyDown}>
        <FilesSide rootId={rootId} folderId={folderId} path={folder?.path.map(({ id }) => id) ?? []} />
        <section className="files-main" aria-label={name} data-over={isOver || undefined} {...context.drag.into({ id: folderId, name })}>
          <header className="files-head">
            <PathBar path={folder?.path ?? []} />
            <div className="files-actions">
              <Button variant="default" leftSection={<FolderPlus size={17} />} onClick={() => ask({ kind: 'create' })}>
                {texts.newFolder}
              </Button>
              <UploadButtons upload={(files) => uploads.add(files, folderId)} />
            </div>
          </header>
          {chosen.length > 0 ? (
            <SelectionBar entries={chosen} act={act} clear={selection.clear} />
          ) : (
            <Toolbar view={view} search={search} setSearch={setSearch} searchBox={searchBox} />
          )}
          {isPending && <Waiting />}
          {!isPending && entries.length === 0 && !isPartial && <EmptyFolder search={wanted} />}
          {entries.length > 0 && (
            <Listing
              entries={entries}
              mode={view.view.mode}
              name={name}
              head={<ListHead view={view} selection={selection} entries={entries} />}
            />
          )}
          {isPartial && <p className="files-note">{texts.loaded(entries.length)}</p>}
          <footer className="files-foot">
            <TrashLink />
            <UsageBar />
          </footer>
          {isOver && <p className="drop-note">{texts.dropHere(name)}</p>}
        </section>
        <input
          ref={replacement}
          type="file"
          hidden
          data-testid="replacement"
          onChange={({ currentTarget: input }) => {
            const [file] = input.files ?? [];
            if (file && replaced.current) uploads.replace(replaced.current.id, folderId, file);
            input.value = '';
          }}
        />
      </div>
      <EntryMenu at={menu} act={act} close={() => setMenu(null)} />
      <Questions
        question={question}
        folderId={folderId}
        changes={changes}
        close={(done) => {
          ask(null);
          if (done) selection.clear();
        }}
      />
      <Suspense>
        {shown.preview && (
          <Preview id={shown.preview} entries={entries} show={(id) => show('preview', id)} share={(id) => show('details', id)} />
        )}
        {shown.details && <DetailsPanel id={shown.details} close={() => show('details', null)} />}
      </Suspense>
    </FilesContext>
  );
}

/** Letters typed there are no shortcuts. */
function isTyping(target: HTMLElement): boolean {
  return target.closest('input:not([type=checkbox]), textarea, select, [role=dialog], [role=menu]') !== null;
}
