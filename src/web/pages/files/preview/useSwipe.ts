import { type PointerEvent, useRef } from 'react';

/** Minimum length of a swipe, in pixels. */
const SWIPE = 48;

interface SwipeDeps {
  isEnabled: boolean;
  /** Called after a swipe: 1 = to the left, -1 = to the right. */
  go?(step: number): void;
}

/** Returns the event handlers of an element that is swiped with one finger. */
export function useSwipe({ isEnabled, go }: SwipeDeps) {
  const start = useRef<{ x: number; y: number } | null>(null);
  return {
    onPointerDown({ isPrimary, pointerType, clientX, clientY }: PointerEvent) {
      // A second finger pinches.
      start.current = isEnabled && isPrimary && pointerType === 'touch' ? { x: clientX, y: clientY } : null;
    },
    onPointerUp({ clientX, clientY }: PointerEvent) {
      if (!start.current) return;
      const dx = clientX - start.current.x;
      const dy = clientY - start.current.y;
      start.current = null;
      if (Math.abs(dx) > SWIPE && Math.abs(dx) > 2 * Math.abs(dy)) go?.(dx < 0 ? 1 : -1);
    },
    onPointerCancel() {
      start.current = null;
    },
  };
}
