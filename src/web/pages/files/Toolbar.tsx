import { Group, NativeSelect, SegmentedControl } from '@mantine/core';
import { ArrowDownAZ, ArrowUpAZ, LayoutGrid, List } from 'lucide-react';
import { COLUMNS, type SortBy } from '../../api/storage.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { IconLabel } from '../../components/IconLabel.tsx';
import { optionsOf } from '../../components/options.ts';
import { SearchBar } from './search/SearchBar.tsx';
import type { FileSearch } from './search/useFileSearch.ts';
import { texts } from './texts.ts';
import type { useView } from './useView.ts';

interface ToolbarProps {
  search: FileSearch;
  view: ReturnType<typeof useView>;
}

/** Search, order and view of the folder. */
export function Toolbar({ view, search }: ToolbarProps) {
  return (
    <Group gap="xs" className="files-toolbar">
      <SearchBar search={search} />
      {(!search.isUsed || search.isHere) && <ViewControls view={view} />}
    </Group>
  );
}

function ViewControls({ view: { view, setMode, setOrder, sortBy } }: Pick<ToolbarProps, 'view'>) {
  const ascending = view.order === 'asc';
  return (
    <Group gap={6} wrap="nowrap">
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
        onChange={setMode}
        data={[
          { value: 'list', label: <IconLabel icon={<List size={17} />} label={texts.list} /> },
          { value: 'grid', label: <IconLabel icon={<LayoutGrid size={17} />} label={texts.grid} /> },
        ]}
      />
    </Group>
  );
}
