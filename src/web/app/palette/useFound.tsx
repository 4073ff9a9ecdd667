import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Folder as FolderIcon, Search } from 'lucide-react';
import { useLocation } from 'wouter';
import { shownName } from '../../../text/shown-name.ts';
import { keys } from '../../api/keys.ts';
import { foldersNamed, searchFiles } from '../../api/search.ts';
import type { Me } from '../../api/session.ts';
import { EntryPicture } from '../../pages/files/EntryPicture.tsx';
import { fileEntry } from '../../pages/files/entries.ts';
import { opening } from '../../pages/files/usePanels.ts';
import { texts as common } from '../../texts.ts';
import { matching, type PaletteGroup, type PaletteItem } from './items.ts';
import { texts } from './texts.ts';

const TYPING_MS = 200;
const FOLDERS = 5;

/** The folders and files that match. */
export function useFound({ rootFolderId }: Me, query: string): PaletteGroup[] {
  const [, navigate] = useLocation();
  const [text] = useDebouncedValue(query.trim(), TYPING_MS);
  const isUsed = rootFolderId !== null && text !== '';
  const options = { enabled: isUsed, placeholderData: keepPreviousData };
  const files = useQuery({
    queryKey: [...keys.search, text],
    queryFn: ({ signal }) => searchFiles(text, signal),
    ...options,
  });
  const folders = useQuery({ ...foldersNamed(text, FOLDERS), ...options });
  if (!isUsed || query.trim() === '') return [];
  const foundFolders = (folders.data ?? []).map(
    (folder): PaletteItem => ({
      id: folder.id,
      label: shownName(folder.name),
      description: shownName(folder.path) || undefined,
      icon: <FolderIcon size={18} />,
      run: () => navigate(`/files/${folder.id}`),
    }),
  );
  const found = (files.data ?? []).map(
    (file): PaletteItem => ({
      id: file.id,
      label: shownName(file.originalName),
      description: shownName(file.path) || undefined,
      icon: <EntryPicture entry={fileEntry(file)} />,
      run: () => navigate(`/files/${file.folderId}?preview=${file.id}`, { state: opening('preview') }),
    }),
  );
  const all: PaletteItem = {
    id: 'search',
    label: texts.allFiles(text),
    icon: <Search size={18} />,
    run: () => navigate(`/files?${new URLSearchParams({ q: text })}`),
  };
  // Until the response arrives, the results for the previous text that match this one too are shown.
  return [
    ...matching(common.folders, foundFolders, query),
    ...matching(common.files, found, query).map(({ label, items }) => ({ label, items: [...items, all] })),
  ];
}
