import { useEffect } from 'react';

export interface ZoomActions {
  enlarge(): void;
  reduce(): void;
  reset(): void;
}

/** Zooms with the keys + - 0. */
export function useZoomKeys({ enlarge, reduce, reset }: ZoomActions): void {
  useEffect(() => {
    function onKeyDown({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) {
      if (ctrlKey || metaKey || altKey) return;
      if (key === '+' || key === '=') enlarge();
      if (key === '-') reduce();
      if (key === '0') reset();
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [enlarge, reduce, reset]);
}
