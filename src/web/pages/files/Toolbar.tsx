import { Group, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { ArrowDownAZ, ArrowUpAZ, LayoutGrid, List, Search, X } from 'lucide-react';
import type { RefObject } from 'react';
import type { SortBy } from '../../api/storage.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { IconLabel } from '../../components/IconLabel.tsx';
import { optionsOf } from '../../components/options.ts';
import { common } from '../../texts/common.ts';
import { fileTexts as texts } from '../../texts/files.ts';
import type { useView } from './useView.ts';

interface SearchBoxProps {
  search: string;
  setSearch(search: string): void;
  searchBox: RefObject<HTMLInputElement | null>;
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
          aria-label={texts.sort}
          value={view.sort}
          onChange={(event) => sortBy(event.currentTarget.value as SortBy)}
          data={optionsOf(texts.columns)}
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
    </Group>
  );
}

function SearchBox({ search, setSearch, searchBox }: SearchBoxProps) {
  const clear = () => setSearch('');
  return (
    <TextInput
      ref={searchBox}
      className="files-search"
      type="search"
      placeholder={texts.search}
      aria-label={texts.search}
      leftSection={<Search size={16} />}
      rightSection={
        search && <IconButton size="md" onClick={clear} label={common.action.clear} icon={<X size={16} />} />
      }
      value={search}
      onChange={(event) => setSearch(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Escape' && clear()}
    />
  );
}
