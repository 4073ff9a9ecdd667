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

/** Dialogs, notifications, empty states and error states by page and name: how to get there. */
const STATES: Record<string, Record<string, (page: Page) => Promise<unknown>>> = {
  '/files/trash': {
    'the trash with a selected entry': (page) =>
      page.getByRole('checkbox', { name: 'Select former.txt' }).click(),
    async 'emptying the trash'(page) {
      await page.getByRole('button', { name: 'Empty trash' }).click();
      await dialog(page).getByText('This cannot be undone.').waitFor();
    },
  },
  [`/files/${crypto.randomUUID()}`]: {
    'a missing folder': (page) => page.getByText('Folder not found').waitFor(),
  },
  '/admin/chat': {
    async 'the import of channels'(page) {
      await page.getByRole('button', { name: 'Import' }).click();
      await dialog(page).getByRole('checkbox').first().waitFor();
    },
    async 'a test without permission'(page) {
      await page.getByRole('button', { name: /^Test/ }).first().click();
      await dialog(page).getByText('The bot cannot post here').waitFor();
    },
    async 'the request for a channel'(page) {
      await page
        .getByRole('button', { name: /^Request for/ })
        .first()
        .click();
      await dialog(page).locator('.code-block').waitFor();
    },
    async 'a new server'(page) {
      await page.getByRole('button', { name: 'Add server' }).click();
      await dialog(page).getByLabel('Server ID (guild)').waitFor();
    },
    async 'the menu of a channel'(page) {
      await page
        .getByRole('button', { name: /^Actions for/ })
        .last()
        .click();
      await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
    },
  },
  '/admin/mail': {
    async 'the HTML of a contact form'(page) {
      await page.getByRole('button', { name: /^Form for/ }).click();
      await dialog(page).locator('.code-block').waitFor();
    },
    async 'the request of a mail client'(page) {
      await page.getByRole('button', { name: /^Request for/ }).click();
      await dialog(page).locator('.code-block').first().waitFor();
    },
    async 'the test of a mail client'(page) {
      await page.getByRole('button', { name: 'Actions for shop' }).click();
      await page.getByRole('menuitem', { name: 'Send test' }).click();
      await dialog(page).getByLabel('Chat').waitFor();
    },
    async 'the confirmation of a new secret'(page) {
      await openNewSecret(page);
      await dialog(page).getByRole('button', { name: 'New secret' }).waitFor();
    },
    async 'a new secret'(page) {
      await openNewSecret(page);
      await dialog(page).getByRole('button', { name: 'New secret' }).click();
      await page.getByTestId('ClientSecret').waitFor();
    },
  },
  '/admin/mail/templates/_new': {
    async 'a template with errors'(page) {
      await page.getByRole('textbox', { name: 'HTML or MJML' }).fill('<p>{% if %}</p>');
      await page.getByRole('alert').waitFor();
    },
  },
  '/admin/mail/settings': {
    async 'the result of a test mail'(page) {
      await page.getByLabel('To', { exact: true }).fill('me@example.org');
      await page.getByRole('button', { name: 'Send test' }).first().click();
      await page.getByText('Stored in the sandbox').waitFor();
    },
  },
  '/admin/mail/spam': {
    'no spam': (page) => page.getByText('No spam').waitFor(),
  },
  '/admin/messages': {
    async 'a search for messages without a match'(page) {
      await page.getByRole('searchbox').fill('no such thing');
      await page.getByText('No messages match').waitFor();
      await page.getByRole('button', { name: 'More filters' }).click();
      await page.getByLabel('Recipient').waitFor();
    },
  },
  '/admin/people': {
    async 'an invitation'(page) {
      await page.getByRole('button', { name: 'Invite person' }).click();
      await page.getByLabel('E-mail address').waitFor();
    },
    async 'disabling a person'(page) {
      await page.getByRole('button', { name: /^Actions for grace/ }).click();
      await page.getByRole('menuitem', { name: 'Disable' }).click();
      await dialog(page).getByRole('button', { name: 'Disable' }).waitFor();
    },
  },
  '/account': {
    async 'a new token'(page) {
      await page.getByRole('button', { name: 'New token' }).click();
      await page.getByLabel('Name').waitFor();
    },
    async 'a created token'(page) {
      await page.getByRole('button', { name: 'New token' }).click();
      await page.getByLabel('Name').fill('backup');
      await page.getByRole('button', { name: 'Create token' }).click();
      await page.getByTestId('Token').waitFor();
    },
  },
  '/': {
    async 'a quota'(page) {
      await page.getByRole('button', { name: 'Quota of ada' }).click();
      await page.getByLabel('Quota in GiB').waitFor();
    },
    async 'the navigation on a phone'(page) {
      await page.setViewportSize({ width: 390, height: 860 });
      await page.getByRole('button', { name: 'Open menu' }).click();
      await page.getByRole('link', { name: 'Messages' }).waitFor();
    },
    async 'the palette'(page) {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Search everything' }).waitFor();
    },
    async 'a page that failed to load'(page) {
      await page.route('**/api/admin/messages?*', (route) => route.abort());
      await page.getByRole('link', { name: 'Messages', exact: true }).click();
      await page.getByRole('button', { name: 'Try again' }).waitFor();
      await page.unroute('**/api/admin/messages?*');
    },
  },
  // The last page, since the upload in the last state waits for the decision, and shows the question on every page.
  '/files': {
    async 'a new folder'(page) {
      await page.getByRole('button', { name: 'New folder' }).click();
      await page.getByLabel('Folder name').waitFor();
    },
    async 'an invalid new name'(page) {
      await runAction(page, 'notes.txt', /^Rename/);
      await page.getByLabel('New name').fill('.');
      await page.getByRole('button', { name: 'Rename' }).click();
      await page.locator('[aria-invalid=true]').waitFor();
    },
    async moving(page) {
      await runAction(page, 'notes.txt', /^Move/);
      await dialog(page).getByRole('button', { name: 'Folder' }).waitFor();
    },
    async 'deleting a folder'(page) {
      await runAction(page, 'Folder', /^Delete/);
      await dialog(page).getByText('The folder is empty.').waitFor();
    },
    async 'a notification with undo'(page) {
      await runAction(page, 'gone', /^Delete/);
      await page.getByRole('button', { name: 'Undo' }).waitFor();
    },
    async 'the versions of a file'(page) {
      await runAction(page, 'notes.txt', /^Versions/);
      await dialog(page)
        .getByRole('button', { name: /^Delete version/ })
        .waitFor();
    },
    async 'a version'(page) {
      await runAction(page, 'notes.txt', /^Versions/);
      await dialog(page)
        .getByRole('button', { name: /^Preview version/ })
        .click();
      await page.getByText('former notes').waitFor();
    },
    async 'deleting a version'(page) {
      await runAction(page, 'notes.txt', /^Versions/);
      await dialog(page)
        .getByRole('button', { name: /^Delete version/ })
        .click();
      await page.getByRole('dialog', { name: 'Delete this version permanently?' }).waitFor();
    },
    async 'the upload menu'(page) {
      await page.getByRole('button', { name: 'Upload', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Upload folder' }).waitFor();
    },
    async 'an upload that failed'(page) {
      await page
        .getByTestId('files')
        .setInputFiles([{ name: 'large.bin', mimeType: 'text/plain', buffer: Buffer.alloc(2_000_000) }]);
      await page.getByText('1 file was not uploaded').waitFor();
    },
    async 'an empty folder'(page) {
      await fileRow(page, 'Folder').getByRole('link').click();
      await page.getByText('This folder is empty').waitFor();
    },
    async 'a search without a match'(page) {
      await page.getByRole('searchbox').fill('no such name');
      await page.getByText('No matches').waitFor();
    },
    async 'a file without preview'(page) {
      await page.getByRole('button', { name: 'data.bin', exact: true }).click();
      await page.getByText('No preview').waitFor();
    },
    async 'replacing all links'(page) {
      await runAction(page, 'notes.txt', /^Share/);
      await page.locator('label', { hasText: /^Public$/ }).click();
      await page.getByRole('button', { name: 'QR code of Page link' }).click();
      await page.getByRole('button', { name: 'Set password' }).click();
      await page.getByRole('button', { name: 'Replace all links' }).click();
      await page.getByRole('dialog', { name: /Replace/ }).waitFor();
    },
    async 'the sharing panel with its forms open'(page) {
      await runAction(page, 'notes.txt', /^Share/);
      await page.locator('label', { hasText: /^Public$/ }).click();
      await page.getByRole('button', { name: 'QR code of Page link' }).click();
      await page.getByRole('img', { name: /^QR code/ }).waitFor();
      await page.getByRole('button', { name: 'Set password' }).click();
      await page.getByLabel('New password').waitFor();
    },
    async 'a taken name'(page) {
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
};

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

  for (const [path, states] of Object.entries(STATES))
    test.each(Object.entries(states))('%s', async (_, act) => {
      const { page } = seat;
      await page.goto(path);
      await page.getByRole('heading').first().waitFor();
      await act(page);
      expect(await findViolations(page, TWO_LOOKS)).toEqual([]);
    });
});
