import { useMergedRef } from '@mantine/hooks';
import { type ReactNode, type Ref, useEffect, useRef } from 'react';
import { texts as common } from '../../../texts.ts';

interface ScrollRegionProps {
  as?: 'div' | 'pre' | 'article';
  className?: string;
  children?: ReactNode;
  ref?: Ref<HTMLElement>;
}

/** Content that can be scrolled, also by keyboard: takes the focus, unless a control has it. */
export function ScrollRegion({ as: Element = 'div', ref, ...props }: ScrollRegionProps) {
  const region = useRef<HTMLElement>(null);
  const refs = useMergedRef<HTMLElement>(region, ref);
  useEffect(() => {
    if (document.activeElement?.contains(region.current)) region.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Element ref={refs} role="region" aria-label={common.content} tabIndex={0} data-scrolls {...props} />
  );
}
