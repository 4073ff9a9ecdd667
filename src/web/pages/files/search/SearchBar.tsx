import { NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { Search, X } from 'lucide-react';
import { FILE_TYPES } from '../../../api/search.ts';
import { IconButton } from '../../../components/IconButton.tsx';
import { optionsOf } from '../../../components/options.ts';
import './search.css';
import { texts } from './texts.ts';
import type { FileSearch } from './useFileSearch.ts';

const SCOPES = { everywhere: texts.everywhere, folder: texts.thisFolder };
const AGES = { 1: texts.lastDay, 7: texts.last7Days, 30: texts.last30Days, 365: texts.lastYear };

/** The text of the search, and its scope and filters while it is used. */
export function SearchBar({ search }: { search: FileSearch }) {
  const { isUsed, isHere, filter, set } = search;
  return (
    <>
      <SearchBox search={search} />
      {isUsed && (
        <SegmentedControl
          className="search-scope"
          aria-label={texts.searchIn}
          data={optionsOf(SCOPES)}
          value={isHere ? 'folder' : 'everywhere'}
          onChange={(scope) => set('in', scope === 'folder' ? 'folder' : '')}
        />
      )}
      {isUsed && !isHere && (
        <>
          <NativeSelect
            className="search-filter"
            aria-label={texts.typeOfFiles}
            data={[{ value: '', label: texts.allTypes }, ...optionsOf(FILE_TYPES)]}
            value={filter.type ?? ''}
            onChange={(event) => set('type', event.currentTarget.value)}
          />
          <NativeSelect
            className="search-filter"
            aria-label={texts.timeOfUpload}
            data={[{ value: '', label: texts.anyTime }, ...optionsOf(AGES)]}
            value={String(filter.days ?? '')}
            onChange={(event) => set('days', event.currentTarget.value)}
          />
        </>
      )}
    </>
  );
}

function SearchBox({ search: { text, isUsed, isHere, set, clear } }: { search: FileSearch }) {
  const label = isHere ? texts.searchFolder : texts.searchFiles;
  return (
    <TextInput
      className="files-search"
      type="search"
      placeholder={label}
      aria-label={label}
      leftSection={<Search size={16} />}
      rightSection={
        isUsed && <IconButton size="md" onClick={clear} label={texts.clear} icon={<X size={16} />} />
      }
      value={text}
      onChange={(event) => set('q', event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Escape' && clear()}
    />
  );
}
