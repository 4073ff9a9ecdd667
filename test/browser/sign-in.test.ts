import { expect, test } from 'bun:test';
import { freshSettings } from '../harness/backends.ts';
import { newVisitor } from '../harness/chromium.ts';
import { addPerson, startPosthouse } from '../harness/posthouse.ts';
import { twoAddresses } from '../harness/two-addresses.ts';
import { until } from '../harness/until.ts';

test('creates the first account and signs in, in a browser without script', async () => {
  const posthouse = await startPosthouse(await freshSettings('sqlite+local'));
  const link = new URL(/Create the administrator account: (\S+)/.exec(posthouse.output())?.[1] ?? '');
  const visitor = await newVisitor(link.origin, { width: 360, height: 640, javaScript: false });
  const page = await visitor.newPage();

  await page.goto(link.href);
  await page.getByLabel('E-mail address').fill('ada@example.org');
  await page.getByLabel('Password').fill('correct horse battery');
  await page.getByRole('button', { name: 'Create the account' }).click();
  await page.waitForURL(`${link.origin}/`);
  const cookies = await visitor.cookies();
  expect(cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite])).toEqual([
    ['posthouse', true, 'Lax'],
    ['posthouse-device', true, 'Lax'],
  ]);

  await visitor.clearCookies();
  await page.goto('/login?returnTo=/api/me');
  // No page is wider than a small phone screen.
  expect(
    await page
      .locator('main')
      .evaluate((main) => main.scrollWidth <= main.ownerDocument.documentElement.clientWidth),
  ).toBe(true);
  await page.getByLabel('E-mail address').fill('ada@example.org');
  await page.getByLabel('Password').fill('something else');
  await page.getByRole('button', { name: 'Sign in' }).click();
  expect(await page.getByRole('alert').textContent()).toContain('wrong');
  await page.getByLabel('Password').fill('correct horse battery');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${link.origin}/api/me`);
  expect(await page.textContent('body')).toContain('"role":"admin"');
  await posthouse.stop();
});

test('follows the sign-in from one public address to another and back', async () => {
  const { first, second, settings } = await twoAddresses();
  const posthouse = await startPosthouse(settings);
  await addPerson(settings, 'ada@example.org');
  const page = await (await newVisitor(second)).newPage();
  await page.goto('/login?returnTo=/api/me');
  expect(page.url()).toStartWith(`${first}/`);
  await page.getByLabel('E-mail address').fill('ada@example.org');
  await page.getByLabel('Password').fill('correct horse battery');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${second}/api/me`);
  await page.goto(`${first}/api/me`);
  expect(await page.textContent('body')).toContain('ada@example.org');
  await posthouse.stop();
});

test('signs in again while the service worker is active', async () => {
  const posthouse = await startPosthouse(await freshSettings('sqlite+local'));
  await addPerson(posthouse.settings, 'ada@example.org');
  const page = await (await newVisitor(posthouse.url, { serviceWorker: true })).newPage();
  const signIn = async () => {
    await page.getByLabel('E-mail address').fill('ada@example.org');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
  };
  await page.goto('/login?returnTo=/account');
  await signIn();
  await until(() => page.evaluate<boolean>('navigator.serviceWorker.controller !== null'));
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(`${posthouse.url}/`);
  await page.goto('/login?returnTo=/account');
  await signIn();
  await posthouse.stop();
});
