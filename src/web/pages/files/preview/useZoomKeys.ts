import { useWindowEvent } from '@mantine/hooks';

export interface ZoomActions {
  enlarge(): void;
  reduce(): void;
  reset(): void;
}

/** Zooms with the keys + - 0. */
export function useZoomKeys({ enlarge, reduce, reset }: ZoomActions): void {
  useWindowEvent('keydown', ({ key, ctrlKey, metaKey, altKey }) => {
    if (ctrlKey || metaKey || altKey) return;
    if (key === '+' || key === '=') enlarge();
    if (key === '-') reduce();
    if (key === '0') reset();
  });
}
