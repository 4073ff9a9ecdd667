import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { findViolations, TWO_LOOKS } from '../harness/accessibility.ts';
import { freshSettings } from '../harness/backends.ts';
import { addChatRig } from '../harness/chat.ts';
import { filesOf } from '../harness/files.ts';
import { addMailClient } from '../harness/mail.ts';
import { addAdmin, addPerson, addToken, type Posthouse, startPosthouse } from '../harness/posthouse.ts';
import { openApp } from '../harness/web.ts';
import { type DiscordStandIn, startDiscord } from '../stand-ins/discord.ts';

const EMAIL = 'ada@example.org';
const dialog = (page: Page) => page.getByRole('dialog');
const fileRow = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

/** Runs an action from the context menu of an entry. */
async function runAction(page: Page, name: string, action: RegExp): Promise<void> {
  await fileRow(page, name).click({ button: 'right' });
  await page.getByRole('menuitem', { name: action }).click();
}

/** Opens the confirmation of a new secret of a mail client. */
async function openNewSecret(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'New secret' }).click();
}

/** Dialogs, notifications, empty states and error states: the page, and how to get there. */
const PLACES: { name: string; path: string; act(page: Page): Promise<unknown> }[] = [
  {
    name: 'a new folder',
    path: '/files',
    async act(page) {
      await page.getByRole('button', { name: 'New folder' }).click();
      await page.getByLabel('Folder name').waitFor();
    },
  },
  {
    name: 'an invalid new name',
    path: '/files',
    async act(page) {
      await runAction(page, 'notes.txt', /^Rename/);
      await page.getByLabel('New name').fill('.');
      await page.getByRole('button', { name: 'Rename' }).click();
      await page.locator('[aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'moving',
    path: '/files',
    async act(page) {
      await runAction(page, 'notes.txt', /^Move/);
      await dialog(page).getByRole('button', { name: 'Folder' }).waitFor();
    },
  },
  {
    name: 'deleting a folder',
    path: '/files',
    async act(page) {
      await runAction(page, 'Folder', /^Delete/);
      await dialog(page).getByText('The folder is empty.').waitFor();
    },
  },
  {
    name: 'a notification with undo',
    path: '/files',
    async act(page) {
      await runAction(page, 'gone', /^Delete/);
      await page.getByRole('button', { name: 'Undo' }).waitFor();
    },
  },
  {
    name: 'the versions of a file',
    path: '/files',
    async act(page) {
      await runAction(page, 'notes.txt', /^Versions/);
      await dialog(page)
        .getByRole('button', { name: /^Delete version/ })
        .waitFor();
    },
  },
  {
    name: 'a version',
    path: '/files',
    async act(page) {
      await runAction(page, 'notes.txt', /^Versions/);
      await dialog(page)
        .getByRole('button', { name: /^Preview version/ })
        .click();
      await page.getByText('former notes').waitFor();
    },
  },
  {
    name: 'deleting a version',
    path: '/files',
    async act(page) {
      await runAction(page, 'notes.txt', /^Versions/);
      await dialog(page)
        .getByRole('button', { name: /^Delete version/ })
        .click();
      await page.getByRole('dialog', { name: 'Delete this version permanently?' }).waitFor();
    },
  },
  {
    name: 'the trash with a selected entry',
    path: '/files/trash',
    act: (page) => page.getByRole('checkbox', { name: 'Select former.txt' }).click(),
  },
  {
    name: 'emptying the trash',
    path: '/files/trash',
    async act(page) {
      await page.getByRole('button', { name: 'Empty trash' }).click();
      await dialog(page).getByText('This cannot be undone.').waitFor();
    },
  },
  {
    name: 'the upload menu',
    path: '/files',
    async act(page) {
      await page.getByRole('button', { name: 'Upload', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Upload folder' }).waitFor();
    },
  },
  {
    name: 'an upload that failed',
    path: '/files',
    async act(page) {
      await page
        .getByTestId('files')
        .setInputFiles([{ name: 'large.bin', mimeType: 'text/plain', buffer: Buffer.alloc(2_000_000) }]);
      await page.getByText('1 file was not uploaded').waitFor();
    },
  },
  {
    name: 'an empty folder',
    path: '/files',
    async act(page) {
      await fileRow(page, 'Folder').getByRole('link').click();
      await page.getByText('This folder is empty').waitFor();
    },
  },
  {
    name: 'a search without a match',
    path: '/files',
    async act(page) {
      await page.getByRole('searchbox').fill('no such name');
      await page.getByText('No matches').waitFor();
    },
  },
  {
    name: 'a missing folder',
    path: `/files/${crypto.randomUUID()}`,
    act: (page) => page.getByText('Folder not found').waitFor(),
  },
  {
    name: 'a file without preview',
    path: '/files',
    async act(page) {
      await page.getByRole('button', { name: 'data.bin', exact: true }).click();
      await page.getByText('No preview').waitFor();
    },
  },
  {
    name: 'replacing all links',
    path: '/files',
    async act(page) {
      await runAction(page, 'notes.txt', /^Share/);
      await page.locator('label', { hasText: /^Public$/ }).click();
      await page.getByRole('button', { name: 'QR code of Page link' }).click();
      await page.getByRole('button', { name: 'Set password' }).click();
      await page.getByRole('button', { name: 'Replace all links' }).click();
      await page.getByRole('dialog', { name: /Replace/ }).waitFor();
    },
  },
  {
    name: 'the sharing panel with its forms open',
    path: '/files',
    async act(page) {
      await runAction(page, 'notes.txt', /^Share/);
      await page.locator('label', { hasText: /^Public$/ }).click();
      await page.getByRole('button', { name: 'QR code of Page link' }).click();
      await page.getByRole('img', { name: /^QR code/ }).waitFor();
      await page.getByRole('button', { name: 'Set password' }).click();
      await page.getByLabel('New password').waitFor();
    },
  },
  {
    name: 'the import of channels',
    path: '/admin/chat',
    async act(page) {
      await page.getByRole('button', { name: 'Import' }).click();
      await dialog(page).getByRole('checkbox').first().waitFor();
    },
  },
  {
    name: 'a test without permission',
    path: '/admin/chat',
    async act(page) {
      await page.getByRole('button', { name: /^Test/ }).first().click();
      await dialog(page).getByText('The bot cannot post here').waitFor();
    },
  },
  {
    name: 'the request for a channel',
    path: '/admin/chat',
    async act(page) {
      await page
        .getByRole('button', { name: /^Request for/ })
        .first()
        .click();
      await dialog(page).locator('.code-block').waitFor();
    },
  },
  {
    name: 'a new server',
    path: '/admin/chat',
    async act(page) {
      await page.getByRole('button', { name: 'Add server' }).click();
      await dialog(page).getByLabel('Server ID (guild)').waitFor();
    },
  },
  {
    name: 'the menu of a channel',
    path: '/admin/chat',
    async act(page) {
      await page
        .getByRole('button', { name: /^Actions for/ })
        .last()
        .click();
      await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
    },
  },
  {
    name: 'the HTML of a contact form',
    path: '/admin/mail',
    async act(page) {
      await page.getByRole('button', { name: /^Form for/ }).click();
      await dialog(page).locator('.code-block').waitFor();
    },
  },
  {
    name: 'the request of a mail client',
    path: '/admin/mail',
    async act(page) {
      await page.getByRole('button', { name: /^Request for/ }).click();
      await dialog(page).locator('.code-block').first().waitFor();
    },
  },
  {
    name: 'the test of a mail client',
    path: '/admin/mail',
    async act(page) {
      await page.getByRole('button', { name: 'Actions for shop' }).click();
      await page.getByRole('menuitem', { name: 'Send test' }).click();
      await dialog(page).getByLabel('Chat').waitFor();
    },
  },
  {
    name: 'the confirmation of a new secret',
    path: '/admin/mail',
    async act(page) {
      await openNewSecret(page);
      await dialog(page).getByRole('button', { name: 'New secret' }).waitFor();
    },
  },
  {
    name: 'a new secret',
    path: '/admin/mail',
    async act(page) {
      await openNewSecret(page);
      await dialog(page).getByRole('button', { name: 'New secret' }).click();
      await page.getByTestId('ClientSecret').waitFor();
    },
  },
  {
    name: 'a template with errors',
    path: '/admin/mail/templates/_new',
    async act(page) {
      await page.getByRole('textbox', { name: 'HTML or MJML' }).fill('<p>{% if %}</p>');
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'the result of a test mail',
    path: '/admin/mail/settings',
    async act(page) {
      await page.getByLabel('To', { exact: true }).fill('me@example.org');
      await page.getByRole('button', { name: 'Send test' }).first().click();
      await page.getByText('Stored in the sandbox').waitFor();
    },
  },
  { name: 'no spam', path: '/admin/mail/spam', act: (page) => page.getByText('No spam').waitFor() },
  {
    name: 'a search for messages without a match',
    path: '/admin/messages',
    async act(page) {
      await page.getByRole('searchbox').fill('no such thing');
      await page.getByText('No messages match').waitFor();
      await page.getByRole('button', { name: 'More filters' }).click();
      await page.getByLabel('Recipient').waitFor();
    },
  },
  {
    name: 'an invitation',
    path: '/admin/people',
    async act(page) {
      await page.getByRole('button', { name: 'Invite person' }).click();
      await page.getByLabel('E-mail address').waitFor();
    },
  },
  {
    name: 'disabling a person',
    path: '/admin/people',
    async act(page) {
      await page.getByRole('button', { name: /^Actions for grace/ }).click();
      await page.getByRole('menuitem', { name: 'Disable' }).click();
      await dialog(page).getByRole('button', { name: 'Disable' }).waitFor();
    },
  },
  {
    name: 'a new token',
    path: '/account',
    async act(page) {
      await page.getByRole('button', { name: 'New token' }).click();
      await page.getByLabel('Name').waitFor();
    },
  },
  {
    name: 'a created token',
    path: '/account',
    async act(page) {
      await page.getByRole('button', { name: 'New token' }).click();
      await page.getByLabel('Name').fill('backup');
      await page.getByRole('button', { name: 'Create token' }).click();
      await page.getByTestId('Token').waitFor();
    },
  },
  {
    name: 'a quota',
    path: '/',
    async act(page) {
      await page.getByRole('button', { name: 'Quota of ada' }).click();
      await page.getByLabel('Quota in GiB').waitFor();
    },
  },
  {
    name: 'the navigation on a phone',
    path: '/',
    async act(page) {
      await page.setViewportSize({ width: 390, height: 860 });
      await page.getByRole('button', { name: 'Open menu' }).click();
      await page.getByRole('link', { name: 'Messages' }).waitFor();
    },
  },
  {
    name: 'the palette',
    path: '/',
    async act(page) {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Search pages, actions and files' }).waitFor();
    },
  },
  {
    name: 'a page that failed to load',
    path: '/',
    async act(page) {
      await page.route('**/api/admin/messages?*', (route) => route.abort());
      await page.getByRole('link', { name: 'Messages', exact: true }).click();
      await page.getByRole('button', { name: 'Try again' }).waitFor();
      await page.unroute('**/api/admin/messages?*');
    },
  },
  // The last one: the upload waits for the decision, and shows the question on every page.
  {
    name: 'a taken name',
    path: '/files',
    async act(page) {
      await page.getByTestId('files').setInputFiles(
        ['notes.txt', 'data.bin'].map((name) => ({
          name,
          mimeType: 'text/plain',
          buffer: Buffer.from('x'),
        })),
      );
      await dialog(page).getByText('changed').waitFor();
    },
  },
];

describe('accessibility of dialogs and states', () => {
  let discord: DiscordStandIn;
  let posthouse: Posthouse;
  let seat: Awaited<ReturnType<typeof openApp>>;
  beforeAll(async () => {
    discord = await startDiscord();
    posthouse = await startPosthouse({
      ...(await freshSettings('sqlite+local')),
      POSTHOUSE_DISCORD_API_URL: discord.url,
      POSTHOUSE_MAX_FILE_BYTES: '1000000',
    });
    const { settings } = posthouse;
    await addAdmin(settings, EMAIL);
    await addPerson(settings, 'grace@example.org');
    const { headers } = await addToken(settings, EMAIL);
    const files = filesOf(posthouse, headers);
    await files.newFolder('Folder');
    const notes = await files.upload('former notes', { name: 'notes.txt' });
    await files.replace(notes.id, 'some notes', 'notes.txt');
    const former = await files.upload('former', { name: 'former.txt' });
    await files.remove(former.id);
    await files.upload('gone', { name: 'gone.txt' });
    await files.upload(new Uint8Array([0, 1, 2, 255]), { name: 'data.bin' });
    await addMailClient(settings, 'shop', '--services', 'email,telegram');
    await addMailClient(
      settings,
      'site',
      '--services',
      'contact',
      '--contact-to',
      'a@example.org',
      '--origins',
      'https://example.org',
    );
    const rig = await addChatRig(settings, discord);
    await rig.addChannel();
    // The bot can see the channel, but not post to it.
    for (const role of rig.guild.roles) role.permissions = '0';
    seat = await openApp(posthouse, EMAIL, '/');
  });
  afterAll(async () => {
    await seat.leave();
    await discord.stop();
  });
  afterEach(() => seat.page.setViewportSize({ width: 1280, height: 860 }));

  test.each(PLACES)('$name', async ({ path, act }) => {
    const { page } = seat;
    await page.goto(path);
    await page.getByRole('heading').first().waitFor();
    await act(page);
    expect(await findViolations(page, TWO_LOOKS)).toEqual([]);
  });
});
