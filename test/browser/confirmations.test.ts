import { afterAll, beforeAll, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { freshSettings } from '../harness/backends.ts';
import { filesOf } from '../harness/files.ts';
import { jsonOf } from '../harness/json.ts';
import { type Posthouse, signInAdmin, startPosthouse } from '../harness/posthouse.ts';
import { openApp } from '../harness/web.ts';

const EMAIL = 'admin@example.org';

let posthouse: Posthouse;
beforeAll(async () => {
  posthouse = await startPosthouse(await freshSettings('sqlite+local'));
  const { headers } = await signInAdmin(posthouse);
  const files = filesOf(posthouse, headers);
  const { id } = await files.upload('first', { name: 'notes.txt' });
  await files.replace(id, 'second', 'notes.txt');
  await files.change(id, { visibility: 1 });
  await files.upload('x', { name: 'gone.txt' }).then((gone) => files.remove(gone.id));
  const template = { name: 'order', subject: 'Your order', html: null, text: 'Thank you.', sample: {} };
  await jsonOf(posthouse, { headers })('POST', '/api/admin/mail/templates', template);
});
afterAll(() => posthouse.stop());

interface Case {
  name: string;
  path: string;
  /** Opens the dialog that asks for confirmation. */
  ask(page: Page): Promise<void>;
  title: string;
}

const ofNotes = async (page: Page, action: RegExp) => {
  await page.getByRole('row').filter({ hasText: 'notes.txt' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: action }).click();
};

const CASES: readonly Case[] = [
  {
    name: 'the links of a file',
    path: '/files',
    async ask(page) {
      await ofNotes(page, /^Share and details/);
      await page.getByRole('button', { name: 'Replace all links' }).click();
    },
    title: 'Replace all links of this file?',
  },
  {
    name: 'a version',
    path: '/files',
    async ask(page) {
      await ofNotes(page, /^Versions/);
      await page.getByRole('button', { name: /^Delete version/ }).click();
    },
    title: 'Delete this version permanently?',
  },
  {
    name: 'the trash',
    path: '/files/trash',
    ask: (page) => page.getByRole('button', { name: 'Empty trash' }).click(),
    title: 'Delete everything in the trash permanently?',
  },
  {
    name: 'a template',
    path: '/admin/mail/templates/order',
    ask: (page) => page.getByRole('button', { name: 'Delete' }).click(),
    title: 'Delete template “order”?',
  },
];

test.each(CASES)('an action that failed can be confirmed again: $name', async ({ path, ask, title }) => {
  const { page, leave } = await openApp(posthouse, EMAIL, path);
  await ask(page);
  const dialog = page.getByRole('dialog', { name: title });
  const confirm = () => dialog.getByRole('button').last().click();
  await page.route('**/api/**', (route) =>
    route.request().method() === 'GET' ? route.continue() : route.abort(),
  );
  await confirm();
  await page.getByText('Something went wrong').waitFor();
  await page.unroute('**/api/**');
  await confirm();
  await dialog.waitFor({ state: 'detached' });
  await leave();
});
