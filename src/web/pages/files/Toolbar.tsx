import { ActionIcon, Group, NativeSelect, SegmentedControl, TextInput, VisuallyHidden } from '@mantine/core';
import { ArrowDownAZ, ArrowUpAZ, LayoutGrid, List, Search, X } from 'lucide-react';
import type { RefObject } from 'react';
import type { SortBy } from '../../api/storage.ts';
import { common } from '../../texts/common.ts';
import { fileTexts as texts } from '../../texts/files.ts';
import type { useView } from './view.ts';

interface ToolbarProps {
  view: ReturnType<typeof useView>;
  search: string;
  setSearch(search: string): void;
  searchBox: RefObject<HTMLInputElement | null>;
}

/** Search, order and kind of view. */
export function Toolbar({ view: { view, setMode, setOrder, sortBy }, search, setSearch, searchBox }: ToolbarProps) {
  const ascending = view.order === 'asc';
  return (
    <Group gap="xs" className="files-toolbar">
      <TextInput
        ref={searchBox}
        className="files-search"
        type="search"
        placeholder={texts.search}
        aria-label={texts.search}
        leftSection={<Search size={16} />}
        rightSection={
          search && (
            <ActionIcon variant="subtle" color="gray" onClick={() => setSearch('')} aria-label={common.action.clear}>
              <X size={16} />
            </ActionIcon>
          )
        }
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setSearch('');
        }}
      />
      <Group gap={6} wrap="nowrap">
        <NativeSelect
          aria-label={texts.sort}
          value={view.sort}
          onChange={(event) => sortBy(event.currentTarget.value as SortBy)}
          data={Object.entries(texts.sorts).map(([value, label]) => ({ value, label }))}
        />
        <ActionIcon
          variant="default"
          size={36}
          onClick={() => setOrder(ascending ? 'desc' : 'asc')}
          aria-label={ascending ? texts.ascending : texts.descending}
          title={ascending ? texts.ascending : texts.descending}
        >
          {ascending ? <ArrowDownAZ size={18} /> : <ArrowUpAZ size={18} />}
        </ActionIcon>
        <SegmentedControl
          aria-label={texts.view}
          value={view.mode}
          onChange={(mode) => setMode(mode as 'list' | 'grid')}
          data={[
            { value: 'list', label: <ViewSign icon={<List size={17} />} label={texts.list} /> },
            { value: 'grid', label: <ViewSign icon={<LayoutGrid size={17} />} label={texts.grid} /> },
          ]}
        />
      </Group>
    </Group>
  );
}

function ViewSign({ icon, label }: { icon: React.ReactNode; label: string }) {
  return (
    <span className="scheme-choice" title={label}>
      {icon}
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  );
}
