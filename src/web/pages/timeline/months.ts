import type { Section } from './layout.ts';

/** The window over the timeline, in pixels. */
interface View {
  sections: readonly Section[];
  /** Largest position of the window: height of the timeline beyond it. */
  range: number;
}

/**
 * Relates positions of the window to months. The month of a position is the one at the top of the window. Over the last
 * height of the window, it is the one at a line that moves from its top to its end, so that every month has a position.
 */
export function createMonths({ sections, range }: View) {
  const last = sections.at(-1);
  const total = last ? last.top + last.height : 0;
  const start = Math.max(0, range - (total - range));
  const positionOf = ({ top }: Section) =>
    top <= start ? top : start + ((top - start) * (range - start)) / (total - start);
  return {
    /** Returns the position of the window at which a month begins. */
    positionOf,
    /** Returns the index of the month at a position of the window. */
    indexAt: (position: number) =>
      Math.max(
        0,
        // Browsers round positions.
        sections.findLastIndex((section) => positionOf(section) <= position + 1),
      ),
  };
}
