import { Group, NativeSelect, SegmentedControl } from '@mantine/core';
import { ArrowDownAZ, ArrowUpAZ, Images, LayoutGrid, List } from 'lucide-react';
import { useLocation } from 'wouter';
import { COLUMNS, type SortBy } from '../../api/storage.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { IconLabel } from '../../components/IconLabel.tsx';
import { optionsOf } from '../../components/options.ts';
import { texts as common } from '../../texts.ts';
import { SearchBar } from './search/SearchBar.tsx';
import type { FileSearch } from './search/useFileSearch.ts';
import { texts } from './texts.ts';
import type { useView } from './useView.ts';

interface ToolbarProps {
  folderId: string;
  search: FileSearch;
  view: ReturnType<typeof useView>;
}

/** Search, order and view of the folder. */
export function Toolbar({ folderId, view, search }: ToolbarProps) {
  return (
    <Group gap="xs" className="files-toolbar">
      <SearchBar search={search} />
      {(!search.isUsed || search.isHere) && <ViewControls folderId={folderId} view={view} />}
    </Group>
  );
}

function ViewControls({
  folderId,
  view: { view, setMode, setOrder, sortBy },
}: Pick<ToolbarProps, 'folderId' | 'view'>) {
  const [, navigate] = useLocation();
  const ascending = view.order === 'asc';
  return (
    <Group gap={6} wrap="nowrap" className="view-controls">
      <NativeSelect
        aria-label={texts.sortBy}
        value={view.sort}
        onChange={(event) => sortBy(event.currentTarget.value as SortBy)}
        data={optionsOf(COLUMNS)}
      />
      <IconButton
        variant="default"
        size={36}
        onClick={() => setOrder(ascending ? 'desc' : 'asc')}
        label={ascending ? texts.ascending : texts.descending}
        icon={ascending ? <ArrowDownAZ size={18} /> : <ArrowUpAZ size={18} />}
      />
      <SegmentedControl
        aria-label={texts.view}
        value={view.mode}
        onChange={(mode) => (mode === 'timeline' ? navigate(`/timeline/${folderId}`) : setMode(mode))}
        data={[
          { value: 'list', label: <IconLabel icon={<List size={17} />} label={texts.list} /> },
          { value: 'grid', label: <IconLabel icon={<LayoutGrid size={17} />} label={texts.grid} /> },
          { value: 'timeline', label: <IconLabel icon={<Images size={17} />} label={common.timeline} /> },
        ]}
      />
    </Group>
  );
}
