import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Folder as FolderIcon, Search } from 'lucide-react';
import { useLocation } from 'wouter';
import { searchFiles } from '../../api/search.ts';
import type { Me } from '../../api/session.ts';
import { type Folder, type FolderDetail, getFolder, keys } from '../../api/storage.ts';
import { EntryPicture } from '../../pages/files/EntryPicture.tsx';
import { fileEntry } from '../../pages/files/entries.ts';
import { matching, type PaletteGroup, type PaletteItem } from './items.ts';
import { texts } from './texts.ts';

const TYPING_MS = 200;
const FOLDERS_SHOWN = 5;

/** The folders and files that match. Folders are those that this browser has loaded, and those of the root. */
export function useFound({ rootFolderId }: Me, query: string): PaletteGroup[] {
  const [, navigate] = useLocation();
  const [text] = useDebouncedValue(query.trim(), TYPING_MS);
  const isUsed = rootFolderId !== null && text !== '';
  const files = useQuery({
    queryKey: keys.search(text),
    queryFn: ({ signal }) => searchFiles(text, signal),
    enabled: isUsed,
    placeholderData: keepPreviousData,
  });
  const folders = useLoadedFolders(isUsed ? rootFolderId : null).map((folder) => ({
    id: folder.id,
    label: folder.name,
    icon: <FolderIcon size={18} />,
    run: () => navigate(`/files/${folder.id}`),
  }));
  if (!isUsed || query.trim() === '') return [];
  const found = (files.data ?? []).map(
    (file): PaletteItem => ({
      id: file.id,
      label: file.originalName,
      description: file.path || undefined,
      icon: <EntryPicture entry={fileEntry(file)} />,
      run: () => navigate(`/files/${file.folderId}?preview=${file.id}`),
    }),
  );
  const all: PaletteItem = {
    id: 'search',
    label: texts.allFiles(text),
    icon: <Search size={18} />,
    run: () => navigate(`/files?${new URLSearchParams({ q: text })}`),
  };
  return [
    ...matching(texts.folders, folders, query).map((group) => ({
      ...group,
      items: group.items.slice(0, FOLDERS_SHOWN),
    })),
    ...(found.length > 0 ? [{ label: texts.files, items: [...found, all] }] : []),
  ];
}

/** @param rootId its folders are loaded; null = none */
function useLoadedFolders(rootId: string | null): Folder[] {
  const client = useQueryClient();
  useQuery({
    queryKey: keys.folder(rootId ?? ''),
    queryFn: () => getFolder(rootId ?? ''),
    enabled: rootId !== null,
  });
  const loaded = client.getQueriesData<FolderDetail>({ queryKey: ['folder'] });
  const byId = new Map(
    loaded.flatMap(([, folder]) => folder?.folders ?? []).map((folder) => [folder.id, folder]),
  );
  return [...byId.values()];
}
