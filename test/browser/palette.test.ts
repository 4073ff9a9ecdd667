import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { freshSettings } from '../harness/backends.ts';
import { filesOf } from '../harness/files.ts';
import { addMailClient, post } from '../harness/mail.ts';
import { picture, renditionOf } from '../harness/pictures.ts';
import { addAdmin, addPerson, type Posthouse, startPosthouse } from '../harness/posthouse.ts';
import { openApp, type Seat } from '../harness/web.ts';

describe('keyboard and palette', () => {
  let posthouse: Posthouse;
  let seat: Seat;
  beforeAll(async () => {
    posthouse = await startPosthouse(await freshSettings('sqlite+local'));
    await addAdmin(posthouse.settings);
    const ann = await addPerson(posthouse.settings, 'ann@example.org');
    const files = filesOf(posthouse, ann.headers);
    const folder = await files.newFolder('Holidays');
    await files.upload('the sea', { name: 'Beach holiday.txt', folder });
    await files.newFolder('Straßen von Köln', folder);
    const { id: sea } = await files.upload(await picture('#4070a0'), { name: 'Sea.png', folder });
    await renditionOf(files, sea, 'thumbnail');
  });
  afterEach(() => seat.leave());
  afterAll(() => posthouse.stop());

  const open = async (email: string, path: string, screen = {}) => {
    seat = await openApp(posthouse, email, path, screen);
    return seat.page;
  };

  test('Ctrl+K finds folders and files of all folders, and opens them', async () => {
    const page = await open('ann@example.org', '/account');
    await page.keyboard.press('Control+k');
    const search = page.getByPlaceholder('Search everything');
    await search.fill('zzz');
    await page.getByText('Nothing found').waitFor();
    const place = await search.boundingBox();
    await search.fill('holiday');
    await page.getByText('Holidays', { exact: true }).first().waitFor();
    expect((await search.boundingBox())?.y).toBe(place?.y);
    await page.getByRole('button', { name: /Beach holiday\.txt/ }).click();
    await page.getByRole('dialog').getByText('the sea').waitFor();
    expect(new URL(page.url()).searchParams.has('preview')).toBe(true);
  });

  test('text typed while the palette loads appears in its field, and starts no action of the page', async () => {
    const page = await open('ann@example.org', '/files');
    await page.getByRole('row').filter({ hasText: 'Holidays' }).waitFor();
    await page.getByRole('grid').focus();
    const { promise: asked, resolve: answer } = Promise.withResolvers<void>();
    await page.route('**/assets/**', async (route) => {
      await asked;
      await route.continue();
    });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('smm');
    await page.keyboard.press('Backspace');
    answer();
    const search = page.getByPlaceholder('Search everything');
    await page.locator('input:focus').waitFor();
    expect(await search.inputValue()).toBe('sm');
    await page.keyboard.type('x');
    expect(await search.inputValue()).toBe('smx');
    expect(await page.getByRole('dialog').count()).toBe(1);
  });

  test('on a phone, the button next to the menu finds files, with small pictures', async () => {
    const page = await open('ann@example.org', '/account', { width: 390, touch: true });
    await page.getByRole('banner').getByRole('button', { name: 'Search' }).click();
    await page.getByPlaceholder('Search everything').fill('sea');
    const box = await page
      .getByRole('button', { name: /Sea\.png/ })
      .locator('img')
      .boundingBox();
    expect(box).toMatchObject({ width: 24, height: 24 });
    await page.getByPlaceholder('Search everything').fill('keyboard');
    await page.getByText('Nothing found').waitFor();
    await page.keyboard.press('Escape');
    // A tablet may have a keyboard.
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('F2', { exact: true }).waitFor();
  });

  test('on a phone, in German, the search names its results, and all targets fit a thumb', async () => {
    const page = await open('ada@example.org', '/account', { width: 390, touch: true, locale: 'de-DE' });
    await page.getByRole('banner').getByRole('button', { name: 'Suchen' }).click();
    const search = page.getByRole('textbox', { name: 'Alles durchsuchen' });
    await search.waitFor();
    const room = await page.evaluate<number>(`(() => {
      const input = document.querySelector('.mantine-Spotlight-search');
      const { font, paddingLeft, paddingRight } = getComputedStyle(input);
      const context = document.createElement('canvas').getContext('2d');
      context.font = font;
      const needed = context.measureText(input.placeholder).width;
      return input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - needed;
    })()`);
    expect(room).toBeGreaterThan(0);
    const actions = await page.locator('.mantine-Spotlight-action').all();
    expect(actions.length).toBeGreaterThan(8);
    const heights = await Promise.all(
      actions.map(async (action) => (await action.boundingBox())?.height ?? 0),
    );
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
  });

  test('Ctrl+K opens pages with the keyboard alone, those of administrators only for them', async () => {
    const page = await open('ada@example.org', '/');
    await page.getByRole('button', { name: 'Search' }).click();
    const search = page.getByPlaceholder('Search everything');
    await search.fill('templ');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/admin/mail/templates');
    await page.keyboard.press('Control+k');
    await search.fill('dark');
    await page.getByRole('button', { name: 'Dark colors' }).click();
    await page.locator('[data-mantine-color-scheme=dark]').waitFor();
    await seat.leave();

    const hers = await open('ann@example.org', '/');
    await hers.keyboard.press('Control+k');
    await hers.getByRole('button', { name: 'Trash' }).waitFor();
    expect(await hers.getByRole('button', { name: 'People' }).count()).toBe(0);
    await hers.getByPlaceholder('Search everything').fill('zzz');
    await hers.getByText('Nothing found').waitFor();
    await hers.keyboard.press('Escape');
    await hers.getByText('Nothing found').waitFor({ state: 'detached' });
  });

  test('it finds folders that the page has not loaded, and so does the search of the page', async () => {
    const page = await open('ann@example.org', '/account');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search everything').fill('STRASSEN VON KO\u0308');
    await page.getByRole('button', { name: /Straßen von Köln/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Straßen von Köln' }).waitFor();
    await page.getByLabel('Search files').fill('köln');
    const found = page.getByRole('list', { name: 'Search results' });
    await found.getByText('My files / Holidays').waitFor();
    await found.getByRole('link', { name: 'Straßen von Köln' }).click();
    await page.getByText('This folder is empty').waitFor();
  });

  test('it finds people, clients and messages for administrators, and shows them on their pages', async () => {
    const client = await addMailClient(posthouse.settings, 'newsletter', '--services', 'email');
    const mail = { To: 'reader@example.org', Subject: 'The tides of March', Body: 'b' };
    await post(posthouse, '/requestemail', { ...client, ...mail });
    const page = await open('ada@example.org', '/');
    const find = async (text: string, name: RegExp) => {
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Search everything').fill(text);
      await page.getByRole('button', { name }).click();
    };
    const shown = page.locator('[data-shown]');
    await find('ann@', /ann@example\.org/);
    await shown.getByText('ann@example.org').first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/admin/people');
    await find('newsl', /newsletter.*Mail client/);
    await shown.getByText('newsletter').waitFor();
    expect(new URL(page.url()).pathname).toBe('/admin/mail');
    await find('tides', /The tides of March/);
    await page.getByRole('dialog', { name: 'The tides of March' }).waitFor();
    await seat.leave();

    const hers = await open('ann@example.org', '/');
    await hers.keyboard.press('Control+k');
    await hers.getByPlaceholder('Search everything').fill('ann@');
    await hers.getByText('Nothing found').waitFor();
  });

  test('? lists the shortcuts, and / focuses the search of a page', async () => {
    const page = await open('ann@example.org', '/files');
    await page.getByRole('row').filter({ hasText: 'Holidays' }).waitFor();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.getByText('Share and details').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await page.keyboard.type('no such?');
    await page.getByText('No matches').waitFor();
    expect(await page.getByLabel('Search files').inputValue()).toBe('no such?');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});
