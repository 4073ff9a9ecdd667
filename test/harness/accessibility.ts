import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { overflowsOn } from './narrow.ts';

/** A viewport and a color scheme. */
export interface Look {
  colorScheme: 'light' | 'dark';
  width: number;
  /** The only rule to check; undefined = all. */
  rule?: 'color-contrast' | typeof LABELS;
}

/**
 * Names of controls contain their visible texts, which people speak to control a browser (WCAG 2.2 §2.5.3). Off by
 * default.
 */
const LABELS = 'label-content-name-mismatch';

/** Each color scheme and each width once. */
export const TWO_LOOKS: readonly Look[] = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 390 },
];
/** The other two as well, for the rule that depends on the colors. */
const EVERY_LOOK: readonly Look[] = [
  ...TWO_LOOKS,
  { colorScheme: 'dark', width: 1280, rule: 'color-contrast' },
  { colorScheme: 'light', width: 390, rule: 'color-contrast' },
];

/** For the rule that depends on the language. */
export const LABELS_LOOK: readonly Look[] = [{ colorScheme: 'light', width: 1280, rule: LABELS }];

/** Returns the violations whose impact fails a test. */
async function faultsOf(page: Page, rule: Look['rule']): Promise<string[]> {
  // The script has 1.5 MB, and is loaded once per document.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
  const rules = rule ? { runOnly: [rule] } : { rules: { [LABELS]: { enabled: true } } };
  const options = { resultTypes: ['violations'], ...rules };
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(${JSON.stringify(options)})`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, help, nodes }) =>
        `${id}: ${help}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join(' | ')}`,
    );
}

/** Checks a page in these color schemes, and at the widths of phones. Returns every serious violation. */
export async function findViolations(page: Page, looks = EVERY_LOOK): Promise<string[]> {
  const faults: string[] = [];
  for (const { colorScheme, width, rule } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 860 });
    // Colors in transition would be reported.
    await page.evaluate(
      'Promise.allSettled(document.getAnimations().map((animation) => animation.finished))',
    );
    const found = await faultsOf(page, rule);
    faults.push(...found.map((fault) => `${colorScheme}, ${width} pixels: ${fault}`));
  }
  return [...faults, ...(await overflowsOn(page))];
}
