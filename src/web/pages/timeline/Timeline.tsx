import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { FileItem } from '../../api/storage.ts';
import type { Month } from '../../api/timeline.ts';
import { anchorAt, type Loaded, layOut, type Section, topOf, within } from './layout.ts';
import { MonthLoader } from './MonthLoader.tsx';
import { Scrubber } from './Scrubber.tsx';
import { MonthTiles } from './Tiles.tsx';

interface TimelineProps {
  folderId: string;
  months: readonly Month[];
  loaded: Loaded;
  /** Months that are loaded although they are not visible. */
  wanted: readonly string[];
  onLoad(month: string, files: readonly FileItem[]): void;
  open(id: string): void;
}

/** Parts of the timeline that are rendered, and loaded, above and below the window: heights of it. */
const RENDERED = 1;
const LOADED = 4;

/** The pictures of all months, of which only the visible ones are rendered and loaded. */
export function Timeline({ folderId, months, loaded, wanted, onLoad, open }: TimelineProps) {
  const { ref, width, height } = useElementSize<HTMLDivElement>();
  const sections = useMemo(() => (width > 0 ? layOut(months, loaded, width) : []), [months, loaded, width]);
  const { scroller, top, onScroll, scrollTo } = useScroll(sections);
  const around = (windows: number) => ({ start: top - windows * height, end: top + (windows + 1) * height });
  const near = within(sections, around(LOADED)).map(({ month }) => month);
  const last = sections.at(-1);
  const total = last ? last.top + last.height : 0;
  return (
    <div className="timeline">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <div className="timeline-scroller" ref={useMergedRef(scroller, ref)} onScroll={onScroll} tabIndex={0}>
        <div className="timeline-content" style={{ height: total }}>
          {within(sections, around(RENDERED)).map((section) => (
            <MonthTiles key={section.month} section={section} range={around(RENDERED)} open={open} />
          ))}
        </div>
      </div>
      {sections.length > 1 && (
        <Scrubber sections={sections} top={top} range={Math.max(0, total - height)} scrollTo={scrollTo} />
      )}
      {[...new Set([...near, ...wanted])].map((month) => (
        <MonthLoader key={month} folderId={folderId} month={month} onLoad={onLoad} />
      ))}
    </div>
  );
}

/** The position of the window. It stays at the same picture when the pictures above it are arranged anew. */
function useScroll(sections: readonly Section[]) {
  const scroller = useRef<HTMLDivElement>(null);
  const before = useRef({ sections, top: 0 });
  const [top, setTop] = useState(0);
  const onScroll = useCallback(() => {
    before.current.top = scroller.current?.scrollTop ?? 0;
    setTop(before.current.top);
  }, []);
  const scrollTo = useCallback(
    (position: number) => {
      scroller.current?.scrollTo({ top: position, behavior: 'instant' });
      // The event comes later.
      onScroll();
    },
    [onScroll],
  );
  useLayoutEffect(() => {
    const element = scroller.current;
    const anchor = before.current.top > 0 ? anchorAt(before.current.sections, before.current.top) : null;
    const position = anchor && topOf(sections, anchor);
    before.current.sections = sections;
    if (element && position !== null && Math.abs(position - before.current.top) >= 1) {
      // A shorter timeline has moved the window.
      const isCut = element.scrollTop + element.clientHeight >= element.scrollHeight - 1;
      scrollTo(isCut ? position : element.scrollTop + position - before.current.top);
    }
  }, [sections, scrollTo]);
  return { scroller, top, onScroll, scrollTo };
}
