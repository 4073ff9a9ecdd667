import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { freshSettings } from '../harness/backends.ts';
import { newVisitor } from '../harness/chromium.ts';
import { filesOf, type Metadata } from '../harness/files.ts';
import { photograph, picture, thumbnailOf } from '../harness/pictures.ts';
import { addPerson, type Posthouse, startPosthouse } from '../harness/posthouse.ts';
import { twoAddresses } from '../harness/two-addresses.ts';
import { openApp, type Seat } from '../harness/web.ts';

describe('sharing in the web app', () => {
  let posthouse: Posthouse;
  let files: ReturnType<typeof filesOf>;
  let file: Metadata;
  let seat: Seat;
  let page: Page;
  let count = 0;
  beforeAll(async () => {
    posthouse = await startPosthouse(await freshSettings('sqlite+local'));
  });
  beforeEach(async () => {
    const person = await addPerson(posthouse.settings, `person${++count}@example.org`);
    files = filesOf(posthouse, person.headers);
    file = await files.upload('what is shared', { name: 'offer.txt' });
    seat = await openApp(posthouse, person.email, '/files');
    page = seat.page;
    await page.getByRole('row').filter({ hasText: 'offer.txt' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Share and details' }).click();
    await page.getByRole('heading', { name: 'Who can access' }).waitFor();
  });
  afterEach(() => seat.leave());

  const makePublic = async () => {
    await page.locator('label', { hasText: /^Public$/ }).click();
    await page.getByText('Anyone with a link can open this file.').waitFor();
  };
  const address = (label: string) => page.getByLabel(label, { exact: true }).inputValue();
  const status = async (url: string) => (await fetch(url)).status;

  test('a visitor opens a share page with its password', async () => {
    await page.getByRole('button', { name: 'Create link' }).waitFor();
    expect(await page.getByLabel('Page link', { exact: true }).count()).toBe(0);
    expect(await status(`${posthouse.url}/public/file/${file.uiToken}`)).toBe(404);
    await makePublic();
    const link = await address('Page link');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByLabel('New password').fill('open sesame');
    await page.getByRole('button', { name: 'Save password' }).click();
    await page.getByText('A password is set.').waitFor();

    const stranger = await newVisitor(posthouse.url);
    const door = await stranger.newPage();
    await door.goto(link);
    expect(await door.content()).not.toContain('what is shared');
    await door.locator('input[type=password]').fill('open sesame');
    await door.getByRole('button').click();
    await door.getByRole('heading', { name: 'offer.txt' }).waitFor();
    await door.getByText('what is shared').waitFor();
    await stranger.close();
  });

  test('a picture is shared as a copy without its location', async () => {
    const { id, folderId } = await files.upload(await photograph(null), { name: 'garden.jpg' });
    await thumbnailOf(files, id);
    await page.keyboard.press('Escape');
    await page.getByRole('row').filter({ hasText: 'garden.jpg' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Share and details' }).click();
    await page.getByRole('button', { name: 'Share a copy without this data' }).click();
    await page.getByText('Shared as “garden (2).jpg”').waitFor();
    const listed = await files.read<Metadata[]>(`/api/storage/files/${folderId}`);
    const shown = listed.map(({ originalName, visibility }) => `${originalName} ${visibility}`);
    expect(shown).toEqual(['garden (2).jpg 1', 'garden.jpg 0', 'offer.txt 0']);
  });

  test('a picture that no camera took has no hint about its location', async () => {
    const { id } = await files.upload(await picture('#0a0'), { name: 'drawing.png' });
    await thumbnailOf(files, id);
    await page.keyboard.press('Escape');
    await page.getByRole('row').filter({ hasText: 'drawing.png' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Share and details' }).click();
    await page.getByRole('dialog', { name: 'drawing.png' }).waitFor();
    await page.getByRole('button', { name: 'Create link' }).waitFor();
    expect(await page.getByText('camera data').count()).toBe(0);
  });

  test('the page names the sender when its owner wants that', async () => {
    await makePublic();
    const link = await address('Page link');
    const words = async () => await (await fetch(link)).text();
    expect(await words()).not.toContain('Shared by');
    const choice = page.getByLabel(/^Show “Shared by person\d+” on the page/);
    await choice.click();
    await page.locator('input:checked').and(choice).waitFor();
    expect(await words()).toMatch(/Shared by person\d+</);
    await choice.click();
    await page.locator('input:not(:checked)').and(choice).waitFor();
    expect(await words()).not.toContain('Shared by');
  });

  test('the direct link returns the bytes, and a download limit counts', async () => {
    await makePublic();
    const link = await address('Direct link');
    await page.getByLabel('Download limit').fill('1');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByText('0 of 1 downloads used.').waitFor();
    expect(await (await fetch(link, { headers: { 'User-Agent': 'first' } })).text()).toBe('what is shared');
    expect((await fetch(link, { headers: { 'User-Agent': 'second' } })).status).toBe(410);
    await page.reload();
    await page.getByText('1 of 1 downloads used.').waitFor();
  });

  test('links expire at a time in the reader’s zone', async () => {
    await makePublic();
    await page.getByLabel('Expires').fill('2031-07-01T12:00');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByRole('button', { name: 'Save limits' }).waitFor({ state: 'detached' });
    // The browser uses the zone of Berlin, UTC+2 in summer.
    expect(await files.metadata(file.id)).toMatchObject({ expiresAt: '2031-07-01T10:00:00.000Z' });
    expect(await page.getByLabel('Expires').inputValue()).toBe('2031-07-01T12:00');
    await page.getByLabel('Expires').fill('');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByRole('button', { name: 'Save limits' }).waitFor({ state: 'detached' });
    expect(await files.metadata(file.id)).toMatchObject({ expiresAt: null });
  });

  test('a changed download limit leaves the expiry as it is', async () => {
    // The second 2:30 on the day on which summer time ends.
    const expiresAt = '2031-10-26T01:30:17.000Z';
    await files.change(file.id, { expiresAt });
    await page.getByLabel('Expires').and(page.locator('[value^="2031"]')).waitFor();
    await page.getByLabel('Download limit').fill('5');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByRole('button', { name: 'Save limits' }).waitFor({ state: 'detached' });
    expect(await files.metadata(file.id)).toMatchObject({ expiresAt, maxDownloads: 5 });
  });

  test('an expiry after the last year of four digits is refused', async () => {
    const expires = page.getByLabel('Expires');
    await expires.fill('12031-07-01T12:00');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await expires.and(page.locator(':invalid:focus')).waitFor();
    await expires.fill('2031-07-01T12:00');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByRole('button', { name: 'Save limits' }).waitFor({ state: 'detached' });
    expect(await files.metadata(file.id)).toMatchObject({ expiresAt: '2031-07-01T10:00:00.000Z' });
  });

  test('an access key opens a private file, is shown and replaced', async () => {
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Anyone with a link and the access key can open this file.').waitFor();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    const key = await page.getByTestId('access-key').textContent();
    const [direct, keyed] = [await address('Direct link'), await address('Link with access key')];
    expect(await status(direct)).toBe(403);
    expect(await status(`${direct}?accessKey=${key}`)).toBe(200);
    expect(await status(keyed)).toBe(200);
    await page.getByRole('button', { name: 'Replace key' }).click();
    await page
      .getByTestId('access-key')
      .filter({ hasNotText: key ?? '' })
      .waitFor();
    expect(await status(keyed)).toBe(403);
    await page.getByRole('button', { name: 'Remove access key' }).click();
    await page.getByText('No access key.').waitFor();
    expect(await status(direct)).toBe(404);
  });

  test('all links are replaced', async () => {
    await makePublic();
    const [direct, pageLink] = [await address('Direct link'), await address('Page link')];
    expect([await status(direct), await status(pageLink)]).toEqual([200, 200]);
    await page.getByRole('button', { name: 'Replace all links' }).click();
    await page
      .getByRole('dialog', { name: /Replace/ })
      .getByRole('button', { name: 'Replace all links' })
      .click();
    await page.getByText('Links replaced').waitFor();
    expect([await status(direct), await status(pageLink)]).toEqual([404, 404]);
    const stranger = await newVisitor(posthouse.url, { width: 390, height: 780 });
    const dead = await stranger.newPage();
    await dead.goto(pageLink);
    await dead.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    await dead.getByText('Ask the person who sent it for a new link.').waitFor();
    await stranger.close();
    expect(await status(await address('Page link'))).toBe(200);
  });

  test('links have the first public address of the server', async () => {
    const { first, second, settings } = await twoAddresses();
    const other = await startPosthouse(settings);
    const person = await addPerson(settings, 'ada@example.org');
    const own = filesOf(other, person.headers);
    const { id } = await own.upload('shared', { name: 'offer.txt' });
    await own.change(id, { visibility: 1, accessKey: true });
    const elsewhere = await openApp({ ...other, url: second }, person.email, `/files?details=${id}`);
    expect(new URL(elsewhere.page.url()).origin).toBe(second);
    for (const label of ['Page link', 'Direct link', 'Link with access key']) {
      const link = await elsewhere.page.getByLabel(label, { exact: true }).inputValue();
      expect(link).toStartWith(`${first}/`);
    }
    await elsewhere.leave();
    await other.stop();
  });

  test('a link is copied and shown as QR code', async () => {
    await makePublic();
    await seat.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy Page link' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(await address('Page link'));
    await page.getByRole('button', { name: 'QR code of Page link' }).click();
    await page.getByRole('img', { name: 'QR code of Page link' }).waitFor();
  });
});
