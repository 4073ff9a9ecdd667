import axe from 'axe-core';
import type { Page } from 'playwright-core';

const WIDTHS = [1280, 390];

/** What axe finds that is serious. */
async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run({ resultTypes: ["violations"] })');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join(' | ')}`,
    );
}

/** Looks at what a page shows, narrow and wide, in light and in dark colours; gives every serious fault. */
export async function lookAt(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 860 });
      // Colours on their way to others are no fault.
      await page.evaluate('Promise.allSettled(document.getAnimations().map((animation) => animation.finished))');
      const found = await faultsOf(page);
      if (await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')) found.push('something is wider than the page');
      faults.push(...found.map((fault) => `${colorScheme}, ${width} pixels: ${fault}`));
    }
  }
  return faults;
}
