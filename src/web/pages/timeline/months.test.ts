import { describe, expect, test } from 'bun:test';
import { createMonths } from './months.ts';

const sectionsOf = (heights: readonly number[]) =>
  heights.map((height, index) => ({
    month: `2020-${String(12 - index).padStart(2, '0')}`,
    top: heights.slice(0, index).reduce((sum, one) => sum + one, 0),
    height,
    rows: [],
  }));

describe('the months of the timeline', () => {
  test.each([
    ['long months', [3_000, 2_000, 4_000], 800],
    ['short months at the end', [3_000, 2_000, 100, 100, 100], 800],
    ['a timeline that is hardly longer than the window', [300, 300, 300], 800],
  ])('each have a position, the last one the end: %s', (_, heights, height) => {
    const sections = sectionsOf(heights);
    const range = heights.reduce((sum, one) => sum + one, 0) - height;
    const { positionOf, indexAt } = createMonths({ sections, range });
    expect(sections.map((section) => indexAt(positionOf(section)))).toEqual(
      sections.map((_, index) => index),
    );
    expect(indexAt(0)).toBe(0);
    expect(indexAt(range)).toBe(sections.length - 1);
  });

  test('begin at the top of the window, except near the end', () => {
    const [first, second, third] = sectionsOf([3_000, 2_000, 500]);
    const { positionOf } = createMonths({ sections: sectionsOf([3_000, 2_000, 500]), range: 4_700 });
    expect([first, second].map((section) => section && positionOf(section))).toEqual([0, 3_000]);
    expect(third && positionOf(third)).toBeLessThan(4_700);
  });

  test('fit into the window', () => {
    const sections = sectionsOf([100, 100]);
    const { positionOf, indexAt } = createMonths({ sections, range: 0 });
    expect(sections.map(positionOf)).toEqual([0, 0]);
    expect(indexAt(0)).toBeGreaterThanOrEqual(0);
  });
});
