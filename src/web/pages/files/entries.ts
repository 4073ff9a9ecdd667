import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { type FileItem, type Folder, getFolder, keys, listFiles, type Order } from '../../api/storage.ts';

/** A line of a folder. */
export type Entry =
  | { kind: 'folder'; id: string; name: string; folder: Folder }
  | { kind: 'file'; id: string; name: string; file: FileItem };

export const fileEntry = (file: FileItem): Entry => ({ kind: 'file', id: file.id, name: file.originalName, file });
export const folderEntry = (folder: Folder): Entry => ({ kind: 'folder', id: folder.id, name: folder.name, folder });

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
const THUMBNAIL_MS = 1_500;
/** How long after an upload a thumbnail may still be in the making. */
const THUMBNAIL_LIMIT_MS = 30_000;

/** A folder with everything in it; files come in pages, one after the other, so that the first are there at once. */
export function useEntries(folderId: string, { sort, order }: Order, search: string) {
  const folder = useQuery({ queryKey: keys.folder(folderId), queryFn: ({ signal }) => getFolder(folderId, signal) });
  const pages = useInfiniteQuery({
    queryKey: [...keys.files(folderId), sort, order, search],
    queryFn: ({ pageParam, signal }) => listFiles(folderId, { sort, order, search }, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: (earlier, query) => (query?.queryKey[1] === folderId ? earlier : undefined),
    refetchInterval: (query) => (query.state.data?.pages.some((page) => page.files.some(awaitsThumbnail)) ? THUMBNAIL_MS : false),
  });
  const { hasNextPage, isFetching, isError, fetchNextPage } = pages;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);

  const entries = useMemo(() => {
    const wanted = search.trim().toLocaleLowerCase();
    const folders = (folder.data?.folders ?? [])
      .filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
      .sort((a, b) => (sort === 'name' && order === 'desc' ? -1 : 1) * names.compare(a.name, b.name));
    const files = pages.data?.pages.flatMap((page) => page.files) ?? [];
    return [...folders.map(folderEntry), ...files.map(fileEntry)];
  }, [folder.data, pages.data, search, sort, order]);

  return {
    folder: folder.data,
    entries,
    isPending: folder.isPending || pages.isPending,
    /** Files of later pages are still on their way. */
    isPartial: hasNextPage,
    error: folder.error ?? pages.error,
    retry() {
      void folder.refetch();
      void pages.refetch();
    },
  };
}

function awaitsThumbnail({ mimeType, thumbnailPath, dateModified }: FileItem): boolean {
  return thumbnailPath === null && mimeType.startsWith('image/') && Date.now() - new Date(dateModified).getTime() < THUMBNAIL_LIMIT_MS;
}
