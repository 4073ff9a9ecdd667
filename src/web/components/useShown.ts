import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

/** Returns the address of a page that shows one of its items (`useShown`). */
export const addressOfShown = (page: string, id: string) => `${page}?${new URLSearchParams({ show: id })}`;

/** Returns the properties of the element of an item: if the address names the item, it is scrolled to and marked. */
export function useShown(id: string | undefined) {
  const [parameters] = useSearchParams();
  const isShown = id !== undefined && parameters.get('show') === id;
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (isShown) element?.scrollIntoView({ block: 'center' });
    },
    [isShown],
  );
  return { ref, 'data-shown': isShown || undefined };
}
