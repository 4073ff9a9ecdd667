import { getHotkeyHandler } from '@mantine/hooks';
import { useMemo, useRef, useState } from 'react';
import type { Month, Picture } from '../../api/timeline.ts';
import { texts as common } from '../../texts.ts';
import { useLastShown } from '../files/listing/useLastShown.ts';
import { createLayOut, type Loaded, placeOf, within } from './layout.ts';
import { MonthLoader } from './MonthLoader.tsx';
import { Scrubber } from './Scrubber.tsx';
import { createScale } from './scale.ts';
import { MonthTiles, pictureElementId } from './Tiles.tsx';
import { useScroll } from './useScroll.ts';
import { useSize } from './useSize.ts';

interface TimelineProps {
  folderId: string;
  months: readonly Month[];
  loaded: Loaded;
  /** Months that are loaded although they are not visible. */
  wanted: readonly string[];
  onLoad(month: string, files: readonly Picture[]): void;
  open(id: string): void;
}

/** Distances above and below the window in which months are rendered, and their pictures listed, in window heights. */
const RENDERED = 1;
const LISTED = 4;
/** Distance in which pictures are listed in the direction of fast scrolling. */
const LISTED_AHEAD = 16;
/** Speed in window heights per second above which thumbnails would leave the window before they are loaded. */
const FAST = 3;

/** The pictures of all months; only the visible ones are rendered and loaded. */
export function Timeline({ folderId, months, loaded, wanted, onLoad, open }: TimelineProps) {
  const scroller = useRef<HTMLElement>(null);
  const { width, height } = useSize(scroller);
  const [layOut] = useState(createLayOut);
  const sections = useMemo(
    () => (width > 0 ? layOut(months, loaded, width) : []),
    [layOut, months, loaded, width],
  );
  const scale = useMemo(() => createScale(sections, height), [sections, height]);
  const { top, speed, onScroll, scrollTo } = useScroll(scroller, scale);
  useLastShown({
    follow(id) {
      const place = placeOf(sections, id);
      // In the middle, unless it is visible already.
      if (place && (place.top < top || place.top + place.height > top + height))
        scrollTo(Math.max(0, place.top - (height - place.height) / 2));
    },
    focus: (id) => document.getElementById(pictureElementId(id))?.focus({ preventScroll: true }),
  });
  const isFast = Math.abs(speed) > FAST * height;
  const around = (above: number, below = above) => ({
    start: top - above * height,
    end: top + (below + 1) * height,
  });
  const ahead = isFast ? LISTED_AHEAD : LISTED;
  const listed = speed < 0 ? around(ahead, LISTED) : around(LISTED, ahead);
  const near = within(sections, listed).map(({ month }) => month);
  return (
    <div className="timeline">
      <section
        className="timeline-scroller"
        ref={scroller}
        aria-label={common.timeline}
        onScroll={onScroll}
        // The browser would move to the current end, which changes while months are loaded.
        onKeyDown={getHotkeyHandler([
          ['Home', () => scrollTo(0)],
          ['End', () => scrollTo(scale.range)],
        ])}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        tabIndex={0}
      >
        <div className="timeline-content" style={{ height: scale.total }}>
          {within(sections, around(RENDERED)).map((section) => (
            <MonthTiles
              key={section.month}
              section={section}
              range={around(RENDERED)}
              isFast={isFast}
              open={open}
            />
          ))}
        </div>
      </section>
      {sections.length > 1 && <Scrubber scale={scale} top={top} scrollTo={scrollTo} />}
      {[...new Set([...near, ...wanted])].map((month) => (
        <MonthLoader key={month} folderId={folderId} month={month} onLoad={onLoad} />
      ))}
    </div>
  );
}
