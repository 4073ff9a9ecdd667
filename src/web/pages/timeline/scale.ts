import type { Section } from './layout.ts';

/**
 * Relates positions of the window, positions in the timeline and places on the scrubber.
 *
 * A window is at the part of the timeline at its line. This line is the top of the window. Over the last height of the
 * window it moves from the top to the end, so that every part of the timeline has a position of the window.
 */
export interface Scale {
  sections: readonly Section[];
  /** Height of the timeline, pixels. */
  total: number;
  /** Largest position of the window: height of the timeline beyond it. */
  range: number;
  /** Returns the line of the window at a position. */
  lineAt(top: number): number;
  /** Returns the position at which the window has a line. */
  topFor(line: number): number;
  /** Returns the index of the month at a position of the window. */
  monthAt(top: number): number;
  /** Returns the place of a line on the scrubber, 0 to 1. */
  placeOf(line: number): number;
  /** Returns the line at a place on the scrubber. */
  lineOf(place: number): number;
}

/**
 * Creates the scale of a window of a height. Places on the scrubber are those that the months would have if none was
 * loaded, so that they stay where they are while months are loaded and change their heights.
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
    // Browsers round positions.
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

/** Returns the tops of the months if none was loaded, and the end of the last. */
function estimatesOf(sections: readonly Section[]): number[] {
  let top = 0;
  return [0, ...sections.map(({ estimate }) => (top += estimate))];
}

function partOf(estimates: readonly number[], index: number): { from: number; size: number } {
  const from = estimates[index] ?? 0;
  return { from, size: (estimates[index + 1] ?? from) - from };
}
