import { Group, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { ArrowDownAZ, ArrowUpAZ, LayoutGrid, List, Search, X } from 'lucide-react';
import { COLUMNS, type SortBy } from '../../api/storage.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { IconLabel } from '../../components/IconLabel.tsx';
import { optionsOf } from '../../components/options.ts';
import type { useView } from './useView.ts';

interface SearchBoxProps {
  search: string;
  setSearch(search: string): void;
}

interface ToolbarProps extends SearchBoxProps {
  view: ReturnType<typeof useView>;
}

/** Search, order and view of the folder. */
export function Toolbar({ view: { view, setMode, setOrder, sortBy }, ...search }: ToolbarProps) {
  const ascending = view.order === 'asc';
  return (
    <Group gap="xs" className="files-toolbar">
      <SearchBox {...search} />
      <Group gap={6} wrap="nowrap">
        <NativeSelect
          aria-label="Sort by"
          value={view.sort}
          onChange={(event) => sortBy(event.currentTarget.value as SortBy)}
          data={optionsOf(COLUMNS)}
        />
        <IconButton
          variant="default"
          size={36}
          onClick={() => setOrder(ascending ? 'desc' : 'asc')}
          label={ascending ? 'Ascending' : 'Descending'}
          icon={ascending ? <ArrowDownAZ size={18} /> : <ArrowUpAZ size={18} />}
        />
        <SegmentedControl
          aria-label="View"
          value={view.mode}
          onChange={setMode}
          data={[
            { value: 'list', label: <IconLabel icon={<List size={17} />} label="List" /> },
            { value: 'grid', label: <IconLabel icon={<LayoutGrid size={17} />} label="Grid" /> },
          ]}
        />
      </Group>
    </Group>
  );
}

function SearchBox({ search, setSearch }: SearchBoxProps) {
  const clear = () => setSearch('');
  return (
    <TextInput
      className="files-search"
      type="search"
      placeholder="Search this folder"
      aria-label="Search this folder"
      leftSection={<Search size={16} />}
      rightSection={search && <IconButton size="md" onClick={clear} label="Clear" icon={<X size={16} />} />}
      value={search}
      onChange={(event) => setSearch(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Escape' && clear()}
    />
  );
}
