import type { Section } from './layout.ts';

/**
 * Converts between scroll positions, lines of the timeline and places on the scrubber.
 *
 * The line of a scroll position identifies the part of the timeline that the window shows. It is the top of the window,
 * except for the last window height of scrolling: there it moves from the top to the bottom of the window, so that
 * every line of the timeline has a scroll position.
 */
export interface Scale {
  sections: readonly Section[];
  /** Height of the timeline, in pixels. */
  total: number;
  /** Maximum scroll position: the height of the timeline minus that of the window. */
  range: number;
  /** Returns the line of a scroll position. */
  lineAt(top: number): number;
  /** Returns the scroll position of a line. */
  topFor(line: number): number;
  /** Returns the index of the month at a scroll position. */
  monthAt(top: number): number;
  /** Returns the place of a line on the scrubber, 0 to 1. */
  placeOf(line: number): number;
  /** Returns the line at a place on the scrubber. */
  lineOf(place: number): number;
}

/**
 * Creates the scale for a height of the window. Places on the scrubber are computed from the estimated heights of all
 * months, so that they do not move while months are loaded and change their heights.
 */
export function createScale(sections: readonly Section[], height: number): Scale {
  const last = sections.at(-1);
  const total = last ? last.top + last.height : 0;
  const range = Math.max(0, total - height);
  const start = Math.max(0, range - height);
  const estimates = estimatesOf(sections);
  const whole = estimates.at(-1) ?? 0;
  const topFor = (line: number) =>
    line <= start ? line : start + ((line - start) * (range - start)) / (total - start);
  return {
    sections,
    total,
    range,
    topFor,
    lineAt: (top) => (top <= start ? top : start + ((top - start) * (total - start)) / (range - start)),
    // Browsers round scroll positions.
    monthAt: (top) =>
      top >= range - 1 && range > 0
        ? sections.length - 1
        : indexAt(sections, (one) => topFor(one.top) <= top + 1),
    placeOf(line) {
      const index = indexAt(sections, ({ top }) => top <= line);
      const section = sections[index];
      if (!section || whole === 0) return 0;
      const { from, size } = partOf(estimates, index);
      return Math.min(1, (from + ((line - section.top) / section.height) * size) / whole);
    },
    lineOf(place) {
      const index = indexAt(estimates.slice(0, -1), (from) => from <= place * whole);
      const section = sections[index];
      if (!section) return 0;
      const { from, size } = partOf(estimates, index);
      return section.top + ((place * whole - from) / size) * section.height;
    },
  };
}

function indexAt<Item>(items: readonly Item[], isAtOrBefore: (item: Item) => boolean): number {
  return Math.max(0, items.findLastIndex(isAtOrBefore));
}

/** Returns the tops of the months by their estimated heights, and the end of the last one. */
function estimatesOf(sections: readonly Section[]): number[] {
  let top = 0;
  return [0, ...sections.map(({ estimate }) => (top += estimate))];
}

function partOf(estimates: readonly number[], index: number): { from: number; size: number } {
  const from = estimates[index] ?? 0;
  return { from, size: (estimates[index + 1] ?? from) - from };
}
