import { useWindowEvent } from '@mantine/hooks';
import { useState } from 'react';

/**
 * The query of the palette. Until its field has the focus, keys are added to the query here, and do not reach the
 * page, whose shortcuts are letters.
 * @param close called for Escape
 */
export function useTypedAhead(close: () => void) {
  const [query, setQuery] = useState('');
  const take = (event: KeyboardEvent) => {
    if (isInDialog(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const { key } = event;
    if (key === 'Escape') close();
    else if (key === 'Backspace') setQuery((before) => before.slice(0, -1));
    else if ([...key].length === 1) setQuery((before) => before + key);
  };
  useWindowEvent('keydown', take, { capture: true });
  return [query, setQuery] as const;
}

const isInDialog = ({ target }: KeyboardEvent) =>
  target instanceof Element && target.closest('[role=dialog]') !== null;
