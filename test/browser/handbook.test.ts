import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { lookAt, TWO_LOOKS } from '../harness/accessibility.ts';
import { freshSettings } from '../harness/backends.ts';
import { newVisitor } from '../harness/chromium.ts';
import { type Posthouse, startPosthouse } from '../harness/posthouse.ts';

describe('the documentation of a server', () => {
  let posthouse: Posthouse;
  beforeAll(async () => {
    posthouse = await startPosthouse(await freshSettings('sqlite+local'));
  });
  afterAll(() => posthouse.stop());

  test('has no serious fault of accessibility', async () => {
    const page = await (await newVisitor(posthouse.url)).newPage();
    for (const path of ['/docs', '/docs/mail', '/docs?q=file', '/docs/errors']) {
      await page.goto(path);
      expect([path, await lookAt(page, TWO_LOOKS)]).toEqual([path, []]);
    }
    await page.context().close();
  });

  test('fits a phone screen in light and dark colours', async () => {
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
