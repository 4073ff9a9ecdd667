import { useEffect, useRef } from 'react';
import { usePanels } from '../usePanels.ts';

interface LastShownDeps {
  /** Scrolls to the file that the viewer shows next. */
  follow(id: string): void;
  /** Focuses the file that the viewer showed last. */
  focus(id: string): void;
}

/**
 * Keeps a list scrolled to the file that the viewer above it shows, and focuses that file when the viewer closes. If
 * the viewer has shown only one file, the dialog itself returns the focus.
 */
export function useLastShown({ follow, focus }: LastShownDeps): void {
  const { preview } = usePanels();
  const before = useRef({ id: preview, hasMoved: false });
  useEffect(() => {
    const { id, hasMoved } = before.current;
    if (preview === id) return;
    const moves = preview !== null && id !== null;
    before.current = { id: preview, hasMoved: moves || (preview !== null && hasMoved) };
    if (moves) follow(preview);
    if (preview === null && id !== null && hasMoved) focus(id);
  }, [preview, follow, focus]);
}
