import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useZoomKeys, type ZoomActions } from '../useZoomKeys.ts';

const MAX_ZOOM = 4;
const STEP = 1.25;
/** Maximum movement per event, about a notch of a mouse wheel; those of touchpads are smaller. */
const MAX_DELTA = 25;

interface Point {
  x: number;
  y: number;
}

/** A point of the content, as fractions of its size, and the point of the scroller where zooming keeps it. */
interface Held extends Point {
  across: number;
  down: number;
}

export interface Zoom extends ZoomActions {
  /** 1 = the content is as wide as the scroller. */
  zoom: number;
  canEnlarge: boolean;
  canReduce: boolean;
}

/** Zooms the first child of a scroller with keys, with Ctrl and the wheel, and with two fingers. */
export function useZoom(scroller: RefObject<HTMLElement | null>, contentHeight: number): Zoom {
  const [zoom, setZoom] = useState(1);
  const current = useRef(1);
  const held = useRef<Held | null>(null);
  function zoomTo(wanted: number, at?: Point) {
    const next = Math.min(Math.max(wanted, 1), MAX_ZOOM);
    if (next === current.current || !scroller.current) return;
    held.current ??= hold(scroller.current, at);
    current.current = next;
    setZoom(next);
  }
  // After the content has its new size.
  useLayoutEffect(() => {
    if (contentHeight > 0 && held.current && scroller.current) restore(scroller.current, held.current);
    held.current = null;
  }, [scroller, contentHeight]);
  const zoomBy = (factor: number, at?: Point) => zoomTo(current.current * factor, at);
  const actions = { enlarge: () => zoomBy(STEP), reduce: () => zoomBy(1 / STEP), reset: () => zoomTo(1) };
  useZoomKeys(actions);
  useGestures(scroller, zoomBy);
  return { ...actions, zoom, canEnlarge: zoom < MAX_ZOOM, canReduce: zoom > 1 };
}

function hold(scroller: HTMLElement, at?: Point): Held {
  const { left, top, width, height } = scroller.getBoundingClientRect();
  const x = at ? at.x - left : width / 2;
  const y = at ? at.y - top : height / 2;
  const content = scroller.firstElementChild as HTMLElement;
  return {
    x,
    y,
    across: (scroller.scrollLeft + x) / content.offsetWidth,
    down: (scroller.scrollTop + y) / content.offsetHeight,
  };
}

function restore(scroller: HTMLElement, { x, y, across, down }: Held): void {
  const content = scroller.firstElementChild as HTMLElement;
  scroller.scrollTo(across * content.offsetWidth - x, down * content.offsetHeight - y);
}

function useGestures(scroller: RefObject<HTMLElement | null>, zoom: (factor: number, at: Point) => void) {
  const zoomBy = useEffectEvent(zoom);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let distance = 0;
    function onWheel(event: WheelEvent) {
      // Browsers report a pinch on a touchpad like this too.
      if (!event.ctrlKey) return;
      event.preventDefault();
      const delta = Math.min(Math.max(event.deltaY, -MAX_DELTA), MAX_DELTA);
      zoomBy(Math.exp(-delta / 100), { x: event.clientX, y: event.clientY });
    }
    function onTouch(event: TouchEvent) {
      const [first, second] = event.touches;
      if (!first || !second) return;
      event.preventDefault();
      const now = Math.hypot(first.clientX - second.clientX, first.clientY - second.clientY);
      const middle = { x: (first.clientX + second.clientX) / 2, y: (first.clientY + second.clientY) / 2 };
      if (event.type === 'touchmove' && distance > 0) zoomBy(now / distance, middle);
      distance = now;
    }
    const listening = new AbortController();
    const options = { passive: false, signal: listening.signal };
    element.addEventListener('wheel', onWheel, options);
    element.addEventListener('touchstart', onTouch, options);
    element.addEventListener('touchmove', onTouch, options);
    return () => listening.abort();
  }, [scroller]);
}
