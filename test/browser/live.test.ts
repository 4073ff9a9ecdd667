import { afterAll, expect, test } from 'bun:test';
import { freshSettings } from '../harness/backends.ts';
import { filesOf } from '../harness/files.ts';
import { addMailClient, post } from '../harness/mail.ts';
import { addAdmin, addPerson, startPosthouse } from '../harness/posthouse.ts';
import { until } from '../harness/until.ts';
import { openApp, type Seat } from '../harness/web.ts';

const posthouse = await startPosthouse(await freshSettings('sqlite+local'));
const { settings } = posthouse;
afterAll(() => posthouse.stop());

const openStreams = async () =>
  /^posthouse_event_streams (\d+)$/m.exec(await (await posthouse.fetch('/metrics')).text())?.[1];

/** Opens a second tab in the browser of a person. */
async function openTab({ context }: Seat, path: string) {
  const tab = await context.newPage();
  tab.setDefaultTimeout(15_000);
  await tab.goto(path);
  await tab.getByRole('navigation', { name: 'Pages' }).first().waitFor({ state: 'attached' });
  return tab;
}

test('a tab shows changes made in another, and both share a stream until the first closes', async () => {
  const person = await addPerson(settings, 'ada@example.org');
  const seat = await openApp(posthouse, person.email, '/files');
  const { page } = seat;
  await until(async () => (await openStreams()) === '1');
  const other = await openTab(seat, '/files');
  await other.getByRole('button', { name: 'New folder' }).click();
  await other.getByLabel('Folder name').fill('From the other tab');
  await other.getByRole('button', { name: 'Create' }).click();
  for (const tab of [other, page]) await tab.getByRole('row', { name: 'From the other tab' }).waitFor();
  expect(await openStreams()).toBe('1');

  // The other tab opens a stream when it gets the lock.
  const opened = other.waitForResponse((answer) => answer.url().endsWith('/api/events') && answer.ok());
  await page.close();
  await opened;
  const { upload } = filesOf(posthouse, person.headers);
  await upload('by a program', { name: 'from-a-program.txt' });
  await other.getByRole('row', { name: 'from-a-program.txt' }).waitFor();
  expect(await openStreams()).toBe('1');
  await seat.leave();
});

test('keys act on the same file after another one is added above it', async () => {
  const { email, headers } = await addPerson(settings, 'grace@example.org');
  const { upload } = filesOf(posthouse, headers);
  for (const name of ['b.txt', 'c.txt']) await upload('x', { name });
  const seat = await openApp(posthouse, email, '/files');
  const row = (name: string) => seat.page.getByRole('row', { name });
  await row('c.txt').waitFor();
  await until(async () => Number(await openStreams()) > 0);
  await seat.page.getByRole('grid').press('ArrowDown');
  await upload('x', { name: 'a.txt' });
  await row('a.txt').waitFor();
  await seat.page.keyboard.press('Delete');
  await seat.page.getByText('Deleted “b.txt”').waitFor();
  expect(await row('a.txt').count()).toBe(1);
  await seat.leave();
});

test('the page of messages shows new ones', async () => {
  await addAdmin(settings, 'admin@example.org');
  const client = await addMailClient(settings, 'app', '--services', 'email');
  const seat = await openApp(posthouse, 'admin@example.org', '/admin/messages');
  await seat.page.getByText('No messages yet').waitFor();
  await post(posthouse, '/requestemail', {
    ...client,
    To: 'a@example.org',
    Subject: 'Seen at once',
    Body: 'a',
  });
  await seat.page.getByText('Seen at once').first().waitFor();
  await seat.leave();
});

test('a tab shows the sign-out of another one', async () => {
  const { email } = await addPerson(settings, 'eve@example.org');
  const seat = await openApp(posthouse, email, '/files');
  const other = await openTab(seat, '/account');
  await other.getByRole('button', { name: 'Sign out', exact: true }).click();
  await seat.page.getByText('Your session has ended').waitFor();
  await seat.leave();
});
