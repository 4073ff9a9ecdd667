import { NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { Search, X } from 'lucide-react';
import { FILE_TYPES } from '../../../api/search.ts';
import { IconButton } from '../../../components/IconButton.tsx';
import { optionsOf } from '../../../components/options.ts';
import './search.css';
import type { FileSearch } from './useFileSearch.ts';

const SCOPES = { everywhere: 'Everywhere', folder: 'This folder' };
const AGES = { 1: 'Last 24 hours', 7: 'Last 7 days', 30: 'Last 30 days', 365: 'Last year' };

/** The text of the search, and its scope and filters while it is used. */
export function SearchBar({ search }: { search: FileSearch }) {
  const { isUsed, isHere, filter, set } = search;
  return (
    <>
      <SearchBox search={search} />
      {isUsed && (
        <SegmentedControl
          className="search-scope"
          aria-label="Search in"
          data={optionsOf(SCOPES)}
          value={isHere ? 'folder' : 'everywhere'}
          onChange={(scope) => set('in', scope === 'folder' ? 'folder' : '')}
        />
      )}
      {isUsed && !isHere && (
        <>
          <NativeSelect
            className="search-filter"
            aria-label="Type of files"
            data={[{ value: '', label: 'All types' }, ...optionsOf(FILE_TYPES)]}
            value={filter.type ?? ''}
            onChange={(event) => set('type', event.currentTarget.value)}
          />
          <NativeSelect
            className="search-filter"
            aria-label="Time of upload"
            data={[{ value: '', label: 'Any time' }, ...optionsOf(AGES)]}
            value={String(filter.days ?? '')}
            onChange={(event) => set('days', event.currentTarget.value)}
          />
        </>
      )}
    </>
  );
}

function SearchBox({ search: { text, isUsed, isHere, set, clear } }: { search: FileSearch }) {
  const label = isHere ? 'Search this folder' : 'Search files';
  return (
    <TextInput
      className="files-search"
      type="search"
      placeholder={label}
      aria-label={label}
      leftSection={<Search size={16} />}
      rightSection={isUsed && <IconButton size="md" onClick={clear} label="Clear" icon={<X size={16} />} />}
      value={text}
      onChange={(event) => set('q', event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Escape' && clear()}
    />
  );
}
