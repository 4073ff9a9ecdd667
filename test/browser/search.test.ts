import { afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { findViolations } from '../harness/accessibility.ts';
import { freshSettings } from '../harness/backends.ts';
import { filesOf } from '../harness/files.ts';
import { picture } from '../harness/pictures.ts';
import { addPerson, type Posthouse, startPosthouse } from '../harness/posthouse.ts';
import { until } from '../harness/until.ts';
import { openApp, type Seat } from '../harness/web.ts';

describe('the search in the web app', () => {
  let posthouse: Posthouse;
  let seat: Seat;
  let inner: string;
  const email = 'ann@example.org';

  beforeAll(async () => {
    posthouse = await startPosthouse(await freshSettings('sqlite+local'));
    const { headers } = await addPerson(posthouse.settings, email);
    const files = filesOf(posthouse, headers);
    inner = await files.newFolder('Summer', await files.newFolder('Travel'));
    await files.upload('the sea', { name: 'Beach notes.txt', folder: inner });
    await files.upload(await picture('#3070c0'), { name: 'beach.png', folder: inner });
    await files.upload('x', { name: 'Above the beach.txt' });
    await files.upload('x', { name: 'other.txt' });
    await files.upload('x', { name: 'acted on.txt', folder: inner });
  });
  afterEach(() => seat.leave());

  const open = async (path: string) => {
    seat = await openApp(posthouse, email, path);
    return seat.page;
  };
  const found = async () => await seat.page.locator('.search-results .row-title').allTextContents();

  test('finds files in all folders, and shows the way to each', async () => {
    const page = await open('/files');
    await page.getByText('other.txt', { exact: true }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('BEACH');
    await page.getByRole('link', { name: 'Above the beach.txt' }).waitFor();
    expect(await found()).toEqual(['Above the beach.txt', 'beach.png', 'Beach notes.txt']);
    expect(new URL(page.url()).searchParams.get('q')).toBe('BEACH');
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Beach notes.txt' }).click();
    await page.getByRole('dialog').getByText('the sea').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'My files / Travel / Summer' }).first().click();
    await page.waitForURL(`**/files/${inner}`);
    await page.locator('.listing-rows').getByText('Beach notes.txt').waitFor();
  });

  test('has the actions of each result', async () => {
    const page = await open('/files?q=acted');
    const act = async (name: string, action: string) => {
      await page.getByRole('button', { name: `Actions for ${name}` }).click();
      await page.getByRole('menuitem', { name: action, exact: true }).click();
    };
    const opener = page.getByRole('button', { name: 'Actions for acted on.txt' });
    await opener.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Rename', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await until(() => opener.evaluate((button) => button === button.ownerDocument.activeElement));
    await act('acted on.txt', 'Rename');
    await page.getByRole('textbox', { name: 'New name' }).fill('acted on twice.txt');
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await page.getByRole('link', { name: 'acted on twice.txt' }).waitFor();
    await act('acted on twice.txt', 'Share and details');
    await page.waitForURL(`**/files/${inner}?details=*`);
    await page.getByRole('dialog').getByText('Who can access').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click();
    await page.waitForURL('**/files?q=acted');
    await act('acted on twice.txt', 'Move');
    await page.getByRole('dialog').getByRole('button', { name: 'Parent folder' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Move to “Travel”/ })
      .click();
    await page.getByRole('link', { name: 'My files / Travel', exact: true }).waitFor();
    await act('acted on twice.txt', 'Delete');
    await page.getByText('No matches').waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByRole('link', { name: 'acted on twice.txt' }).waitFor();
  });

  test('closes the menu of a result that does not have the focus yet', async () => {
    const page = await open('/files?q=acted');
    const opener = page.getByRole('button', { name: 'Actions for acted on' });
    await opener.focus();
    await page.evaluate(`(async () => {
      const opener = document.activeElement;
      const changed = () =>
        new Promise((resolve) => new MutationObserver(resolve).observe(document.body, { childList: true, subtree: true }));
      opener.click();
      while (!document.querySelector('[role=menu]')) await changed();
      opener.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    })()`);
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await until(() => opener.evaluate((button) => button === button.ownerDocument.activeElement));
  });

  test('is in the address, with its filters, and in this folder on request', async () => {
    const page = await open('/files?q=beach&type=image&days=7');
    await page.getByRole('link', { name: 'beach.png' }).waitFor();
    expect(await found()).toEqual(['beach.png']);
    await page.getByLabel('File type').selectOption('Videos');
    await page.getByText('No matches').waitFor();
    await page.getByText('This folder', { exact: true }).click();
    await page.locator('.listing-rows').getByText('Above the beach.txt').waitFor();
    // The rows of the whole folder stay until those of the search are there.
    await page.locator('.listing-rows').getByText('other.txt').waitFor({ state: 'detached' });
    expect(await page.locator('.listing-rows .entry-name').allTextContents()).toEqual([
      'Above the beach.txt',
    ]);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.locator('.listing-rows').getByText('other.txt').waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  test('continues from the palette', async () => {
    const page = await open('/');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search everything').fill('beach');
    await page.getByRole('button', { name: 'All files matching “beach”' }).click();
    await page.getByRole('list', { name: 'Search results' }).waitFor();
    expect((await found()).length).toBe(3);
  });
});
