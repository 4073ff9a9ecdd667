import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { freshSettings } from '../harness/backends.ts';
import { bordersOn } from '../harness/borders.ts';
import { newVisitor } from '../harness/chromium.ts';
import { copyFile } from '../harness/copy-file.ts';
import { filesOf } from '../harness/files.ts';
import { jsonOf } from '../harness/json.ts';
import { addMailClient } from '../harness/mail.ts';
import { overflowsOn, smallTargetsOn } from '../harness/narrow.ts';
import { picture } from '../harness/pictures.ts';
import {
  addAdmin,
  addPerson,
  addToken,
  openSession,
  type Posthouse,
  startPosthouse,
} from '../harness/posthouse.ts';
import { openApp } from '../harness/web.ts';

/*
 * The pages in German, whose words are longer, on the touch screens of phones. The tests of accessibility look at the
 * dialogs of all pages in English at the same widths.
 */

const PHONE = { width: 390, height: 780, touch: true, locale: 'de-DE' };
const ADMIN = 'admin@example.org';
const MEMBER = 'ada-with-a-long-address@subdomain.of.a.company.example.org';
const LONG_NAME = `Ein_langer_Name_ohne_Leerzeichen_${'x'.repeat(60)}.png`;

const LONG_FOLDER = 'Unterlagen der Donaudampfschifffahrtsgesellschaft aus dem Jahr 2026';

let posthouse: Posthouse;
let strangers: string[];
beforeAll(async () => {
  const settings = { ...(await freshSettings('sqlite+local')), POSTHOUSE_WORKSPACE_CREATORS: 'everyone' };
  posthouse = await startPosthouse(settings);
  await addAdmin(settings, ADMIN);
  const admin = await addToken(settings, ADMIN);
  const member = await addPerson(settings, MEMBER);
  for (const { headers } of [admin, member]) await fill(headers);
  strangers = await shareWithStrangers(member.headers);
});
afterAll(() => posthouse.stop());

async function fill(headers: Record<string, string>): Promise<void> {
  const files = filesOf(posthouse, headers);
  await files.upload(await picture('#4070a0'), { name: LONG_NAME });
  const folder = await files.newFolder('Ein Ordner');
  await files.upload('notes', { name: 'notes.txt', folder });
  await files.newFolder(LONG_FOLDER, folder);
  const { id } = await files.upload('x'.repeat(12_345), { name: 'Zahlen.txt' });
  await files.change(id, { visibility: 1, filePassword: 'x y z', accessKey: true });
  // Its time is a date, which is longer than “now”.
  const old = { original_name: 'Alt.txt', date_created: Date.now() - 40 * 86_400_000 };
  copyFile(posthouse.settings, id, 1, () => old);
  await files.remove((await files.upload('gone', { name: `gone ${LONG_NAME}` })).id);
}

/** Returns the addresses of pages for visitors. */
async function shareWithStrangers(headers: Record<string, string>): Promise<string[]> {
  const files = filesOf(posthouse, headers);
  const call = jsonOf(posthouse, { headers });
  const link = async (body: object) =>
    `/public/folder/${(await call<{ token: string }>('POST', '/api/storage/links', body)).body.token}`;
  const folderId = await files.newFolder('Album');
  const shown = await files.upload(await picture('#70a040'), { name: LONG_NAME, folder: folderId });
  await files.upload('words', { name: LONG_NAME.replace('png', 'txt'), folder: folderId });
  const open = await files.change(shown.id, { visibility: 1 });
  const locked = await files.change((await files.upload('locked')).id, {
    visibility: 1,
    filePassword: 'x y z',
  });
  return [
    `/public/file/${open.uiToken}`,
    `/public/file/${locked.uiToken}`,
    await link({ folderId, title: 'Donaudampfschifffahrtsgesellschaftskapitänstreffen' }),
    await link({ folderId, password: 'x y z' }),
    await link({ folderId, access: 'upload' }),
    '/public/file/nothing-like-this',
    '/',
    '/login?returnTo=/',
    '/docs',
    '/docs/mail',
    '/docs/errors',
    '/nothing-here',
  ];
}

async function faultsOf(page: Page, widths?: number[]): Promise<string[]> {
  await page.getByRole('heading').first().waitFor();
  await page.locator('.mantine-Skeleton-root, .mantine-Loader-root').first().waitFor({ state: 'detached' });
  return [...(await overflowsOn(page, widths)), ...(await smallTargetsOn(page))];
}

describe('on a phone, nothing scrolls sideways, and the targets fit a thumb', () => {
  const pages = ['/', '/files', '/files/shared', '/files/trash', '/timeline', '/share', '/account'];
  const admin = ['chat', 'mail', 'mail/templates', 'mail/templates/welcome', 'mail/settings', 'mail/spam'];
  test.each([
    [MEMBER, pages],
    [ADMIN, [...pages, ...[...admin, 'messages', 'people', 'workspaces'].map((name) => `/admin/${name}`)]],
  ])('pages of %s', async (email, paths) => {
    const seat = await openApp(posthouse, email, '/', PHONE);
    const faults: Record<string, string[]> = {};
    for (const path of paths) {
      await seat.page.goto(path);
      const found = await faultsOf(seat.page);
      if (found.length > 0) faults[path] = found;
    }
    expect(faults).toEqual({});
    await seat.leave();
  });

  test('the menu of a chat client is next to its name', async () => {
    const { cookie } = await openSession(posthouse, ADMIN);
    await jsonOf(posthouse, { headers: { Cookie: cookie } })('POST', '/api/admin/chat/clients', {
      name: 'builds',
    });
    const seat = await openApp(posthouse, ADMIN, '/admin/chat', PHONE);
    const panel = await seat.page.locator('.panel').boundingBox();
    const menu = await seat.page.getByRole('button', { name: 'Aktionen für builds' }).boundingBox();
    const right = (panel?.x ?? 0) + (panel?.width ?? 0);
    expect(right - ((menu?.x ?? 0) + (menu?.width ?? 0))).toBeLessThan(10);
    expect((menu?.y ?? 0) - (panel?.y ?? 0)).toBeLessThan(10);
    await seat.leave();
  });

  // WCAG 2.2, 1.4.11
  test.each([
    { dark: false, width: 390 },
    { dark: true, width: 390 },
    { dark: false, width: 1280 },
    { dark: true, width: 1280 },
  ])('the borders of checkboxes and fields contrast with the page: %p', async (screen) => {
    const seat = await openApp(posthouse, ADMIN, '/', { ...PHONE, ...screen });
    const { page } = seat;
    const low: string[] = [];
    const look = async (kinds: readonly string[]) => {
      const found = await bordersOn(page);
      expect(kinds.filter((kind) => !found.some((field) => field.kind === kind))).toEqual([]);
      low.push(...found.filter(({ contrast }) => contrast < 3).map((field) => JSON.stringify(field)));
    };
    await page.goto('/files/trash');
    await page.getByRole('checkbox').nth(1).waitFor();
    await look(['checkbox']);
    await page.goto('/account');
    await page.getByRole('combobox').first().waitFor();
    await page.locator('input[type=password]').first().waitFor();
    await look(['password', 'select-one']);
    await page.goto('/admin/messages');
    await page.getByRole('button', { name: 'Weitere Filter' }).click();
    await page.getByLabel('Angenommen seit').waitFor();
    await look(['datetime-local', 'select-one']);
    await page.goto('/admin/mail');
    await page.getByRole('button', { name: 'Neuer Client' }).click();
    await page.getByRole('dialog').getByRole('textbox').first().waitFor();
    await look(['text', 'textarea', 'checkbox']);
    expect(low).toEqual([]);
    await seat.leave();
  });

  test.each([false, true])('a field shows its focus by a ring as well, in dark colors: %p', async (dark) => {
    const seat = await openApp(posthouse, ADMIN, '/account', { ...PHONE, dark });
    const field = seat.page.locator('.mantine-Input-input').first();
    await field.waitFor();
    const shadow = () =>
      seat.page.evaluate<string>(
        "getComputedStyle(document.querySelector('.mantine-Input-input')).boxShadow",
      );
    expect(await shadow()).toBe('none');
    await field.focus();
    expect(await shadow()).toContain('0px 0px 0px 1px');
    await seat.leave();
  });

  test('size and date of a file are next to the signs that it is shared', async () => {
    const seat = await openApp(posthouse, MEMBER, '/files', { ...PHONE, width: 320 });
    const row = seat.page.getByRole('row').filter({ hasText: 'Alt.txt' });
    await row.waitFor();
    const facts = await Promise.all(
      (await row.locator('.cell-facts > *').all()).map((one) => one.boundingBox()),
    );
    const ends = facts.flatMap((box) => (box ? [box.x + box.width] : []));
    const signs = await row.locator('.sharing-badges').boundingBox();
    expect(Math.max(...ends)).toBeGreaterThan(0);
    expect(Math.max(...ends)).toBeLessThanOrEqual(signs?.x ?? 0);
    expect(await row.locator('.entry-name').textContent()).toBe('Alt.txt');
    const badges = await row.getByRole('img').all();
    const tops = await Promise.all(badges.map(async (badge) => (await badge.boundingBox())?.y));
    expect([tops.length, new Set(tops).size]).toEqual([3, 1]);
    await seat.leave();
  });

  test('the button that adds a member does not break its word', async () => {
    const { headers } = await addToken(posthouse.settings, ADMIN);
    const { body } = await jsonOf(posthouse, { headers })<{ rootFolderId: string }>(
      'POST',
      '/api/storage/workspaces',
      { name: 'Verwaltung' },
    );
    const seat = await openApp(posthouse, ADMIN, `/files/${body.rootFolderId}`, { ...PHONE, width: 360 });
    await seat.page.getByRole('button', { name: /^Arbeitsbereich/ }).click();
    await seat.page.getByRole('menuitem', { name: 'Mitglieder' }).click();
    const label = await seat.page.locator('.mantine-Button-label', { hasText: 'Hinzufügen' }).boundingBox();
    expect(label?.height).toBeLessThan(30);
    await seat.leave();
  });

  test('rows are as large as the text size of the browser', async () => {
    const seat = await openApp(posthouse, ADMIN, '/admin/people', { width: 1280, locale: 'de-DE' });
    await seat.page.locator('.row-title').first().waitFor();
    const size = () =>
      seat.page.evaluate<string>("getComputedStyle(document.querySelector('.row-title')).fontSize");
    expect(await size()).toBe('14px');
    await seat.page.evaluate("document.documentElement.style.fontSize = '200%'");
    expect(await size()).toBe('28px');
    await seat.leave();
  });

  test('the form for a website fits its dialog', async () => {
    const shop = ['--services', 'contact', '--contact-to', ADMIN, '--origins', 'https://example.org'];
    await addMailClient(posthouse.settings, 'shop', ...shop);
    const seat = await openApp(posthouse, ADMIN, '/admin/mail', { ...PHONE, width: 320 });
    await seat.page.getByRole('button', { name: /^Formular/ }).click();
    await seat.page.getByRole('button', { name: 'Neues Geheimnis erzeugen und einsetzen' }).waitFor();
    expect(await faultsOf(seat.page, [320])).toEqual([]);
    await seat.leave();
  });

  test('pages for visitors', async () => {
    const context = await newVisitor(posthouse.url, PHONE);
    const page = await context.newPage();
    const faults: Record<string, string[]> = {};
    for (const path of strangers) {
      await page.goto(path);
      const found = await faultsOf(page);
      if (found.length > 0) faults[path] = found;
    }
    expect(faults).toEqual({});
    await context.close();
  });

  test.each<[string, (page: Page) => Promise<unknown>]>([
    ['navigation', (page) => page.getByRole('button', { name: 'Menü öffnen' }).click()],
    ['upload menu', (page) => page.getByRole('button', { name: 'Hochladen' }).click()],
    ['new folder', (page) => page.getByRole('button', { name: 'Neuer Ordner' }).click()],
    ['actions of a file', (page) => page.getByRole('button', { name: `Aktionen für ${LONG_NAME}` }).click()],
    ['selection', (page) => page.getByRole('checkbox', { name: `${LONG_NAME} auswählen` }).click()],
    [
      'moving into a folder with a long name',
      async (page) => {
        await page.getByRole('button', { name: 'Aktionen für Zahlen.txt' }).click();
        await page.getByRole('menuitem', { name: 'Verschieben' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByText('Ein Ordner').click();
        await dialog.getByText(LONG_FOLDER).click();
        await dialog.getByRole('button', { name: `Nach „${LONG_FOLDER}“ verschieben` }).waitFor();
      },
    ],
    [
      'sharing',
      async (page) => {
        await page.getByRole('button', { name: `Aktionen für ${LONG_NAME}` }).click();
        await page.getByRole('menuitem', { name: 'Teilen und Details' }).click();
        await page.getByRole('heading', { name: 'Wer hat Zugriff' }).waitFor();
      },
    ],
    [
      'sharing a folder',
      async (page) => {
        await page.getByRole('button', { name: 'Aktionen für Ein Ordner' }).click();
        await page.getByRole('menuitem', { name: 'Teilen' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Link erstellen' }).click();
        await page.getByRole('dialog').getByText('Beides').waitFor();
      },
    ],
    [
      'preview',
      async (page) => {
        // Next to the name, whose target is the whole cell.
        const row = page.getByRole('row').filter({ hasText: LONG_NAME });
        const box = await row.locator('.cell-picture').boundingBox();
        await page.touchscreen.tap((box?.x ?? 0) + 5, (box?.y ?? 0) + 5);
        await page.locator('.picture').first().waitFor();
      },
    ],
  ])('files: %s', async (_, act) => {
    const seat = await openApp(posthouse, MEMBER, '/files', { ...PHONE, width: 320 });
    await seat.page.getByRole('button', { name: LONG_NAME, exact: true }).waitFor();
    await act(seat.page);
    expect(await faultsOf(seat.page, [320])).toEqual([]);
    await seat.leave();
  });
});
