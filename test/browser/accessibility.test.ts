import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { findViolations, LABELS_LOOK } from '../harness/accessibility.ts';
import { freshSettings } from '../harness/backends.ts';
import { addSandboxTarget, sendChat } from '../harness/chat.ts';
import { newVisitor } from '../harness/chromium.ts';
import { filesOf } from '../harness/files.ts';
import { addMailClient, post } from '../harness/mail.ts';
import { PAGES } from '../harness/pages.ts';
import { picture } from '../harness/pictures.ts';
import { addAdmin, addToken, type Posthouse, startPosthouse } from '../harness/posthouse.ts';
import { until } from '../harness/until.ts';
import { openApp } from '../harness/web.ts';

const EMAIL = 'ada@example.org';

/** The states of the app: the page, and how to get there. */
const PLACES: { name: string; path: string; act?: (page: Page) => Promise<void> }[] = [
  { name: 'home', path: '/' },
  {
    name: 'files',
    path: '/files',
    act: (page) => page.locator('.listing-rows .entry-name').first().waitFor(),
  },
  {
    name: 'tiles, some selected',
    path: '/files',
    async act(page) {
      await page.getByTitle('Grid').click();
      await page.locator('.tile input').first().click({ force: true });
      await page.getByRole('toolbar').waitFor();
    },
  },
  {
    name: 'the menu of a file',
    path: '/files',
    async act(page) {
      await page.getByRole('row').filter({ hasText: 'notes.txt' }).click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
    },
  },
  {
    name: 'sharing',
    path: '/files',
    async act(page) {
      await page.getByRole('row').filter({ hasText: 'view.png' }).click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Share and details' }).click();
      await page.getByRole('heading', { name: 'Who can access' }).waitFor();
    },
  },
  {
    name: 'preview',
    path: '/files',
    async act(page) {
      await page.getByRole('button', { name: 'notes.txt', exact: true }).click();
      await page.locator('.preview-text pre').waitFor();
    },
  },
  {
    name: 'uploads',
    path: '/files',
    async act(page) {
      await page
        .getByTestId('files')
        .setInputFiles([{ name: 'notes again.txt', mimeType: 'text/plain', buffer: Buffer.from('x') }]);
      await page.getByText('1 uploaded').waitFor();
    },
  },
  { name: 'trash', ...PAGES.trash },
  { name: 'chat', ...PAGES.chat },
  {
    name: 'a new chat client',
    path: '/admin/chat',
    async act(page) {
      await page.getByRole('button', { name: 'New client' }).click();
      await page.getByRole('dialog').getByLabel('Bot token').waitFor();
    },
  },
  { name: 'mail clients', ...PAGES.mailClients },
  {
    name: 'a mail client',
    path: '/admin/mail',
    async act(page) {
      await page.getByRole('button', { name: /^Edit/ }).first().click();
      await page.getByLabel('Allowed origins').waitFor();
      await page.getByLabel('Use a separate mail server').check();
    },
  },
  { name: 'mail templates', ...PAGES.mailTemplates },
  { name: 'the template editor', ...PAGES.templateEditor },
  { name: 'mail settings', ...PAGES.mailSettings },
  { name: 'mail spam', path: '/admin/mail/spam', act: (page) => page.getByText('Buy now').waitFor() },
  {
    name: 'messages',
    path: '/admin/messages',
    act: (page) => page.getByRole('button', { name: /^Show/ }).first().waitFor(),
  },
  {
    name: 'one message',
    path: '/admin/messages',
    async act(page) {
      await page.getByRole('button', { name: /^Show/ }).first().click();
      await page.getByText('Content (not sent)').waitFor();
    },
  },
  { name: 'people', path: '/admin/people', act: (page) => page.getByRole('listitem').first().waitFor() },
  { name: 'account', ...PAGES.account },
  {
    name: 'an unknown address',
    path: '/admin/nothing',
    act: (page) => page.getByRole('heading', { level: 1 }).waitFor(),
  },
];

let posthouse: Posthouse;
/** Tokens of share pages, the second one with a password. */
let shared: string;
let locked: string;
beforeAll(async () => {
  posthouse = await startPosthouse(await freshSettings('sqlite+local'));
  const { settings } = posthouse;
  await addAdmin(settings, EMAIL);
  const files = filesOf(posthouse, (await addToken(settings, EMAIL)).headers);
  await files.newFolder('Folder');
  await files.upload('some notes', { name: 'notes.txt' });
  await files.change((await files.upload(await picture('#4070a0'), { name: 'view.png' })).id, {
    visibility: 1,
    accessKey: true,
  });
  await files.remove((await files.upload('gone', { name: 'gone.txt' })).id);
  shared = (await files.change((await files.upload('shared', { name: 'shared.txt' })).id, { visibility: 1 }))
    .uiToken;
  const secret = await files.upload('locked', { name: 'locked.txt' });
  locked = (await files.change(secret.id, { visibility: 1, filePassword: 'open sesame' })).uiToken;
  const client = await addMailClient(
    settings,
    'site',
    '--services',
    'contact',
    '--contact-to',
    'team@example.org',
    '--origins',
    'https://example.org',
  );
  await post(posthouse, '/sendcontactusform', {
    ...client,
    Email: 'a@example.org',
    Message: 'Buy now',
    Website: 'https://spam.example',
  });
  const target = await addSandboxTarget(settings, 'builds');
  await sendChat(posthouse, { ...target, title: 'Build', message: 'All is green', level: 'success' });
});

describe('accessibility', () => {
  let seat: Awaited<ReturnType<typeof openApp>>;
  beforeAll(async () => {
    seat = await openApp(posthouse, EMAIL, '/');
  });
  afterAll(() => seat.leave());

  test.each(PLACES)('$name', async ({ path, act }) => {
    const { page } = seat;
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.evaluate("localStorage.removeItem('posthouse-files-view')");
    await page.goto(path);
    await page.getByRole('heading').first().waitFor();
    await act?.(page);
    expect(await findViolations(page)).toEqual([]);
  });

  test('in German, names of controls contain their visible texts', async () => {
    const german = await openApp(posthouse, EMAIL, '/', { locale: 'de-DE' });
    const { page } = german;
    const lists = ['/files/shared', '/timeline', '/admin/workspaces'];
    for (const path of new Set([...PLACES.map((place) => place.path), ...lists])) {
      await page.goto(path);
      await page.getByRole('heading').first().waitFor();
      await until(async () => (await page.getByRole('status', { name: 'Wird geladen' }).count()) === 0);
      expect([path, await findViolations(page, LABELS_LOOK)]).toEqual([path, []]);
    }
    await german.leave();
  });

  test.each([
    '/',
    '/files',
    '/admin/chat',
    '/admin/mail',
    '/admin/mail/templates/welcome',
    '/admin/messages',
    '/account',
  ])('%s: every control is reached by Tab and shows its focus', async (path) => {
    const { page } = seat;
    await page.goto(path);
    await page.getByRole('heading').first().waitFor();
    await page
      .getByRole('main')
      .getByRole('button')
      .or(page.getByRole('main').getByRole('link'))
      .first()
      .waitFor();
    const reached = new Set<string>();
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press('Tab');
      const { what, isSeen } = await page.evaluate<{ what: string; isSeen: boolean }>(FOCUS);
      expect([path, what, isSeen]).toEqual([path, what, true]);
      reached.add(what);
    }
    expect(reached.size).toBeGreaterThan(10);
  });

  test('pages for visitors: welcome, sign-in, shared file', async () => {
    const visitor = await newVisitor(posthouse.url);
    const page = await visitor.newPage();
    await page.goto('/');
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.locator('input[name=password]').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.locator('input[name=email]').fill(EMAIL);
    await page.locator('input[name=password]').fill('not the password');
    await Promise.all([page.waitForEvent('load'), page.getByRole('button').first().click()]);
    await page.getByRole('alert').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.goto(`/public/file/${shared}`);
    await page.getByRole('heading', { name: 'shared.txt' }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.goto(`/public/file/${locked}`);
    await page.locator('input[type=password]').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.goto('/public/file/nothing-like-this');
    await page.getByRole('heading').first().waitFor();
    expect(await findViolations(page)).toEqual([]);
    await visitor.close();
  });
});

/** Returns the focused element, and whether its look or that of its surroundings differs from the unfocused state. */
const FOCUS = `(() => {
  const element = document.activeElement;
  if (element === document.body || element.tagName === 'IFRAME') return { what: element.tagName, isSeen: true };
  const looks = () => [element, element.nextElementSibling, element.parentElement, element.parentElement?.parentElement]
    .filter(Boolean)
    .flatMap((near) => [getComputedStyle(near), getComputedStyle(near, '::after')])
    .map(({ outlineStyle, outlineWidth, boxShadow, borderColor, backgroundColor, top }) =>
      [outlineStyle, outlineStyle === 'none' ? '' : outlineWidth, boxShadow, borderColor, backgroundColor, top].join())
    .join(' | ');
  const focused = looks();
  element.blur();
  const blurred = looks();
  element.focus({ focusVisible: true });
  const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
  return { what: element.tagName + ' ' + (name || element.id), isSeen: focused !== blurred };
})()`;
