import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { anchorAt, lineOf } from './layout.ts';
import type { Scale } from './scale.ts';

/** Time without a scroll event after which scrolling has ended. */
const SETTLED_MS = 120;

/** Returns the scroll position, and the speed in pixels per second, which is negative upwards. */
export function useScroll(scroller: RefObject<HTMLElement | null>, scale: Scale) {
  const last = useRef({ top: 0, at: 0 });
  const [{ top, speed }, setView] = useState({ top: 0, speed: 0 });
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(settling.current), []);
  const onScroll = useCallback(() => {
    const before = last.current;
    const top = scroller.current?.scrollTop ?? 0;
    if (top === before.top) return;
    const at = performance.now();
    last.current = { top, at };
    setView({ top, speed: (1_000 * (top - before.top)) / Math.max(1, at - before.at) });
    clearTimeout(settling.current);
    settling.current = setTimeout(() => setView((view) => ({ ...view, speed: 0 })), SETTLED_MS);
  }, [scroller]);
  const scrollTo = useCallback(
    (position: number) => {
      scroller.current?.scrollTo({ top: position, behavior: 'instant' });
      // The scroll event comes later.
      onScroll();
    },
    [scroller, onScroll],
  );
  const onShift = useCallback((top: number) => {
    last.current.top = top;
    setView((view) => ({ ...view, top }));
  }, []);
  useStill(scroller, scale, last, onShift);
  return { top, speed, onScroll, scrollTo };
}

/** Keeps the window at the same picture, or at the end, when pictures are rearranged. */
function useStill(
  scroller: RefObject<HTMLElement | null>,
  scale: Scale,
  last: RefObject<{ top: number }>,
  onShift: (top: number) => void,
): void {
  const before = useRef(scale);
  useLayoutEffect(() => {
    const element = scroller.current;
    const { top } = last.current;
    const position = top > 0 ? positionIn(scale, before.current, top) : null;
    before.current = scale;
    if (!element || position === null || Math.abs(position - top) < 1) return;
    // A shorter timeline has moved the window.
    const isCut = element.scrollTop + element.clientHeight >= element.scrollHeight - 1;
    element.scrollTo({ top: isCut ? position : element.scrollTop + position - top, behavior: 'instant' });
    onShift(element.scrollTop);
  }, [scroller, scale, last, onShift]);
}

/** Returns the scroll position that shows the picture that `top` showed before; null = that is gone. */
function positionIn(scale: Scale, before: Scale, top: number): number | null {
  if (top >= before.range - 1) return scale.range;
  const anchor = anchorAt(before.sections, before.lineAt(top));
  const line = anchor && lineOf(scale.sections, anchor);
  return line === null ? null : scale.topFor(line);
}
