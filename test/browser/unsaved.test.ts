import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { freshSettings } from '../harness/backends.ts';
import { filesOf } from '../harness/files.ts';
import { jsonOf } from '../harness/json.ts';
import { addAdmin, addToken, type Posthouse, startPosthouse } from '../harness/posthouse.ts';
import { openApp } from '../harness/web.ts';

const EMAIL = 'ada@example.org';

let posthouse: Posthouse;
beforeAll(async () => {
  posthouse = await startPosthouse(await freshSettings('sqlite+local'));
  await addAdmin(posthouse.settings, EMAIL);
  const { headers } = await addToken(posthouse.settings, EMAIL);
  const files = filesOf(posthouse, headers);
  await files.upload('some notes', { name: 'notes.txt' });
  const folderId = await files.newFolder('Album');
  const call = jsonOf(posthouse, { headers });
  await call('POST', '/api/storage/links', { folderId });
  await call('POST', '/api/storage/workspaces', { name: 'Team' });
});
afterAll(() => posthouse.stop());

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();

interface Case {
  name: string;
  path: string;
  open(page: Page): Promise<unknown>;
  field(dialog: Locator): Locator;
}

const fromMenu = (entry: string, item: RegExp) => async (page: Page) => {
  await button(page, `Actions for ${entry}`).click();
  await page.getByRole('menuitem', { name: item }).click();
};
const fromButton = (name: string | RegExp) => (page: Page) => button(page, name).click();
const first = (dialog: Locator) => dialog.getByRole('textbox').first();

const DIALOGS: readonly Case[] = [
  { name: 'a new folder', path: '/files', open: fromButton('New folder'), field: first },
  {
    name: 'the limits of a file',
    path: '/files',
    open: fromMenu('notes.txt', /^Share/),
    field: (dialog) => dialog.getByLabel('Download limit'),
  },
  {
    name: 'the link to a folder',
    path: '/files',
    open: fromMenu('Album', /^Share/),
    field: (dialog) => dialog.getByLabel('Page title'),
  },
  { name: 'a token', path: '/account', open: fromButton('New token'), field: first },
  { name: 'an invitation', path: '/admin/people', open: fromButton('Invite person'), field: first },
  { name: 'a chat client', path: '/admin/chat', open: fromButton('New client'), field: first },
  { name: 'a mail client', path: '/admin/mail', open: fromButton('New client'), field: first },
  { name: 'managers', path: '/admin/workspaces', open: fromButton(/^Managers/), field: first },
];

describe('a dialog with unsaved input', () => {
  test.each(DIALOGS)('asks before it closes: $name', async ({ path, open, field }) => {
    const { page, leave } = await openApp(posthouse, EMAIL, path);
    const dialog = page.getByRole('dialog');
    await open(page);
    await field(dialog).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await open(page);
    await field(dialog).fill('7');
    const questions: string[] = [];
    let isDiscarded = false;
    page.on('dialog', (question) => {
      questions.push(question.message());
      void (isDiscarded ? question.accept() : question.dismiss());
    });
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    const closing = dialog.getByRole('button', { name: 'Close' }).first();
    await closing.click();
    expect(await field(dialog).inputValue()).toBe('7');
    isDiscarded = true;
    await closing.click();
    await dialog.waitFor({ state: 'detached' });
    expect(questions).toEqual(Array(4).fill('Discard unsaved changes?'));
    await leave();
  });

  test('stays open when a question above it is closed by Escape', async () => {
    const { page, leave } = await openApp(posthouse, EMAIL, '/admin/workspaces');
    await fromButton(/^Managers of Team/)(page);
    const dialog = page.getByRole('dialog', { name: /^Managers/ });
    await dialog.getByRole('textbox').fill('grace@example.org');
    await dialog.getByRole('button', { name: /^Remove/ }).click();
    const confirmation = page.getByRole('dialog', { name: /^Remove/ });
    await confirmation.waitFor();
    await page.keyboard.press('Escape');
    await confirmation.waitFor({ state: 'detached' });
    expect(await dialog.getByRole('textbox').inputValue()).toBe('grace@example.org');
    await leave();
  });
});
