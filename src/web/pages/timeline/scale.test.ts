import { describe, expect, test } from 'bun:test';
import type { Section } from './layout.ts';
import { createScale } from './scale.ts';

const ESTIMATE = 400;

const sectionsOf = (heights: readonly number[]): Section[] =>
  heights.map((height, index) => ({
    month: `2020-${String(12 - index).padStart(2, '0')}`,
    top: heights.slice(0, index).reduce((sum, one) => sum + one, 0),
    height,
    estimate: ESTIMATE,
    rows: [],
  }));

describe('the months of the timeline', () => {
  test.each([
    ['long months', [3_000, 2_000, 4_000], 800],
    ['short months at the end', [3_000, 2_000, 100, 100, 100], 800],
    ['a timeline that is slightly longer than the window', [300, 300, 300], 800],
  ])('each have a scroll position, and the last one has the end: %s', (_, heights, height) => {
    const sections = sectionsOf(heights);
    const { range, topFor, lineAt, monthAt } = createScale(sections, height);
    expect(sections.map(({ top }) => monthAt(topFor(top)))).toEqual(sections.map((_, index) => index));
    expect(monthAt(0)).toBe(0);
    expect(monthAt(range)).toBe(sections.length - 1);
    for (const { top } of sections) expect(lineAt(topFor(top))).toBeCloseTo(top);
  });

  test('begin at the top of the window, except near the end', () => {
    const sections = sectionsOf([3_000, 2_000, 500]);
    const { range, topFor } = createScale(sections, 800);
    expect(range).toBe(4_700);
    const [first = 0, second = 0, third = 0] = sections.map(({ top }) => topFor(top));
    expect([first, second]).toEqual([0, 3_000]);
    expect(third).toBeLessThan(4_700);
  });

  test('fit into the window', () => {
    const sections = sectionsOf([100, 100]);
    const { range, topFor, monthAt } = createScale(sections, 800);
    expect(range).toBe(0);
    expect(sections.map(({ top }) => topFor(top))).toEqual([0, 0]);
    expect(monthAt(0)).toBeGreaterThanOrEqual(0);
  });

  test('keep their places on the scrubber when their heights change', () => {
    const before = createScale(sectionsOf([ESTIMATE, ESTIMATE, ESTIMATE, ESTIMATE]), 300);
    const after = createScale(sectionsOf([ESTIMATE, 900, 100, 250]), 300);
    const places = [0, 0.1, 0.25, 0.4, 0.5, 0.75, 0.9, 1];
    const monthsOf = ({ lineOf, topFor, monthAt }: typeof before) =>
      places.map((place) => monthAt(topFor(lineOf(place))));
    expect(monthsOf(after)).toEqual(monthsOf(before));
    expect(places.map((place) => after.placeOf(after.lineOf(place)))).toEqual(places);
    expect(after.topFor(after.lineOf(1))).toBe(after.range);
  });
});
