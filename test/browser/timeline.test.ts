import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { findViolations } from '../harness/accessibility.ts';
import { copyFile } from '../harness/copy-file.ts';
import { sharedFilesApp } from '../harness/files-app.ts';
import { photograph, thumbnailOf } from '../harness/pictures.ts';
import { until } from '../harness/until.ts';
import { openApp } from '../harness/web.ts';

/** Ten years with 1,000 photographs each. */
const YEARS = 10;
const IN_A_YEAR = 1_000;
const DAY = 86_400_000;

describe('the timeline', () => {
  let folder: string;
  const { posthouse, email, seat, files } = sharedFilesApp(async ({ newFolder, upload }) => {
    folder = await newFolder('Trip');
    const { id } = await upload(await photograph('2019:07:31 23:30:00'), { name: 'first.jpg', folder });
    await thumbnailOf(files, id);
    await upload(await photograph('2031:03:04 05:06:07'), { name: 'outside.jpg' });
    const start = Date.UTC(2010, 0, 1);
    copyFile(posthouse.settings, id, YEARS * IN_A_YEAR, (number) => ({
      folder_id: folder,
      original_name: `${number}.jpg`,
      // Upright and wide ones, wider ones in the first two years.
      width: (number < 2 * IN_A_YEAR ? 60 : 20) + (number % 7) * 10,
      taken_at: start + number * 0.36525 * DAY,
    }));
  });

  const month = (name: string) => seat.page.getByRole('region', { name, exact: true });

  test('shows pictures by month, newest first, and renders only the visible ones', async () => {
    await seat.page.getByTitle('Timeline').click();
    await month('March 2031').getByRole('button').waitFor();
    await month('December 2019').getByRole('button').first().waitFor();
    await until(() => seat.page.evaluate(`document.querySelectorAll('.timeline-tile img').length > 8`));
    expect(await seat.page.locator('.timeline-tile').count()).toBeLessThan(200);
    expect(await seat.page.getByText('10,002 pictures and videos').count()).toBe(1);
    expect(await findViolations(seat.page)).toEqual([]);
  });

  test('shows blurred pictures until their thumbnails are loaded', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await seat.page.route(/\/thumbnail/, async (route) => {
      await released;
      await route.continue();
    });
    await seat.page.getByTitle('Timeline').click();
    await month('December 2019').getByRole('button').first().waitFor();
    const seen = () =>
      seat.page.evaluate<[string, boolean]>(`(() => {
        const button = document.querySelector('.timeline-tile button');
        const { backgroundImage } = getComputedStyle(button);
        return [backgroundImage.slice(0, 27), button.querySelector('img').naturalWidth > 0];
      })()`);
    const blurred = 'url("data:image/webp;base64';
    expect(await seen()).toEqual([blurred, false]);
    release();
    await until(async () => (await seen())[1]);
    await seat.page.unrouteAll({ behavior: 'wait' });
  });

  test('of a folder moves to a month by its scrubber, and stays there while others are loaded', async () => {
    await seat.page.goto(`/timeline/${folder}`);
    await seat.page.getByText('Trip · 10,001 pictures and videos').waitFor();
    await month('January 2020').getByRole('button').first().waitFor();
    const scrubber = seat.page.getByRole('slider', { name: 'Month' });
    await scrubber.focus();
    const current = () => scrubber.getAttribute('aria-valuetext');
    await seat.page.keyboard.press('End');
    await until(async () => (await current())?.endsWith('2010'));
    for (let name = await current(); name !== 'April 2010'; name = await current()) {
      await seat.page.keyboard.press('ArrowUp');
      await until(async () => (await current()) !== name);
    }
    const april = month('April 2010');
    await april.getByRole('button').nth(8).waitFor();
    const distance = async () => {
      const [heading, timeline] = await Promise.all([
        april.getByRole('heading').boundingBox(),
        seat.page.locator('.timeline-scroller').boundingBox(),
      ]);
      return Math.abs((heading?.y ?? 0) - (timeline?.y ?? 0));
    };
    await until(async () => (await distance()) < 2);
    // Everything between is loaded now, and was only estimated before.
    await seat.page.locator('.timeline-scroller').hover();
    await seat.page.mouse.wheel(0, -4_000);
    await month('May 2010').getByRole('button').first().waitFor();
    await until(async () => (await seat.page.locator('.timeline-tile:not(:has(button))').count()) === 0);
    await scrubber.focus();
    await seat.page.keyboard.press('Home');
    await month('January 2020').getByRole('button').first().waitFor();
  });

  test('has the last month at its end, and shows the month under the pointer', async () => {
    await seat.page.goto('/timeline');
    const scrubber = seat.page.getByRole('slider', { name: 'Month' });
    await month('March 2031').getByRole('button').waitFor();
    const box = await scrubber.boundingBox();
    if (!box) throw new Error('the scrubber is not displayed');
    const label = scrubber.locator('.scrubber-month');
    const x = box.x + box.width / 2;
    await seat.page.mouse.move(x, box.y + box.height - 1);
    await until(async () => (await label.textContent()) === 'January 2010');
    const place = await label.boundingBox();
    expect((place?.y ?? 0) + (place?.height ?? 0) / 2).toBeCloseTo(box.y + box.height, -1);
    expect(await scrubber.getAttribute('aria-valuetext')).toBe('March 2031');
    await seat.page.mouse.move(x, box.y + 1);
    await until(async () => (await label.textContent()) !== 'January 2010');
    // Loaded months may be longer than they were estimated.
    const scrollToEnd =
      "((element) => element.scrollTo(0, element.scrollHeight))(document.querySelector('.timeline-scroller'))";
    await until(async () => {
      await seat.page.evaluate(scrollToEnd);
      return (await scrubber.getAttribute('aria-valuetext')) === 'January 2010';
    });
    await month('January 2010').waitFor();
  });

  test('shows the month under a finger while it moves the scrubber', async () => {
    const phone = await openApp(posthouse, email, '/timeline', { width: 390, touch: true });
    const scrubber = phone.page.getByRole('slider', { name: 'Month' });
    await phone.page.getByRole('region', { name: 'March 2031' }).getByRole('button').waitFor();
    const box = await scrubber.boundingBox();
    if (!box) throw new Error('the scrubber is not displayed');
    const label = scrubber.locator('.scrubber-month');
    const shown = () =>
      label.evaluate((element) => element.checkVisibility({ opacityProperty: true }) && element.textContent);
    const protocol = await phone.context.newCDPSession(phone.page);
    const finger = (y: number) => ({ touchPoints: [{ x: box.x + box.width - 8, y, id: 0 }] });
    await protocol.send('Input.dispatchTouchEvent', { type: 'touchStart', ...finger(box.y + 10) });
    await until(async () => /2019$/.test((await shown()) || ''));
    await protocol.send('Input.dispatchTouchEvent', {
      type: 'touchMove',
      ...finger(box.y + box.height / 2),
    });
    await until(async () => /201[3-7]$/.test((await shown()) || ''));
    expect(await scrubber.getAttribute('aria-valuetext')).toMatch(/201[3-7]$/);
    await protocol.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await until(async () => (await shown()) === false);
    await phone.leave();
  });

  /** Moves with the scrubber or the keyboard while all months are still estimated, then loads them. */
  async function moveBeforeLoading(page: Page, move: () => Promise<void>): Promise<void> {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/api\/storage\/timeline\/\d/, async (route) => {
      await released;
      await route.continue();
    });
    await page.goto('/timeline');
    await page.getByRole('slider', { name: 'Month' }).waitFor();
    await move();
    release();
    await until(async () => (await page.locator('.timeline-tile:not(:has(button))').count()) === 0);
    await page.unrouteAll({ behavior: 'wait' });
  }

  /** Drags the scrubber through `places`, which are fractions of its height. */
  async function drag(page: Page, places: readonly number[]): Promise<void> {
    const box = await page.getByRole('slider', { name: 'Month' }).boundingBox();
    if (!box) throw new Error('the scrubber is not displayed');
    for (const [index, place] of places.entries()) {
      await page.mouse.move(box.x + box.width / 2, box.y + place * (box.height - 1));
      if (index === 0) await page.mouse.down();
    }
    await page.mouse.up();
  }

  /** Returns the distance of the window from the end of the timeline, and the month that the scrubber names. */
  const placeAt = (page: Page) =>
    page.evaluate<[number, string]>(`(() => {
      const element = document.querySelector('.timeline-scroller');
      const left = element.scrollHeight - element.clientHeight - element.scrollTop;
      return [Math.max(0, Math.round(left) - 1), document.querySelector('[role=slider]').ariaValueText];
    })()`);

  const LAST = [0, 'January 2010'] as [number, string];

  test.each([
    ['dragged to its end', (page: Page) => drag(page, [0.1, 0.6, 1])],
    ['clicked at its end', (page: Page) => drag(page, [1])],
    [
      'moved by the End key',
      async (page: Page) => {
        await page.getByRole('slider', { name: 'Month' }).focus();
        await page.keyboard.press('End');
      },
    ],
    [
      'not used, but the End key in the timeline',
      async (page: Page) => {
        await page.locator('.timeline-scroller').focus();
        await page.keyboard.press('End');
      },
    ],
  ])('stays at its last picture while months are loaded, with the scrubber %s', async (_, move) => {
    const { page } = seat;
    await moveBeforeLoading(page, () => move(page));
    expect(await placeAt(page)).toEqual(LAST);
    await month('January 2010').getByRole('button').last().waitFor();
  });

  test('stays at its last picture while months are loaded, with the scrubber dragged by a finger', async () => {
    const phone = await openApp(posthouse, email, '/files', { width: 390, touch: true });
    await moveBeforeLoading(phone.page, async () => {
      const box = await phone.page.getByRole('slider', { name: 'Month' }).boundingBox();
      if (!box) throw new Error('the scrubber is not displayed');
      const protocol = await phone.context.newCDPSession(phone.page);
      const finger = (place: number) => ({
        touchPoints: [{ x: box.x + box.width - 8, y: box.y + place * box.height, id: 0 }],
      });
      await protocol.send('Input.dispatchTouchEvent', { type: 'touchStart', ...finger(0.1) });
      for (const place of [0.4, 0.8, 0.998])
        await protocol.send('Input.dispatchTouchEvent', { type: 'touchMove', ...finger(place) });
      await protocol.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    });
    expect(await placeAt(phone.page)).toEqual(LAST);
    await phone.leave();
  });

  test.each([0.35, 0.8, 0.93, 0.97, 0.985])(
    'shows the month to which the scrubber was dragged: %p',
    async (place) => {
      const { page } = seat;
      const label = page.getByRole('slider', { name: 'Month' }).locator('.scrubber-month');
      let dragged: string | null = null;
      await moveBeforeLoading(page, async () => {
        await drag(page, [0.1, place]);
        dragged = await label.textContent();
      });
      const [, shown] = await placeAt(page);
      expect([shown, await label.textContent()]).toEqual([String(dragged), dragged]);
      // Its pictures are displayed.
      const window = await page.locator('.timeline-scroller').boundingBox();
      const heading = await month(shown).boundingBox();
      if (!window || !heading) throw new Error(`${shown} is not displayed`);
      expect(heading.y).toBeLessThan(window.y + window.height);
      expect(heading.y + heading.height).toBeGreaterThan(window.y);
    },
  );

  test('opens pictures in the viewer, which continues into the next month', async () => {
    await seat.page.goto(`/timeline/${folder}`);
    const first = month('January 2020').getByRole('button').last();
    await first.click();
    const viewer = seat.page.getByRole('dialog');
    const title = viewer.locator('.preview-title');
    await title.waitFor();
    const before = await title.textContent();
    // All months are counted, not only those that are loaded.
    expect(before).toMatch(/ · \d+ \/ 10001$/);
    await viewer
      .getByRole('button', { name: 'Next' })
      .and(seat.page.locator('[aria-disabled=false]'))
      .waitFor();
    await seat.page.keyboard.press('ArrowRight');
    await until(async () => (await title.textContent()) !== before);
    await seat.page.goBack();
    await viewer.waitFor({ state: 'detached' });
    await first.waitFor();
  });
});
