import { getHotkeyHandler, useMove } from '@mantine/hooks';
import { type PointerEvent, useState } from 'react';
import { formatMonth } from '../../formats.ts';
import type { Section } from './layout.ts';
import { createMonths } from './months.ts';
import { texts } from './texts.ts';

interface ScrubberProps {
  sections: readonly Section[];
  /** Position of the window in the timeline. */
  top: number;
  /** Height of the timeline beyond the window. */
  range: number;
  scrollTo(top: number): void;
}

/** Smallest distance of two years, as a fraction of the height. */
const DISTANCE = 0.04;

/** Moves through the months of the timeline: drag, or the arrow keys. The month under the pointer is shown. */
export function Scrubber({ sections, top, range, scrollTo }: ScrubberProps) {
  const { ref } = useMove(({ y }) => scrollTo(y * range));
  /** Place of the pointer, as a fraction of the height. */
  const [pointer, setPointer] = useState<number | null>(null);
  const { positionOf, indexAt } = createMonths({ sections, range });
  const current = indexAt(top);
  const place = range > 0 ? Math.min(1, top / range) : 0;
  const nameOf = (index: number) => formatMonth(sections[index]?.month ?? '');
  const go = (index: number) => {
    const section = sections[Math.max(0, Math.min(sections.length - 1, index))];
    if (section) scrollTo(positionOf(section));
  };
  return (
    <div
      ref={ref}
      className="scrubber"
      data-pointed={pointer !== null || undefined}
      role="slider"
      tabIndex={0}
      aria-label={texts.month}
      aria-orientation="vertical"
      aria-valuemin={0}
      aria-valuemax={sections.length - 1}
      aria-valuenow={current}
      aria-valuetext={nameOf(current)}
      onPointerDown={(event) => setPointer(placeOf(event))}
      onPointerMove={(event) => setPointer(placeOf(event))}
      onPointerLeave={() => setPointer(null)}
      onKeyDown={getHotkeyHandler([
        ['ArrowDown', () => go(current + 1)],
        ['ArrowUp', () => go(current - 1)],
        ['Home', () => go(0)],
        ['End', () => go(sections.length - 1)],
      ])}
    >
      {yearsOf(sections, (section) => (range > 0 ? positionOf(section) / range : 0)).map(({ year, at }) => (
        <span key={year} className="scrubber-year" style={{ top: `${at * 100}%` }}>
          {year}
        </span>
      ))}
      <span className="scrubber-thumb" style={{ top: `${place * 100}%` }} />
      <span className="scrubber-month" style={{ top: `${(pointer ?? place) * 100}%` }}>
        {nameOf(pointer === null ? current : indexAt(pointer * range))}
      </span>
    </div>
  );
}

/** Returns the place of a pointer, as a fraction of the height of the element. */
function placeOf({ currentTarget, clientY }: PointerEvent): number {
  const { top, height } = currentTarget.getBoundingClientRect();
  return Math.max(0, Math.min(1, (clientY - top) / height));
}

/** Returns the years with their places, without those whose labels would overlap. */
function yearsOf(sections: readonly Section[], placeOfMonth: (section: Section) => number) {
  const years: { year: string; at: number }[] = [];
  for (const section of sections) {
    const year = section.month.slice(0, 4);
    const at = placeOfMonth(section);
    const last = years.at(-1);
    if (!last || (last.year !== year && at - last.at >= DISTANCE)) years.push({ year, at });
  }
  return years;
}
