import { describe, expect, test } from 'bun:test';
import { lookAt } from '../harness/accessibility.ts';
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
  const { posthouse, email, seat, files } = sharedFilesApp(async ({ post, upload }) => {
    folder = ((await (await post('/api/storage/folders', { name: 'Trip' })).json()) as { id: string }).id;
    const { id } = await upload(await photograph('2019:07:31 23:30:00'), { name: 'first.jpg', folder });
    await thumbnailOf(files, id);
    await upload(await photograph('2031:03:04 05:06:07'), { name: 'outside.jpg' });
    const start = Date.UTC(2010, 0, 1);
    copyFile(posthouse.settings, id, YEARS * IN_A_YEAR, (number) => ({
      folder_id: folder,
      original_name: `${number}.jpg`,
      // Upright and wide ones.
      width: 20 + (number % 7) * 10,
      taken_at: start + number * 0.36525 * DAY,
    }));
  });

  const month = (name: string) => seat.page.getByRole('region', { name, exact: true });

  test('shows pictures by month, the newest first, and renders only the visible ones', async () => {
    await seat.page.getByTitle('Timeline').click();
    await month('March 2031').getByRole('button').waitFor();
    await month('December 2019').getByRole('button').first().waitFor();
    await until(() => seat.page.evaluate(`document.querySelectorAll('.timeline-tile img').length > 8`));
    expect(await seat.page.locator('.timeline-tile').count()).toBeLessThan(200);
    expect(await seat.page.getByText('10,002 pictures and videos').count()).toBe(1);
    expect(await lookAt(seat.page)).toEqual([]);
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
    await protocol.send('Input.dispatchTouchEvent', { type: 'touchStart', ...finger(box.y + 2) });
    await until(async () => (await shown()) === 'December 2019');
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

  test('opens pictures in the viewer, which goes on to the next month', async () => {
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
