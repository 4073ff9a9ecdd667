import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

/** What is shown of a file beside or above its folder. */
type Panel = 'preview' | 'details' | 'versions';

/** The panels that are open, as parameters of the address. */
export function usePanels() {
  const [parameters, setParameters] = useSearchParams();
  return {
    preview: parameters.get('preview'),
    details: parameters.get('details'),
    versions: parameters.get('versions'),
    /** Opens a file; null closes the panel. */
    show: useCallback(
      (panel: Panel, id: string | null) =>
        setParameters(
          (before) => {
            const next = new URLSearchParams(before);
            if (id === null) next.delete(panel);
            else next.set(panel, id);
            return next;
          },
          // The next file replaces the history entry, so that one step back closes the preview.
          { replace: id !== null && parameters.has(panel) },
        ),
      [parameters, setParameters],
    ),
  };
}
