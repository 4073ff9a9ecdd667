import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { freshSettings } from '../harness/backends.ts';
import { newVisitor } from '../harness/chromium.ts';
import { filesOf } from '../harness/files.ts';
import { addAdmin, addPerson, type Posthouse, startPosthouse } from '../harness/posthouse.ts';
import { openApp } from '../harness/web.ts';

describe('the home page', () => {
  let posthouse: Posthouse;
  beforeAll(async () => {
    posthouse = await startPosthouse(await freshSettings('sqlite+local'));
  });
  afterAll(() => posthouse.stop());

  test('is shown after an error of another page', async () => {
    const { email } = await addPerson(posthouse.settings, 'eve@example.org');
    const seat = await openApp(posthouse, email, '/files');
    const { page } = seat;
    await page.route('**/api/storage/trash*', (route) => route.fulfill({ json: [null] }));
    await page.getByRole('link', { name: 'Trash' }).first().click();
    await page.getByText('Something went wrong').waitFor();
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await seat.leave();
  });

  test('shows the recent and shared files of a member', async () => {
    const ann = await addPerson(posthouse.settings, 'ann@example.org');
    const files = filesOf(posthouse, ann.headers);
    const made = [];
    for (let number = 0; number < 10; number++)
      made.push(await files.upload(`text ${number}`, { name: `file ${number}.txt` }));
    for (const { id } of made) await files.change(id, { visibility: 1 });
    const soon = new Date(Date.now() + 86_400_000).toISOString();
    await files.change(made[9]?.id ?? '', { expiresAt: soon, filePassword: 'secret' });

    const seat = await openApp(posthouse, 'ann@example.org', '/');
    const { page } = seat;
    const recent = page.getByRole('list', { name: 'Recent files' }).getByRole('listitem');
    await recent.first().getByText('file 9.txt').waitFor();
    expect(await recent.count()).toBe(8);
    const shared = page.getByRole('list', { name: 'Shared', exact: true }).getByRole('listitem');
    for (const mark of ['Public', 'Password', 'Expires soon'])
      await shared.first().getByText(mark, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await shared.nth(9).getByText('file 0.txt').waitFor();
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    await page.getByText(/ of 2 GiB/).waitFor();

    await recent.nth(1).getByRole('link', { name: 'file 8.txt' }).click();
    await page.getByRole('dialog').getByText('text 8').waitFor();
    await page.goBack();
    await shared.nth(1).getByRole('link', { name: 'file 8.txt' }).click();
    await page.getByRole('heading', { name: 'Who can access' }).waitFor();
    await seat.leave();
  });

  test('has the figures of the server in line on a phone, where a label has two lines', async () => {
    await addAdmin(posthouse.settings, 'admin@example.org');
    const seat = await openApp(posthouse, 'admin@example.org', '/', { width: 390, touch: true });
    const figures = seat.page.locator('.figure-value');
    await figures.nth(3).waitFor();
    const boxes = await Promise.all((await figures.all()).map((figure) => figure.boundingBox()));
    const [first, second, third, fourth] = boxes.map((box) => box?.y);
    expect([second, fourth]).toEqual([first, third]);
    expect(third).not.toBe(first);
    await seat.leave();
  });

  test('shows an administrator how many pictures are still to be rendered', async () => {
    await addAdmin(posthouse.settings, 'ada@example.org');
    const seat = await openApp(posthouse, 'ada@example.org', '/account');
    await seat.page.route('**/api/admin/overview', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), picturesPending: 12_345 } });
    });
    await seat.page.goto('/');
    await seat.page.getByText('12,345 pictures still to be rendered').waitFor();
    await seat.leave();
  });

  test('shows a new person the first steps', async () => {
    await addPerson(posthouse.settings, 'bob@example.org');
    const seat = await openApp(posthouse, 'bob@example.org', '/');
    const hint =
      'To create a link, choose “Share” in the menu of a folder or of several files, ' +
      'or “Share and details” in the menu of a file.';
    await seat.page.getByText(`You have not shared anything yet. ${hint}`).waitFor();
    const loads = await seat.page.evaluate<string[]>(
      `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/api/me')).map((one) => one.initiatorType)`,
    );
    // The app uses the response that the header field of the page requests.
    expect(loads).toEqual(['link']);
    await seat.page.getByRole('link', { name: 'Upload files' }).click();
    await seat.page.getByRole('heading', { name: 'My files' }).waitFor();
    await seat.leave();
  });

  test('shows visitors the welcome page, without policy violations or requests to other origins', async () => {
    const visitor = await newVisitor(posthouse.url);
    const page = await visitor.newPage();
    const faults: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(posthouse.url)) faults.push(request.url());
    });
    await page.goto('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(faults).toEqual([]);
    await visitor.close();
  });
});
