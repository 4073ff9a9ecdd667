import { useCallback, useRef } from 'react';
import { useSearchParams } from 'wouter';
import { withParameters } from '../../components/with-parameters.ts';

/** The view of a file next to or above its folder. */
type Panel = 'preview' | 'details' | 'versions';

/** State of a history entry that was added to open a panel, so that closing the panel goes back. */
export const opening = (panel: Panel) => ({ opened: panel });

const isOpenedBy = (entry: { opened?: unknown } | null, panel: Panel) => entry?.opened === panel;

/** The panels that are open, as parameters of the address. */
export function usePanels() {
  const [parameters, setParameters] = useSearchParams();
  const goBack = useGoBack();
  return {
    preview: parameters.get('preview'),
    details: parameters.get('details'),
    versions: parameters.get('versions'),
    /** Opens a file; null closes the panel. */
    show: useCallback(
      (panel: Panel, id: string | null) => {
        if (id === null && isOpenedBy(history.state, panel)) return goBack();
        setParameters(
          withParameters({ [panel]: id ?? '' }),
          // The next file replaces the history entry, so that one step back closes the preview.
          parameters.has(panel) ? { replace: true, state: history.state } : { state: opening(panel) },
        );
      },
      [parameters, setParameters, goBack],
    ),
  };
}

/** Returns a function that goes back one entry, even if it is called twice before the browser has done so. */
function useGoBack(): () => void {
  const isGoing = useRef(false);
  return useCallback(() => {
    if (isGoing.current) return;
    isGoing.current = true;
    addEventListener('popstate', () => (isGoing.current = false), { once: true });
    history.back();
  }, []);
}
