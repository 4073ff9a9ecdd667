import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { findViolations, TWO_LOOKS } from '../harness/accessibility.ts';
import { freshSettings } from '../harness/backends.ts';
import { newVisitor } from '../harness/chromium.ts';
import { type Posthouse, startPosthouse } from '../harness/posthouse.ts';

describe('the documentation of a server', () => {
  let posthouse: Posthouse;
  beforeAll(async () => {
    posthouse = await startPosthouse(await freshSettings('sqlite+local'));
  });
  afterAll(() => posthouse.stop());

  test('has no serious accessibility faults', async () => {
    const page = await (await newVisitor(posthouse.url)).newPage();
    for (const path of ['/docs', '/docs/mail', '/docs?q=file', '/docs/errors']) {
      await page.goto(path);
      expect([path, await findViolations(page, TWO_LOOKS)]).toEqual([path, []]);
    }
    await page.context().close();
  });

  test('has a German frame for German readers, and says that it is in English', async () => {
    const german = await newVisitor(posthouse.url, { locale: 'de-DE' });
    const english = await newVisitor(posthouse.url);
    const page = await german.newPage();
    const other = await english.newPage();
    const sentence = 'Dieses Handbuch gibt es nur auf Englisch.';
    for (const [path, title] of [
      ['/docs', 'Posthouse-API'],
      ['/docs/mail', 'E-Mail'],
      ['/docs/errors', 'Fehlercodes'],
      ['/docs?q=file', 'Suchen'],
    ] as const) {
      await page.goto(path);
      expect([path, await page.title()]).toEqual([path, `${title} · Posthouse`]);
      expect(await page.locator('html').getAttribute('lang')).toBe('de');
      await page.getByText(sentence, { exact: true }).waitFor();
      await page.getByLabel('API durchsuchen').waitFor();
      expect(await page.locator('[lang=en]').textContent()).not.toContain(sentence);
      expect([path, await findViolations(page, TWO_LOOKS)]).toEqual([path, []]);
      await other.goto(path);
      expect(await other.getByText(sentence).count()).toBe(0);
    }
    await page.getByText(/^\d+ Operationen mit „file“\.$/).waitFor();
    await page.locator('[lang=en]').getByRole('link').first().waitFor();
    const namesOn = (shown: Page) => shown.getByRole('navigation').locator('a, h2').allTextContents();
    const names = await namesOn(page);
    const untranslated = await namesOn(other);
    expect(names).toHaveLength(untranslated.length);
    expect(new Set(names.filter((name, index) => name === untranslated[index]))).toEqual(new Set(['Chat']));
    await german.close();
    await english.close();
  });

  test('fits a phone screen in light and dark colors', async () => {
    for (const dark of [false, true]) {
      const visitor = await newVisitor(posthouse.url, { width: 360, height: 640, dark });
      const page = await visitor.newPage();
      const refused: string[] = [];
      page.on('console', (message) => refused.push(message.text()));
      for (const path of [
        '/docs',
        '/docs/mail#post-requestemail',
        '/docs?q=file',
        '/docs/errors#quota_exceeded',
      ]) {
        await page.goto(path);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      }
      await page.goto('/docs');
      const button = await page.getByRole('button', { name: 'Search' }).boundingBox();
      const field = await page.getByLabel('Search the API').boundingBox();
      expect([button?.height, button?.height]).toEqual([field?.height, 44]);
      await page.getByLabel('Search the API').fill('thumbnail');
      await page.keyboard.press('Enter');
      await page
        .getByRole('link', { name: /thumbnail/i })
        .first()
        .click();
      await page.waitForURL(/\/docs\/\w+#/);
      expect(refused).toEqual([]);
      await visitor.close();
    }
  });
});
