import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { type FoundFile, type SearchFilter, searchPage } from '../../../api/search.ts';
import { keys } from '../../../api/storage.ts';
import { useWorkspaces, workspaceName } from '../../../api/workspaces.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { PageLoader } from '../../../components/PageLoader.tsx';
import { Row, Rows } from '../../../components/Rows.tsx';
import { Time } from '../../../components/Time.tsx';
import { countOf, formatBytes } from '../../../formats.ts';
import { EntryPicture } from '../EntryPicture.tsx';
import { fileEntry, folderAddress } from '../entries.ts';
import { texts } from './texts.ts';

/** Rows that are loaded without being asked for: a page can be short although there are further files. */
const ROWS = 50;

/** The files that match, everywhere, the last added first. */
export function SearchResults({ filter }: { filter: SearchFilter }) {
  const pages = useInfiniteQuery({
    queryKey: keys.found(filter),
    queryFn: ({ pageParam, signal }) => searchPage(filter, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: (before) => before,
  });
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = pages;
  const files = data?.pages.flatMap((page) => page.items) ?? [];
  const isShort = hasNextPage && files.length < ROWS;
  useEffect(() => {
    if (isShort && !isFetching && !error) void fetchNextPage();
  }, [isShort, isFetching, error, fetchNextPage]);

  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />;
  if (!data || (isShort && files.length === 0)) return <PageLoader />;
  if (files.length === 0) return <NoMatches filter={filter} />;
  return (
    <div className="search-results">
      <p className="search-status" role="status">
        {countOf(files.length, 'file')}
        {hasNextPage && texts.newestFirst}
      </p>
      <Rows label={texts.found}>
        {files.map((file) => (
          <FoundRow key={file.id} file={file} />
        ))}
      </Rows>
      {hasNextPage && (
        <Button variant="subtle" fullWidth loading={isFetching} onClick={() => void fetchNextPage()}>
          {texts.showMore}
        </Button>
      )}
    </div>
  );
}

function FoundRow({ file }: { file: FoundFile }) {
  const workspace = useWorkspaces().data?.find(({ id }) => id === file.workspaceId);
  const place = [workspace && workspaceName(workspace), file.path].filter(Boolean).join(' / ');
  return (
    <Row
      icon={<EntryPicture entry={fileEntry(file)} />}
      title={<Link href={`${folderAddress(file.folderId)}?preview=${file.id}`}>{file.originalName}</Link>}
      description={
        <>
          {formatBytes(file.sizeBytes)} · <Time value={file.dateCreated} /> ·{' '}
          <Link href={folderAddress(file.folderId)}>{place || texts.openFolder}</Link>
        </>
      }
    />
  );
}

function NoMatches({ filter: { query } }: { filter: SearchFilter }) {
  return (
    <EmptyState
      title={texts.noMatches}
      text={query === '' ? texts.noFileMatches : texts.noNameMatches(query)}
      icon={<SearchX size={28} />}
    />
  );
}
