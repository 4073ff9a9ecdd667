import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { filesApp } from '../harness/files-app.ts';
import { photograph, thumbnailOf } from '../harness/pictures.ts';
import { until } from '../harness/until.ts';

const PHONE = { width: 390, height: 844, touch: true };

describe('a panel over a page', () => {
  const { files, open, seat } = filesApp('/account');
  const dialog = () => seat.page.getByRole('dialog');
  const closed = () => dialog().waitFor({ state: 'detached' });
  const openFile = (name: string) => seat.page.getByRole('button', { name, exact: true }).click();
  const waitForPath = (path: string) => until(() => new URL(seat.page.url()).pathname === path);

  /** Opens the files after the account, whose page is the entry before them. */
  async function openFiles(screen = {}): Promise<Page> {
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await files.upload(`text of ${name}`, { name });
    const page = await open('/account', screen);
    await page.goto('/files');
    await page.getByRole('button', { name: 'c.txt', exact: true }).waitFor();
    return page;
  }

  test.each([
    ['Escape', () => seat.page.keyboard.press('Escape')],
    ['its button', () => dialog().getByRole('button', { name: 'Close' }).click()],
    [
      'Escape twice',
      () =>
        seat.page.evaluate(`for (let time = 0; time < 2; time++)
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', code: 'Escape', bubbles: true }))`),
    ],
  ])('that is closed by %s does not open again after a step back', async (_, close) => {
    const page = await openFiles();
    await openFile('a.txt');
    await page.getByText('text of a.txt').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByText('text of b.txt').waitFor();
    await close();
    await closed();
    expect(new URL(page.url()).search).toBe('');
    expect(new URL(page.url()).pathname).toBe('/files');
    await page.goBack();
    await waitForPath('/account');
    expect(await dialog().count()).toBe(0);
    // It is still the next entry.
    await page.goForward();
    await waitForPath('/files');
  });

  test('over another panel returns to it, and a step back closes that on a phone', async () => {
    const page = await openFiles(PHONE);
    await page.getByRole('button', { name: 'a.txt', exact: true }).tap();
    await page.getByText('text of a.txt').waitFor();
    await dialog().getByRole('button', { name: 'Share and details' }).tap();
    await page.getByRole('heading', { name: 'Who can access' }).waitFor();
    await page.keyboard.press('Escape');
    await until(() => !page.url().includes('details'));
    await page.getByText('text of a.txt').waitFor();
    await page.goBack();
    await closed();
    expect(new URL(page.url()).pathname).toBe('/files');
    await page.goBack();
    await waitForPath('/account');
  });

  test('that was the first page leaves its folder in its place', async () => {
    const { id } = await files.upload('text of a.txt', { name: 'a.txt' });
    const page = await open('/account');
    await page.goto(`/files/root?preview=${id}`);
    await page.getByText('text of a.txt').waitFor();
    await page.keyboard.press('Escape');
    await closed();
    await page.getByRole('button', { name: 'a.txt', exact: true }).waitFor();
    await page.goBack();
    await waitForPath('/account');
  });

  test('that a search opened returns to its results', async () => {
    const { id } = await files.upload('text of a.txt', {
      name: 'a.txt',
      folder: await files.newFolder('Inner'),
    });
    const page = await open('/files?q=a.txt');
    await page.getByRole('link', { name: 'a.txt', exact: true }).click();
    await until(() => page.url().includes(`preview=${id}`));
    await page.getByText('text of a.txt').waitFor();
    await page.keyboard.press('Escape');
    await closed();
    await page.getByRole('link', { name: 'a.txt', exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('?q=a.txt');
  });

  test('over the timeline leaves no entry, and the focus at the picture that was shown last', async () => {
    const uploaded: string[] = [];
    for (const [index, year] of [2022, 2021, 2020, 2019, 2018].entries())
      for (let day = 10; day < 16; day++) {
        const photo = await photograph(`${year}:07:${day} 12:00:00`);
        uploaded.push((await files.upload(photo, { name: `${index}-${day}.jpg` })).id);
      }
    for (const id of uploaded) await thumbnailOf(files, id);
    const page = await open('/account', { width: 700, height: 420 });
    await page.goto('/timeline');
    const tile = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) });
    await tile('0-15.jpg').click();
    const title = page.locator('.preview-title');
    const next = dialog().getByRole('button', { name: 'Next' }).and(page.locator('[aria-disabled=false]'));
    for (let step = 1; step < 24; step++) {
      // The next month is loaded.
      await next.waitFor();
      await page.keyboard.press('ArrowRight');
      await until(async () => (await title.textContent())?.includes(`${step + 1} / 30`));
    }
    const last = (await title.locator('.cut-name, bdi').first().textContent()) ?? '';
    await page.keyboard.press('Escape');
    await closed();
    await tile(last).and(page.locator(':focus')).waitFor();
    expect(
      await page.evaluate(`(() => {
      const { top, bottom } = document.activeElement.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    })()`),
    ).toBe(true);
    await page.goBack();
    await waitForPath('/account');
  });

  test.each(['List', 'Grid'])(
    'shows the file that was shown last afterwards, in view and active: %s',
    async (view) => {
      for (let index = 10; index < 60; index++) await files.upload('x', { name: `${index}.txt` });
      const page = await open('/files');
      await page.getByTitle(view).click();
      await openFile('11.txt');
      await dialog().waitFor();
      for (let index = 12; index < 50; index++) {
        await page.keyboard.press('ArrowRight');
        await page.getByRole('dialog', { name: `${index}.txt` }).waitFor();
      }
      await page.keyboard.press('Escape');
      await closed();
      const grid = page.getByRole('grid').and(page.locator(':focus'));
      await grid.waitFor();
      const active = page.locator(`#${await grid.getAttribute('aria-activedescendant')}`);
      expect(await active.textContent()).toContain('49.txt');
      const [box, list] = await Promise.all([active.boundingBox(), grid.boundingBox()]);
      if (!box || !list) throw new Error('the row is not displayed');
      expect(box.y).toBeGreaterThanOrEqual(list.y);
      expect(box.y + box.height).toBeLessThanOrEqual(list.y + list.height);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await dialog().waitFor();
    },
  );
});
