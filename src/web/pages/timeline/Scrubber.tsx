import { getHotkeyHandler, useMove } from '@mantine/hooks';
import { type PointerEvent, useState } from 'react';
import { formatMonth } from '../../formats.ts';
import type { Scale } from './scale.ts';
import { texts } from './texts.ts';

interface ScrubberProps {
  scale: Scale;
  /** Position of the window in the timeline. */
  top: number;
  scrollTo(top: number): void;
}

/** Minimum distance between the labels of two years, as a fraction of the height. */
const DISTANCE = 0.04;
/** Fraction of the height at each end that counts as the end, since a pointer hardly ever reaches the last pixel. */
const EDGE = 0.01;

/** Moves through the months of the timeline, by dragging or with the arrow keys. Shows the month under the pointer. */
export function Scrubber({ scale, top, scrollTo }: ScrubberProps) {
  const { sections, range, monthAt, topFor } = scale;
  const positionAt = (place: number) => topFor(scale.lineOf(atEdge(place)));
  const { ref } = useMove(({ y }) => scrollTo(positionAt(y)));
  /** Place of the pointer, as a fraction of the height. */
  const [pointer, setPointer] = useState<number | null>(null);
  const current = monthAt(top);
  const place = scale.placeOf(scale.lineAt(top));
  const nameOf = (index: number) => formatMonth(sections[index]?.month ?? '');
  const go = (index: number) => {
    const section = sections[Math.max(0, Math.min(sections.length - 1, index))];
    if (section) scrollTo(topFor(section.top));
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
      onPointerDown={(event) => setPointer(pointedAt(event))}
      onPointerMove={(event) => setPointer(pointedAt(event))}
      onPointerLeave={() => setPointer(null)}
      onKeyDown={getHotkeyHandler([
        ['ArrowDown', () => go(current + 1)],
        ['ArrowUp', () => go(current - 1)],
        ['Home', () => go(0)],
        ['End', () => scrollTo(range)],
      ])}
    >
      {yearsOf(scale).map(({ year, at }) => (
        <span key={year} className="scrubber-year" style={{ top: `${at * 100}%` }}>
          {year}
        </span>
      ))}
      <span className="scrubber-thumb" style={{ top: `${place * 100}%` }} />
      <span className="scrubber-month" style={{ top: `${(pointer ?? place) * 100}%` }}>
        {nameOf(pointer === null ? current : monthAt(positionAt(pointer)))}
      </span>
    </div>
  );
}

const atEdge = (place: number) => (place < EDGE ? 0 : place > 1 - EDGE ? 1 : place);

/** Returns the place of a pointer, as a fraction of the height of the element. */
function pointedAt({ currentTarget, clientY }: PointerEvent): number {
  const { top, height } = currentTarget.getBoundingClientRect();
  return Math.max(0, Math.min(1, (clientY - top) / height));
}

/** Returns the years with their places, without those whose labels would overlap. */
function yearsOf({ sections, placeOf }: Scale) {
  const years: { year: string; at: number }[] = [];
  for (const section of sections) {
    const year = section.month.slice(0, 4);
    const at = placeOf(section.top);
    const last = years.at(-1);
    if (!last || (last.year !== year && at - last.at >= DISTANCE)) years.push({ year, at });
  }
  return years;
}
