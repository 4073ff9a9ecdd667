import { describe, expect, test } from 'bun:test';
import { copyFile } from '../harness/copy-file.ts';
import { filesApp } from '../harness/files-app.ts';
import { overflowsOn } from '../harness/narrow.ts';
import { photograph, picture, renditionOf } from '../harness/pictures.ts';
import { until } from '../harness/until.ts';

const PHONE = { width: 390, height: 844, touch: true };
const DESKTOP = { width: 1280, height: 860 };

describe('the selection', () => {
  const { files, open, seat } = filesApp('/files');

  async function boxOf(selector: string) {
    const box = await seat.page.locator(selector).first().boundingBox();
    if (!box) throw new Error(`${selector} is not displayed`);
    return box;
  }

  /** Clicks or taps at the corners of an element, inside the rounded ones of tiles. */
  async function pressCorners(
    selector: string,
    press: (x: number, y: number) => Promise<void>,
  ): Promise<void> {
    const { width, height } = await boxOf(selector);
    expect(width).toBeGreaterThanOrEqual(44);
    expect(height).toBeGreaterThanOrEqual(44);
    const corners = [5, width - 5].flatMap((dx) => [5, height - 5].map((dy) => ({ dx, dy })));
    for (const [index, { dx, dy }] of corners.entries()) {
      const { x, y } = await boxOf(selector);
      await press(x + dx, y + dy);
      await seat.page.getByRole('toolbar').waitFor({ state: index % 2 ? 'detached' : 'visible' });
    }
    expect(new URL(seat.page.url()).search).toBe('');
  }

  test.each([
    ['a tap, in the list', PHONE, 'List', '.listing-rows .cell-check'],
    ['a click, in the list', DESKTOP, 'List', '.listing-rows .cell-check'],
    ['a tap, on a tile', PHONE, 'Grid', '.tile .select-box'],
    ['a click, on a tile', DESKTOP, 'Grid', '.tile .select-box'],
    ['a tap, for all files', PHONE, 'List', '.listing-header .cell-check'],
  ])('is toggled next to the checkbox too: %s', async (_, screen, view, selector) => {
    await files.upload('x', { name: 'a.txt' });
    const page = await open('/files', screen);
    await page.getByTitle(view).click();
    await page.getByText('a.txt').first().waitFor();
    await pressCorners(selector, (x, y) =>
      screen === PHONE ? page.touchscreen.tap(x, y) : page.mouse.click(x, y),
    );
  });

  test.each([
    ['one file', 1, ['Preview', 'Rename', 'Move', 'Copy', 'Versions']],
    ['several files', 2, ['Move', 'Copy']],
  ])(
    'of %s has all actions on the screen of a phone, the less frequent ones in a menu',
    async (_, count, more) => {
      for (const name of ['a.txt', 'b.txt']) await files.upload('x', { name });
      const page = await open('/files', PHONE);
      const top = async () => (await boxOf('.listing')).y;
      await page.getByText('a.txt').first().waitFor();
      const before = await top();
      for (const name of ['a.txt', 'b.txt'].slice(0, count)) await page.getByLabel(`Select ${name}`).tap();
      const bar = page.getByRole('toolbar', { name: `${count} selected` });
      await bar.waitFor();
      // The next tap would miss its row.
      expect(await top()).toBe(before);
      expect(await overflowsOn(page)).toEqual([]);
      expect(
        await bar.evaluate(
          (element: { scrollWidth: number; clientWidth: number }) =>
            element.scrollWidth - element.clientWidth,
        ),
      ).toBe(0);
      await bar.getByRole('button', { name: 'More' }).tap();
      const items = page.getByRole('menuitem');
      await items.first().waitFor();
      expect(await items.allTextContents()).toEqual(more);
      await page.keyboard.press('Escape');
      await bar.getByRole('button', { name: 'Delete' }).tap();
      await page.getByText(count === 1 ? 'Deleted “a.txt”' : 'Deleted 2 items').waitFor();
    },
  );
});

describe('on a phone', () => {
  const { files, open, posthouse } = filesApp('/files');

  test('a tap on a tile opens its file, not that of the next tile', async () => {
    for (const name of ['a.txt', 'b.txt']) await files.upload(`text of ${name}`, { name });
    const page = await open('/files', PHONE);
    await page.getByTitle('Grid').tap();
    await page.locator('.tile').nth(1).waitFor();
    await page.locator('.tile').first().tap();
    await page.getByText('text of a.txt').waitFor();
  });

  test('the tile of a panorama is sharp', async () => {
    const { id } = await files.upload(await picture('#4070a0', { width: 2400, height: 240 }), {
      name: 'a.png',
    });
    await renditionOf(files, id, 'preview');
    const page = await open('/files', PHONE);
    await page.getByTitle('Grid').tap();
    const tile = page.locator('.tile img');
    const heights = () =>
      tile.evaluate((image) => {
        const { naturalHeight, clientHeight } = image as unknown as Record<string, number>;
        return { naturalHeight, clientHeight };
      });
    await until(async () => ((await heights()).naturalHeight ?? 0) > 0);
    const { naturalHeight, clientHeight } = await heights();
    expect(naturalHeight).toBeGreaterThan(clientHeight ?? 0);
  });

  test('an empty folder does not suggest dropping files, which it does on other devices', async () => {
    const page = await open('/files', PHONE);
    await page.getByText('Use the upload button to choose files or folders.').waitFor();
    expect(await page.getByText('Drop files').count()).toBe(0);
    await page.context().close();
    await (await open('/files', DESKTOP)).getByText('Drop files or folders here').waitFor();
  });

  test('in landscape, the list has the whole window while it is scrolled', async () => {
    const { id } = await files.upload('x', { name: 'file-00.txt' });
    copyFile(posthouse.settings, id, 40, (number) => {
      const name = `file-${String(number).padStart(2, '0')}.txt`;
      return { original_name: name, name_key: name };
    });
    const page = await open('/files', { width: 844, height: 390, touch: true });
    await page.getByText('file-05.txt').waitFor();
    const rows = async () => ((await page.getByRole('grid').boundingBox())?.height ?? 0) / 52 - 1;
    const search = page.getByRole('searchbox');
    await search.waitFor();
    expect(await rows()).toBeGreaterThan(2.5);
    await page.getByRole('grid').evaluate((grid: { scrollTop: number }) => {
      grid.scrollTop = 300;
    });
    await search.waitFor({ state: 'hidden' });
    expect(await rows()).toBeGreaterThan(5.5);
    await page.getByRole('grid').evaluate((grid: { scrollTop: number }) => {
      grid.scrollTop = 0;
    });
    await search.waitFor();
  });
});

describe('a list that is sorted by the time of photographs', () => {
  const { files, open } = filesApp('/files');

  test.each([
    ['in a wide window', DESKTOP, '.cell-date'],
    ['on a phone', PHONE, '.cell-facts'],
  ])('shows that time: %s', async (_, screen, selector) => {
    const { id } = await files.upload(await photograph('2019:07:31 23:30:00', '-05:00'), { name: 'a.jpg' });
    await renditionOf(files, id, 'thumbnail');
    await files.upload('x', { name: 'b.txt' });
    const page = await open('/files', screen);
    const dates = page.locator(`.listing-rows ${selector}`);
    await dates.nth(1).waitFor();
    expect(await dates.getByText('2019').count()).toBe(0);
    await page.getByLabel('Sort by').selectOption('Taken');
    await dates.getByText('31 Jul 2019').waitFor();
    // As the server sorts it.
    await dates.getByText('now').or(dates.getByText('minute')).waitFor();
    if (screen === PHONE) return;
    const header = page.getByRole('columnheader', { name: 'Taken' });
    expect(await header.getAttribute('aria-sort')).toBe('descending');
    await header.getByRole('button').click();
    await page.locator('th[aria-sort=ascending]').getByText('Taken').waitFor();
    const names = page.locator('.listing-rows .entry-name');
    // The rows are requested after the header shows their new order.
    await until(async () => (await names.first().textContent()) === 'a.jpg');
    expect(await names.allTextContents()).toEqual(['a.jpg', 'b.txt']);
  });
});

describe('a notification on a phone', () => {
  const { files, open } = filesApp('/files');

  test('has the whole label of its button next to a long text', async () => {
    await files.upload('x', { name: 'Protokoll der Sitzung im Oktober.txt' });
    const page = await open('/files', { ...PHONE, locale: 'de-DE' });
    await page.getByRole('button', { name: 'Aktionen für Protokoll der Sitzung im Oktober.txt' }).click();
    await page.getByRole('menuitem', { name: 'Löschen' }).click();
    const label = page.getByRole('button', { name: 'Rückgängig' }).locator('.mantine-Button-label');
    await label.waitFor();
    expect(await label.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  });

  test.each([390, 320])(
    'and the uploads leave the links at the end of the page reachable: %p pixels',
    async (width) => {
      await files.upload('x', { name: 'gone.txt' });
      const page = await open('/files', { ...PHONE, width, locale: 'de-DE' });
      await page
        .getByTestId('files')
        .setInputFiles([{ name: 'sent.txt', mimeType: 'text/plain', buffer: Buffer.from('x') }]);
      const uploads = page.getByRole('region', { name: 'Uploads' });
      await uploads.waitFor();
      await page.getByRole('button', { name: 'Aktionen für gone.txt' }).click();
      await page.getByRole('menuitem', { name: 'Löschen' }).click();
      const undo = page.getByRole('button', { name: 'Rückgängig' });
      await undo.click({ trial: true });
      await uploads.getByRole('button', { name: 'Schließen' }).click({ trial: true });
      await page.getByRole('link', { name: 'Freigaben' }).click({ trial: true });
      await page.getByRole('link', { name: 'Papierkorb' }).click();
      await page.getByRole('heading', { name: 'Papierkorb' }).waitFor();
      await undo.waitFor();
    },
  );
});
