import { getHotkeyHandler, useMove } from '@mantine/hooks';
import { formatMonth } from '../../formats.ts';
import type { Section } from './layout.ts';
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

/** Moves through the months of the timeline: drag, or the arrow keys. */
export function Scrubber({ sections, top, range, scrollTo }: ScrubberProps) {
  const { ref } = useMove(({ y }) => scrollTo(y * range));
  const current = Math.max(
    0,
    sections.findLastIndex((section) => section.top <= top + 1),
  );
  const go = (index: number) =>
    scrollTo(sections[Math.max(0, Math.min(sections.length - 1, index))]?.top ?? 0);
  const month = formatMonth(sections[current]?.month ?? '');
  return (
    <div
      ref={ref}
      className="scrubber"
      role="slider"
      tabIndex={0}
      aria-label={texts.month}
      aria-orientation="vertical"
      aria-valuemin={0}
      aria-valuemax={sections.length - 1}
      aria-valuenow={current}
      aria-valuetext={month}
      onKeyDown={getHotkeyHandler([
        ['ArrowDown', () => go(current + 1)],
        ['ArrowUp', () => go(current - 1)],
        ['Home', () => go(0)],
        ['End', () => go(sections.length - 1)],
      ])}
    >
      {yearsOf(sections, range).map(({ year, at }) => (
        <span key={year} className="scrubber-year" style={{ top: `${at * 100}%` }}>
          {year}
        </span>
      ))}
      <span className="scrubber-thumb" style={{ top: `${range > 0 ? Math.min(1, top / range) * 100 : 0}%` }}>
        <span className="scrubber-month">{month}</span>
      </span>
    </div>
  );
}

/** Returns the years with their places, without those whose labels would overlap. */
function yearsOf(sections: readonly Section[], range: number): { year: string; at: number }[] {
  const years: { year: string; at: number }[] = [];
  for (const { month, top } of sections) {
    const year = month.slice(0, 4);
    const at = range > 0 ? top / range : 0;
    const last = years.at(-1);
    if (at <= 1 && (!last || (last.year !== year && at - last.at >= DISTANCE))) years.push({ year, at });
  }
  return years;
}
