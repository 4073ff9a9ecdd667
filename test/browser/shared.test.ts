import { afterAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { findViolations } from '../harness/accessibility.ts';
import { freshSettings } from '../harness/backends.ts';
import { newVisitor } from '../harness/chromium.ts';
import { filesOf } from '../harness/files.ts';
import { picture } from '../harness/pictures.ts';
import { addPerson, startPosthouse } from '../harness/posthouse.ts';
import { openApp } from '../harness/web.ts';

const posthouse = await startPosthouse(await freshSettings('sqlite+local'));
afterAll(() => posthouse.stop());

const PHONE = { width: 390, height: 844 };
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

/** A person with the web app open, who may read the clipboard. */
async function sharer(name: string) {
  const person = await addPerson(posthouse.settings, `${name}@example.org`);
  const files = filesOf(posthouse, person.headers);
  const open = async () => {
    const seat = await openApp(posthouse, person.email, '/files');
    await seat.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    return seat;
  };
  return { files, open };
}

test('300 photographs in 8 folders are shared with a stranger on a phone in three clicks', async () => {
  const { files, open } = await sharer('ada');
  const album = await files.newFolder('Launch');
  const bytes = await picture('teal', { width: 40, height: 30 });
  for (let number = 0; number < 8; number++) {
    const day = await files.newFolder(`Day ${number + 1}`, album);
    const count = number === 0 ? 300 - 7 * 37 : 37;
    await Promise.all(
      Array.from({ length: count }, (_, index) =>
        files.upload(bytes, { name: `photo ${index}.png`, folder: day }),
      ),
    );
  }
  const { page, leave } = await open();
  await row(page, 'Launch').click({ button: 'right' });
  await page.getByRole('menuitem', { name: /^Share/ }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByText('Link created and copied').waitFor();
  const link = await copied(page);

  const phone = await newVisitor(posthouse.url, PHONE);
  const gallery = await phone.newPage();
  await gallery.goto(link);
  await gallery.getByRole('heading', { name: 'Launch' }).waitFor();
  const days = gallery.getByRole('list', { name: 'Folders' }).getByRole('link');
  expect(await days.count()).toBe(8);
  await days.first().click();
  await gallery.getByRole('heading', { name: 'Day 1' }).waitFor();
  expect(await gallery.getByRole('list', { name: 'Pictures' }).getByRole('link').count()).toBe(41);
  await phone.close();
  await leave();
}, 120_000);

test('a link gets options, is listed with public files, and is revoked', async () => {
  const { files, open } = await sharer('eve');
  await files.upload('in the folder', { name: 'inside.txt', folder: await files.newFolder('Plans') });
  const chosen = [
    await files.upload('one', { name: 'one.txt' }),
    await files.upload('two', { name: 'two.txt' }),
  ];
  await files.change(chosen[0]?.id ?? '', { visibility: 1 });
  const { page, leave } = await open();
  const locationsHint = page.getByText('Pictures may contain camera data');
  await row(page, 'Plans').click({ button: 'right' });
  await page.getByRole('menuitem', { name: /^Share/ }).click();
  await locationsHint.waitFor();
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByLabel('Link', { exact: true }).waitFor();
  expect(await locationsHint.count()).toBe(1);
  await page.getByRole('dialog').getByText('Close', { exact: true }).waitFor();
  await page.getByText('7 days').click();
  await page.getByRole('dialog').getByText('Discard changes', { exact: true }).waitFor();
  await page.getByLabel('Password', { exact: true }).fill('open sesame');
  await page.getByRole('button', { name: 'Save options' }).click();
  await page.getByText('Options saved').waitFor();
  const link = await copied(page);
  expect(await (await fetch(link)).text()).not.toContain('inside.txt');

  await row(page, 'one.txt').click();
  await row(page, 'two.txt').click({ modifiers: ['Control'] });
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByLabel('Link', { exact: true }).waitFor();
  const ofFiles = await page.getByLabel('Link', { exact: true }).inputValue();
  expect(await (await fetch(ofFiles)).text()).toContain('two.txt');
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Shared', exact: true }).click();
  const shared = page.getByRole('list', { name: 'Shared', exact: true }).getByRole('listitem');
  await shared.nth(2).waitFor();
  expect(await shared.count()).toBe(3);
  const plans = shared.filter({ hasText: 'Plans' });
  await plans.getByText('Password', { exact: true }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await plans.getByRole('button', { name: 'Actions for Plans' }).click();
  await page.getByRole('menuitem', { name: 'Options' }).click();
  await page.getByRole('dialog').getByLabel('New password').waitFor();
  await page.route('**/api/storage/links/*', (route) => route.abort(), { times: 1 });
  await page.getByRole('button', { name: 'Remove password' }).click();
  await page.getByText('Something went wrong').waitFor();
  expect(await locationsHint.count()).toBe(1);
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await plans.getByRole('button', { name: 'Actions for Plans' }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('Link revoked').waitFor();
  await plans.waitFor({ state: 'detached' });
  expect((await fetch(link)).status).toBe(404);
  await leave();
});

test('an expired link has the time at which it expired', async () => {
  const { files, open } = await sharer('ann');
  const past = await files.upload('past', { name: 'past.txt' });
  const future = await files.upload('future', { name: 'future.txt' });
  await files.change(past.id, { visibility: 1, expiresAt: new Date(Date.now() - 1_860_000).toISOString() });
  await files.change(future.id, { visibility: 1, expiresAt: new Date(Date.now() + 5_500_000).toISOString() });
  const { page, leave } = await open();
  await page.goto('/files/shared');
  await page
    .getByRole('listitem')
    .filter({ hasText: 'past.txt' })
    .getByText('Expired 31 minutes ago')
    .waitFor();
  const end = page.getByRole('listitem').filter({ hasText: 'future.txt' });
  await end.getByText('Expires in 2 hours').waitFor();
  // The page does not have to load the link again.
  await page.clock.install({ time: Date.now() });
  await page.reload();
  await end.getByText('Expires in 2 hours').waitFor();
  await page.clock.runFor(7_200_000);
  await end.getByText('Expired 28 minutes ago').waitFor();
  await leave();
});

test('a file is shared with one button', async () => {
  const { files, open } = await sharer('bob');
  await files.upload('what is shared', { name: 'offer.txt' });
  const { page, leave } = await open();
  await row(page, 'offer.txt').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Share and details' }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByText('Link created and copied').waitFor();
  expect(await (await fetch(await copied(page))).text()).toContain('what is shared');
  await leave();
});

test('a link takes files after a warning, and another tab shows its changes at once', async () => {
  const { files, open } = await sharer('tom');
  await files.newFolder('Party');
  const { page, context, leave } = await open();
  const shared = await context.newPage();
  await shared.goto('/files/shared');
  shared.setDefaultTimeout(15_000);
  await shared.getByText('Nothing shared yet').waitFor();
  await row(page, 'Party').click({ button: 'right' });
  await page.getByRole('menuitem', { name: /^Share/ }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  const seen = shared.getByRole('listitem').filter({ hasText: 'Party' });
  await seen.getByText('View', { exact: true }).waitFor();
  const link = await page.getByLabel('Link', { exact: true }).inputValue();

  const choices = page.getByRole('radiogroup', { name: 'Visitors may' });
  await choices.getByText('Both').click();
  await page.getByText('Everyone with the link sees the files that visitors send.').waitFor();
  await page.getByLabel('Maximum number of files').fill('1');
  await page.getByLabel('Maximum size').fill('2');
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save options' }).click();
  await page.getByText('Options saved').waitFor();
  await seen.getByText('View and send files').waitFor();

  const form = new FormData();
  for (const name of ['one.txt', 'two.txt']) form.append('file', new Blob([name]), name);
  const answer = await fetch(`${link}/files`, { method: 'POST', body: form });
  const sent = (await answer.json()) as { files: { status: number }[] };
  expect(sent.files.map(({ status }) => status)).toEqual([201, 410]);
  await seen.getByText('1 file received').waitFor();

  await page.setViewportSize({ width: 1280, height: 860 });
  await row(page, 'Party').click({ button: 'right' });
  await page.getByRole('menuitem', { name: /^Share/ }).click();
  expect(await page.getByLabel('Maximum number of files').inputValue()).toBe('1');
  expect(await page.getByLabel('Maximum size').inputValue()).toBe('2 MiB');
  await choices.getByText('Send files').click();
  await page.getByRole('button', { name: 'Save options' }).click();
  await seen.getByText('Send files', { exact: true }).waitFor();
  await leave();
});
