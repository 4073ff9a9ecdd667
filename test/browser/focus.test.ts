import { afterAll, beforeAll, describe, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { freshSettings } from '../harness/backends.ts';
import { filesOf } from '../harness/files.ts';
import { addMailClient, post } from '../harness/mail.ts';
import { addAdmin, addToken, type Posthouse, startPosthouse } from '../harness/posthouse.ts';
import { openApp, type Seat } from '../harness/web.ts';

const EMAIL = 'ada@example.org';
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();
const grid = (page: Page) => page.getByRole('grid');
/** Waits until an element has the focus. */
const waitForFocus = (element: Locator) => element.and(element.page().locator(':focus')).waitFor();

interface Case {
  name: string;
  path: string;
  /** The element that has the focus before the dialog opens and after it closed. */
  opener(page: Page): Locator;
  /** Opens the dialog; by default by a click on the opener. */
  open?(page: Page): Promise<unknown>;
}

const fromMenu = (entry: string, item: RegExp) => async (page: Page) => {
  await button(page, `Actions for ${entry}`).click();
  await page.getByRole('menuitem', { name: item }).click();
};
const fromKeyboard = (key: string) => async (page: Page) => {
  await grid(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press(key);
};
const menuButton = (page: Page) => button(page, 'Actions for notes.txt');

const CASES: readonly Case[] = [
  { name: 'a new folder', path: '/files', opener: (page) => button(page, 'New folder') },
  { name: 'a preview', path: '/files', opener: (page) => button(page, 'notes.txt') },
  {
    name: 'a new name, from a menu',
    path: '/files',
    opener: menuButton,
    open: fromMenu('notes.txt', /^Rename/),
  },
  { name: 'details, from a menu', path: '/files', opener: menuButton, open: fromMenu('notes.txt', /^Share/) },
  { name: 'versions, from a menu', path: '/files', opener: menuButton, open: fromMenu('notes.txt', /^Vers/) },
  { name: 'a new name, from the keyboard', path: '/files', opener: grid, open: fromKeyboard('F2') },
  { name: 'details, from the keyboard', path: '/files', opener: grid, open: fromKeyboard('s') },
  { name: 'a token', path: '/account', opener: (page) => button(page, 'New token') },
  { name: 'the palette', path: '/account', opener: (page) => button(page, /^Search/) },
  {
    name: 'the palette, from the keyboard',
    path: '/account',
    opener: (page) => button(page, 'New token'),
    async open(page) {
      await button(page, 'New token').focus();
      await page.keyboard.press('Control+k');
    },
  },
  {
    name: 'the shortcuts, from the palette',
    path: '/account',
    opener: (page) => button(page, /^Search/),
    async open(page) {
      await button(page, /^Search/).click();
      await page.getByPlaceholder('Search everything').fill('shortcuts');
      await button(page, 'Keyboard shortcuts').click();
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    },
  },
  { name: 'a quota', path: '/admin/workspaces', opener: (page) => button(page, /^Quota/) },
  { name: 'a message', path: '/admin/messages', opener: (page) => button(page, /The tides/) },
  { name: 'an invitation', path: '/admin/people', opener: (page) => button(page, 'Invite person') },
  { name: 'a mail client', path: '/admin/mail', opener: (page) => button(page, /^Request for/) },
];

describe('the focus', () => {
  let posthouse: Posthouse;
  let seat: Seat;
  beforeAll(async () => {
    posthouse = await startPosthouse(await freshSettings('sqlite+local'));
    await addAdmin(posthouse.settings, EMAIL);
    const files = filesOf(posthouse, (await addToken(posthouse.settings, EMAIL)).headers);
    await files.upload('some notes', { name: 'notes.txt' });
    await files.upload('other', { name: 'other.txt' });
    const client = await addMailClient(posthouse.settings, 'shop', '--services', 'email');
    await post(posthouse, '/requestemail', {
      ...client,
      To: 'reader@example.org',
      Subject: 'The tides of March',
      Body: 'b',
    });
    await addToken(posthouse.settings, EMAIL);
    seat = await openApp(posthouse, EMAIL, '/');
  });
  afterAll(async () => {
    await seat.leave();
    await posthouse.stop();
  });

  test.each(CASES)('returns to the element that opened a dialog: $name', async ({ path, opener, open }) => {
    const { page } = seat;
    await page.goto(path);
    await (open ? open(page) : opener(page).click());
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await page.locator('[role=dialog]:focus-within').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await waitForFocus(opener(page));
  });

  /** As in Safari, a click on a button focuses the nearest other element around it. */
  const FOCUS_AROUND = `addEventListener('mousedown', (event) => {
    const button = event.target.closest('button');
    if (!button) return;
    event.preventDefault();
    const around = button.parentElement.closest('[tabindex="0"]');
    if (around) around.focus();
    else document.activeElement.blur();
  }, true)`;

  const MENUS: readonly [string, string, (page: Page) => Locator][] = [
    ['an entry of the list', 'List', menuButton],
    ['an entry of the grid', 'Grid', menuButton],
    ['uploads', 'List', (page) => button(page, 'Upload')],
  ];
  test.each(
    MENUS.flatMap(([name, ...rest]) => [
      [name, ...rest, ''] as const,
      [`${name}, as in Safari`, ...rest, FOCUS_AROUND] as const,
    ]),
  )('returns to the button that opened the menu of %s', async (_, view, opener, script) => {
    const { page } = seat;
    await page.goto('/files');
    await page.getByTitle(view, { exact: true }).click();
    await opener(page).waitFor();
    await page.evaluate(script);
    await opener(page).click();
    const item = page.getByRole('menuitem').first();
    await item.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await item.waitFor({ state: 'detached' });
    await waitForFocus(opener(page));
  });

  test('goes to a neighbor when a dialog deletes the row that opened it', async () => {
    const { page } = seat;
    await page.goto('/account');
    const revoke = page.getByRole('button', { name: /^Revoke/ });
    await revoke.nth(1).waitFor();
    await revoke.first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await revoke.nth(1).waitFor({ state: 'detached' });
    await waitForFocus(revoke);
  });

  test('goes to the list when a menu deletes the file that opened it', async () => {
    const { page } = seat;
    await page.goto('/files');
    await fromMenu('notes.txt', /^Delete/)(page);
    await page.getByRole('row').filter({ hasText: 'notes.txt' }).waitFor({ state: 'detached' });
    await waitForFocus(grid(page));
  });
});
