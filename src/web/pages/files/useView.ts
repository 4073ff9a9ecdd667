import { readLocalStorageValue, useLocalStorage } from '@mantine/hooks';
import type { Order, SortBy } from '../../api/storage.ts';

/** How folders are shown; stored in the browser. */
export interface View extends Order {
  mode: 'list' | 'grid';
}

const STORED = {
  key: 'posthouse-files-view',
  defaultValue: { mode: 'list', sort: 'name', order: 'asc' } as View,
};

export const storedView = () => readLocalStorageValue<View>(STORED);

export function useView() {
  const [view, setView] = useLocalStorage<View>({ ...STORED, getInitialValueInEffect: false });
  return {
    view,
    setMode: (mode: View['mode']) => setView({ ...view, mode }),
    setOrder: (order: View['order']) => setView({ ...view, order }),
    /**
     * Sorts by `sort`, or reverses the order if that is the current column. Sizes start with the largest, and dates
     * with the latest.
     */
    sortBy(sort: SortBy) {
      const initial = sort === 'name' || sort === 'type' ? 'asc' : 'desc';
      setView({
        ...view,
        sort,
        order: view.sort === sort ? (view.order === 'asc' ? 'desc' : 'asc') : initial,
      });
    },
  };
}
