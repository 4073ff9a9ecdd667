import { useLocalStorage } from '@mantine/hooks';
import type { Order, SortBy } from '../../api/storage.ts';

/** How a person likes to see folders; the browser remembers it. */
export interface View extends Order {
  mode: 'list' | 'grid';
}

const FIRST: View = { mode: 'list', sort: 'name', order: 'asc' };

export function useView() {
  const [view, setView] = useLocalStorage<View>({ key: 'posthouse-files-view', defaultValue: FIRST, getInitialValueInEffect: false });
  return {
    view,
    setMode: (mode: View['mode']) => setView({ ...view, mode }),
    setOrder: (order: View['order']) => setView({ ...view, order }),
    /** Sorts by `sort`; once more turns the order round. Sizes and dates begin with the greatest. */
    sortBy(sort: SortBy) {
      const first = sort === 'size' || sort === 'date' ? 'desc' : 'asc';
      setView({ ...view, sort, order: view.sort === sort ? (view.order === 'asc' ? 'desc' : 'asc') : first });
    },
  };
}
