import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** A viewport and a colour scheme. */
export interface Look {
  colorScheme: 'light' | 'dark';
  width: number;
}

const LIGHT_AND_DARK = ['light', 'dark'] as const;
const EVERY_LOOK: readonly Look[] = LIGHT_AND_DARK.flatMap((colorScheme) =>
  [1280, 390].map((width) => ({ colorScheme, width })),
);
/** Each colour scheme and each width once, for components that are tested in every look on pages. */
export const TWO_LOOKS: readonly Look[] = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 390 },
];

/** Impacts that fail a test. */
async function faultsOf(page: Page): Promise<string[]> {
  // A script of 1.5 MB, once per document.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run({ resultTypes: ["violations"] })');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, help, nodes }) =>
        `${id}: ${help}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join(' | ')}`,
    );
}

/** Checks a page in the given looks; returns every serious violation. */
export async function lookAt(page: Page, looks = EVERY_LOOK): Promise<string[]> {
  const faults: string[] = [];
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 860 });
    // Colours in transition would be reported.
    await page.evaluate(
      'Promise.allSettled(document.getAnimations().map((animation) => animation.finished))',
    );
    const found = await faultsOf(page);
    if (await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth'))
      found.push('something is wider than the page');
    faults.push(...found.map((fault) => `${colorScheme}, ${width} pixels: ${fault}`));
  }
  return faults;
}
