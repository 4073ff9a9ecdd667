import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { nameKey } from '../../../text/name-key.ts';
import { useAllPages } from '../../api/pages.ts';
import { type FileItem, type Folder, filesPages, folderQuery, type Order } from '../../api/storage.ts';

/** A folder or a file in a listing. */
export type Entry =
  | { kind: 'folder'; id: string; name: string; folder: Folder }
  | { kind: 'file'; id: string; name: string; file: FileItem };

export const fileEntry = (file: FileItem): Entry => ({
  kind: 'file',
  id: file.id,
  name: file.originalName,
  file,
});
export const folderEntry = (folder: Folder): Entry => ({
  kind: 'folder',
  id: folder.id,
  name: folder.name,
  folder,
});

export const filesOf = (entries: readonly Entry[]): FileItem[] =>
  entries.flatMap((entry) => (entry.kind === 'file' ? [entry.file] : []));

export const folderAddress = (id: string, isRoot = false) => (isRoot ? '/files' : `/files/${id}`);

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
export const byName = (a: { name: string }, b: { name: string }) => names.compare(a.name, b.name);

/** The entries of a folder. Files are loaded page by page, so that the first ones appear immediately. */
export function useEntries(folderId: string, { sort, order }: Order, search: string) {
  const folder = useQuery(folderQuery(folderId));
  const pages = useAllPages({
    ...filesPages(folderId, { sort, order }, search),
    placeholder: (key) => key[1] === folderId,
  });
  const entries = useMemo(() => {
    const query = nameKey(search.trim());
    const direction = sort === 'name' && order === 'desc' ? -1 : 1;
    const folders = (folder.data?.folders ?? [])
      .filter(({ name }) => nameKey(name).includes(query))
      .sort((a, b) => direction * byName(a, b));
    const files = pages.data?.pages.flatMap((page) => page.items) ?? [];
    return [...folders.map(folderEntry), ...files.map(fileEntry)];
  }, [folder.data, pages.data, search, sort, order]);

  return {
    folder: folder.data,
    entries,
    isPending: !folder.data || !pages.data,
    /** Whether more pages are being loaded. */
    isPartial: pages.hasNextPage,
    error: folder.error ?? pages.error,
    retry() {
      void folder.refetch();
      void pages.refetch();
    },
  };
}
