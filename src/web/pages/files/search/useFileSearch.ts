import { useDebouncedValue } from '@mantine/hooks';
import { useSearchParams } from 'wouter';
import { FILE_TYPES, type SearchFilter } from '../../../api/search.ts';
import { withParameters } from '../../../components/with-parameters.ts';

const SEARCH_MS = 250;

/** The fields of a search in the address. */
const NO_SEARCH = { q: '', in: '', type: '', days: '' };
type Field = keyof typeof NO_SEARCH;

/** The search of the files page, which is part of the address. */
export function useFileSearch() {
  const [parameters, setParameters] = useSearchParams();
  const text = parameters.get('q') ?? '';
  const [query] = useDebouncedValue(text.trim(), SEARCH_MS);
  const type = parameters.get('type') ?? '';
  const days = Number(parameters.get('days')) || null;
  const isUsed = query !== '' || type !== '' || days !== null;
  const isHere = parameters.get('in') === 'folder';
  const filter: SearchFilter = {
    query,
    type: type in FILE_TYPES ? (type as keyof typeof FILE_TYPES) : null,
    days,
  };
  return {
    text,
    filter,
    isUsed,
    /** Whether only the names in the folder are searched. */
    isHere,
    /** Text that names in the folder contain; empty = all. */
    inFolder: isHere ? query : '',
    /** Sets a field; '' removes it. */
    set: (field: Field, value: string) =>
      setParameters(withParameters({ [field]: value }), { replace: true }),
    clear: () => setParameters(withParameters(NO_SEARCH), { replace: true }),
  };
}

export type FileSearch = ReturnType<typeof useFileSearch>;
