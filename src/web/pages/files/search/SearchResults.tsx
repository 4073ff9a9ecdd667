import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { shownName } from '../../../../text/shown-name.ts';
import { keys } from '../../../api/keys.ts';
import { pagesQuery } from '../../../api/pages.ts';
import {
  type FoundFile,
  type FoundFolder,
  foldersNamed,
  type SearchFilter,
  searchPages,
} from '../../../api/search.ts';
import { useWorkspaces, workspaceName } from '../../../api/workspaces.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { MoreButton } from '../../../components/MoreButton.tsx';
import { Name } from '../../../components/Name.tsx';
import { PageLoader } from '../../../components/PageLoader.tsx';
import { Row, Rows } from '../../../components/Rows.tsx';
import { Time } from '../../../components/Time.tsx';
import { countOf, formatBytes } from '../../../formats.ts';
import { texts as common } from '../../../texts.ts';
import { EntryPicture } from '../EntryPicture.tsx';
import { fileEntry, folderAddress, folderEntry } from '../entries.ts';
import { EntryMenuButton } from '../listing/EntryControls.tsx';
import { opening } from '../usePanels.ts';
import { FoundMenu, type FoundPosition } from './FoundMenu.tsx';
import { texts } from './texts.ts';

/** Number of files up to which pages are loaded automatically: a page can be short and still have a next one. */
const ROWS = 50;
/** Folders that are shown before the files. */
const FOLDERS = 20;

/** The folders and files that match in all workspaces; files most recently added first. */
export function SearchResults({ filter }: { filter: SearchFilter }) {
  const found = useFoundFiles(filter);
  const { folders, ...search } = useFoundFolders(filter);
  const { files, pages } = found;
  const { error } = pages;
  if (error && !pages.data) return <ErrorState error={error} retry={() => void pages.refetch()} />;
  const isEmpty = files.length === 0 && folders.length === 0;
  if (!pages.data || (isEmpty && (found.isShort || search.isLoading))) return <PageLoader />;
  if (isEmpty && search.error) return <ErrorState error={search.error} retry={() => void search.refetch()} />;
  if (isEmpty) return <NoMatches filter={filter} />;
  return (
    <div className="search-results">
      <p className="search-status" role="status">
        {folders.length > 0 && `${countOf(folders.length, 'folder')}, `}
        {countOf(files.length, 'file')}
        {pages.hasNextPage && texts.newestFirst}
      </p>
      <FoundRows folders={folders} files={files} />
      <MoreButton pages={pages} />
    </div>
  );
}

/** The files that match, page by page. */
function useFoundFiles(filter: SearchFilter) {
  const pages = useInfiniteQuery({
    ...pagesQuery({ queryKey: [...keys.search, 'pages', filter], load: searchPages(filter) }),
    placeholderData: (before) => before,
  });
  const { data, error, hasNextPage, isFetching, fetchNextPage } = pages;
  const files = data?.pages.flatMap((page) => page.items) ?? [];
  const isShort = hasNextPage && files.length < ROWS;
  useEffect(() => {
    if (isShort && !isFetching && !error) void fetchNextPage();
  }, [isShort, isFetching, error, fetchNextPage]);
  return { files, pages, isShort };
}

/** The folders that match; none if the filter has a type or a time, which only files have. */
function useFoundFolders({ query, type, days }: SearchFilter) {
  const enabled = query !== '' && type === null && days === null;
  const { data, error, isLoading, refetch } = useQuery({ ...foldersNamed(query, FOLDERS), enabled });
  return { folders: data ?? [], error, isLoading, refetch };
}

/** Returns the workspace and the folders above a file or folder. */
function usePlace({ workspaceId, path }: Pick<FoundFile, 'workspaceId' | 'path'>): string {
  const workspace = useWorkspaces().data?.find(({ id }) => id === workspaceId);
  return [workspace && workspaceName(workspace), shownName(path)].filter(Boolean).join(' / ');
}

interface FoundRowsProps {
  folders: readonly FoundFolder[];
  files: readonly FoundFile[];
}

/** The rows, and the menu of one of them. */
function FoundRows({ folders, files }: FoundRowsProps) {
  const [menu, setMenu] = useState<FoundPosition | null>(null);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const showMenu: ShowMenu = (position) => {
    setMenu(position);
    setMenuOpen(true);
  };
  return (
    <>
      <Rows label={texts.found} boxed>
        {folders.map((folder) => (
          <FolderRow key={folder.id} folder={folder} showMenu={showMenu} />
        ))}
        {files.map((file) => (
          <FoundRow key={file.id} file={file} showMenu={showMenu} />
        ))}
      </Rows>
      {menu && (
        <FoundMenu key={menu.entry.id} at={menu} isOpen={isMenuOpen} close={() => setMenuOpen(false)} />
      )}
    </>
  );
}

type ShowMenu = (position: FoundPosition) => void;

function FolderRow({ folder, showMenu }: { folder: FoundFolder; showMenu: ShowMenu }) {
  const entry = folderEntry(folder);
  return (
    <Row
      icon={<EntryPicture entry={entry} />}
      title={
        <Link href={folderAddress(folder.id)}>
          <Name name={folder.name} />
        </Link>
      }
      description={usePlace(folder)}
      actions={
        <EntryMenuButton
          name={folder.name}
          showAt={(at) => showMenu({ entry, workspaceId: folder.workspaceId, ...at })}
        />
      }
    />
  );
}

function FoundRow({ file, showMenu }: { file: FoundFile; showMenu: ShowMenu }) {
  const entry = fileEntry(file);
  const place = usePlace(file);
  return (
    <Row
      icon={<EntryPicture entry={entry} />}
      title={
        <Link href={`${folderAddress(file.folderId)}?preview=${file.id}`} state={opening('preview')}>
          <Name name={file.originalName} />
        </Link>
      }
      description={
        <>
          {formatBytes(file.sizeBytes)} · <Time value={file.dateCreated} /> ·{' '}
          <Link href={folderAddress(file.folderId)}>{place || common.openFolder}</Link>
        </>
      }
      actions={
        <EntryMenuButton
          name={file.originalName}
          showAt={(at) => showMenu({ entry, workspaceId: file.workspaceId, ...at })}
        />
      }
    />
  );
}

function NoMatches({ filter: { query } }: { filter: SearchFilter }) {
  return (
    <EmptyState
      title={common.noMatches}
      text={query === '' ? texts.noFileMatches : texts.noNameMatches(query)}
      icon={<SearchX size={28} />}
    />
  );
}
