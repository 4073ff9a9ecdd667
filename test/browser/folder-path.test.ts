import { describe, expect, test } from 'bun:test';
import { filesApp } from '../harness/files-app.ts';
import { overflowsOn } from '../harness/narrow.ts';

const PHONE = { width: 390, height: 844, touch: true };
const LONG = 'A name with many words '.repeat(5).trim();

describe('the path of a folder', () => {
  const { files, open, seat } = filesApp('/files');

  /** Creates folders inside each other; returns the innermost. */
  async function nest(names: readonly string[]): Promise<string> {
    let id = 'root';
    for (const name of names) id = await files.newFolder(name, id);
    return id;
  }
  const heightOf = async (selector: string) => (await seat.page.locator(selector).boundingBox())?.height ?? 0;
  const topOf = async (selector: string) => (await seat.page.locator(selector).first().boundingBox())?.y ?? 0;

  const NAMES = [1, 2, 3, 4, 5, 6].map((level) => `${level} ${LONG}`);

  test.each([
    ['long names on a phone', PHONE, NAMES, 60, 320],
    ['ordinary names on a phone', PHONE, ['2026', 'Projects', 'House', 'Garden', 'Plans', 'Drafts'], 60, 320],
    ['long names in a wide window', { width: 1280 }, NAMES, 60, 260],
  ])('stays on one line: %s', async (_, screen, names, height, top) => {
    const folder = await nest(names);
    await files.upload('x', { name: 'a.txt', folder });
    const page = await open(`/files/${folder}`, screen);
    await page.locator('.listing-rows .entry-row').first().waitFor();
    expect(await heightOf('.path-bar')).toBeLessThan(height);
    expect(await topOf('.listing-rows .entry-row')).toBeLessThan(top + 100);
    if (screen === PHONE) expect(await overflowsOn(page)).toEqual([]);
    const path = page.getByRole('navigation', { name: 'Folder path' });
    expect(await path.getByRole('heading').textContent()).toBe(names.at(-1) ?? '');
    expect(await path.getByRole('link').last().textContent()).toBe(names.at(-2) ?? '');
    await path.getByRole('button', { name: 'Full path' }).press('Enter');
    const items = page.getByRole('menuitem');
    await items.first().waitFor();
    expect(await items.allTextContents()).toEqual(['My files', ...names]);
    if (screen === PHONE) expect(await overflowsOn(page)).toEqual([]);
    await items.nth(1).press('Enter');
    await page.getByRole('heading', { level: 1, name: names[0], exact: true }).waitFor();
  });

  test.each([
    ['in a wide window', { width: 1280 }],
    ['on a phone', PHONE],
  ])('of one short name cuts no name: %s', async (_, screen) => {
    const page = await open(`/files/${await nest(['2026'])}`, screen);
    const link = page.getByRole('navigation', { name: 'Folder path' }).getByRole('link');
    await link.waitFor();
    const cut = await page.evaluate<number>(`(() => {
      const link = document.querySelector('.path-bar a');
      return link.scrollWidth - link.clientWidth;
    })()`);
    expect([await link.textContent(), cut]).toEqual(['My files', 0]);
  });

  test('of a few short names is shown as a whole', async () => {
    const page = await open(`/files/${await nest(['2026', 'Projects'])}`);
    const path = page.getByRole('navigation', { name: 'Folder path' });
    await path.getByRole('link', { name: '2026' }).waitFor();
    expect(await path.getByRole('link').allTextContents()).toEqual(['My files', '2026']);
    expect(await path.getByRole('button').count()).toBe(0);
  });
});
