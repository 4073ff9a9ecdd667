import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { filesApp } from '../harness/files-app.ts';
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

  test('over another one returns to that, which a step back closes on a phone', async () => {
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

  test('that a search opened returns to what was found', async () => {
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
});
