import { useDebouncedValue } from '@mantine/hooks';
import { useSearchParams } from 'wouter';
import { FILE_TYPES, type SearchFilter } from '../../../api/search.ts';

const SEARCH_MS = 250;

/** Names of the fields of a search in the address. */
type Field = 'q' | 'in' | 'type' | 'days';

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
    set(field: Field, value: string) {
      setParameters(
        (before) => {
          const next = new URLSearchParams(before);
          if (value === '') next.delete(field);
          else next.set(field, value);
          return next;
        },
        { replace: true },
      );
    },
    clear() {
      setParameters(
        (before) => {
          const next = new URLSearchParams(before);
          for (const field of ['q', 'in', 'type', 'days'] satisfies Field[]) next.delete(field);
          return next;
        },
        { replace: true },
      );
    },
  };
}

export type FileSearch = ReturnType<typeof useFileSearch>;
