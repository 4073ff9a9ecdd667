import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { BrowserContext, Page } from 'playwright-core';
import { findViolations } from '../harness/accessibility.ts';
import { freshSettings } from '../harness/backends.ts';
import { newVisitor } from '../harness/chromium.ts';
import { copyFile } from '../harness/copy-file.ts';
import { filesOf } from '../harness/files.ts';
import { jsonOf } from '../harness/json.ts';
import { damaged, picture, renditionOf } from '../harness/pictures.ts';
import { addPerson, type Posthouse, startPosthouse } from '../harness/posthouse.ts';
import { until } from '../harness/until.ts';

const HOSTILE = `"><img src=x onerror="document.title='taken'"><script>document.title='taken';'.png`;
const ACCEPT_HTML = { Accept: 'text/html,*/*;q=0.8' };

interface Link {
  id: string;
  token: string;
}

/** An element of the page; the tests have no DOM types. */
interface Shown {
  naturalWidth: number;
  clientWidth: number;
  getBoundingClientRect(): { top: number; width: number; height: number };
}

describe('the page of a link', () => {
  let posthouse: Posthouse;
  let files: ReturnType<typeof filesOf>;
  let call: ReturnType<typeof jsonOf>;
  let album: { id: string; inner: string; shown: string[]; link: Link };
  beforeAll(async () => {
    const settings = await freshSettings('sqlite+local');
    posthouse = await startPosthouse(settings);
    const owner = await addPerson(settings, 'ann@example.org');
    files = filesOf(posthouse, owner.headers);
    call = jsonOf(posthouse, owner);
    const id = await newFolder('Album');
    const inner = await newFolder('<b>Inner', id);
    const shown: string[] = [];
    for (const [name, color, width, height] of [
      ['1.png', '#2f6f4f', 900, 600],
      [HOSTILE, '#7f3f2f', 600, 900],
      ['3.png', '#2f3f7f', 1600, 500],
    ] as const) {
      const made = await files.upload(await picture(color, { width, height }), { name, folder: id });
      await renditionOf(files, made.id, 'preview');
      shown.push(made.id);
    }
    await files.upload('words', { name: 'words.txt', folder: id });
    await files.upload('deep', { name: 'deep.txt', folder: inner });
    const { id: locked } = await files.upload('locked', { name: 'locked.txt', folder: id });
    await files.change(locked, { filePassword: 'secret' });
    const title = 'Our <i>summer</i>';
    album = { id, inner, shown, link: await newLink({ folderId: id, title, message: 'Two\nlines' }) };
  });
  afterAll(() => posthouse.stop());

  const newFolder = async (name: string, parentFolderId = 'root') =>
    (await call('POST', '/api/storage/folders', { name, parentFolderId })).body.id;
  const newLink = async (body: object) => (await call<Link>('POST', '/api/storage/links', body)).body;
  const pathOf = ({ token }: Link) => `/public/folder/${token}`;
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await posthouse.fetch(path, {
      headers: { ...ACCEPT_HTML, ...headers },
      redirect: 'manual',
    });
    return { answer, text: await answer.text() };
  };
  const post = (path: string, fields: Record<string, string>) =>
    posthouse.fetch(path, {
      method: 'POST',
      headers: ACCEPT_HTML,
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });

  test('shows title, message, folders, pictures and files, and how many are left out', async () => {
    const { answer, text } = await get(pathOf(album.link));
    expect([answer.status, answer.headers.get('X-Robots-Tag')]).toEqual([200, 'noindex']);
    for (const shown of [
      '<h1><bdi>Our &lt;i&gt;summer&lt;/i&gt;</bdi></h1>',
      'Two\nlines</p>',
      `<a href="${pathOf(album.link)}/${album.inner}">`,
      '&lt;b&gt;Inner',
      `src="${pathOf(album.link)}/thumbnail/${album.shown[0]}"`,
      'words.txt</bdi></a>',
      'One protected file is not shown.',
      `href="${pathOf(album.link)}/export" download`,
      '<meta property="og:title" content="Our &lt;i&gt;',
    ])
      expect(text).toContain(shown);
    expect(text).not.toMatch(/<i>|<b>|locked\.txt|onerror="/);
    const policy = answer.headers.get('Content-Security-Policy') ?? '';
    expect(policy).toStartWith("default-src 'none'; style-src 'sha256-");
    expect(policy).toMatch(/script-src 'sha256-[\w+/]{43}='(?:;|$)/);
    expect(policy).not.toMatch(/unsafe|\*|http/);
  });

  test('a subfolder shows the path from the shared folder, and nothing above it', async () => {
    const { text } = await get(`${pathOf(album.link)}/${album.inner.toUpperCase()}`);
    expect(text).toContain('<h1><bdi>&lt;b&gt;Inner</bdi></h1>');
    expect(text).toContain(`<li><a href="${pathOf(album.link)}"><bdi>Our &lt;i&gt;`);
    expect(text).toContain(`href="${pathOf(album.link)}/export/${album.inner}" download`);
    expect(text).not.toContain('Album');
    const below = await newLink({ folderId: album.inner });
    expect((await get(pathOf(below))).text).not.toContain('Album');
    for (const [place, status] of [
      [album.id, 404],
      [crypto.randomUUID(), 404],
      ['files', 405],
      ['x', 404],
    ] as const) {
      const { answer, text: refusal } = await get(`${pathOf(below)}/${place}`);
      expect([answer.status, refusal.includes('deep.txt')]).toEqual([status, false]);
    }
  });

  test('a locked link shows neither title nor names, and opens with its password', async () => {
    const link = await newLink({ folderId: album.id, title: 'Secret title', password: 'pass word' });
    const locked = await get(pathOf(link));
    expect(locked.answer.status).toBe(200);
    expect(locked.text).toContain('This link is protected');
    expect(locked.text).not.toMatch(/Secret title|1\.png|Album|words/);
    for (const place of [`/file/${album.shown[0]}`, '/export', `/thumbnail/${album.shown[0]}`])
      expect((await posthouse.fetch(pathOf(link) + place)).status).toBe(403);
    expect((await post(pathOf(link), { filePassword: 'wrong' })).status).toBe(403);
    const unlocked = await post(`${pathOf(link)}/${album.inner}`, { password: 'pass word' });
    expect([unlocked.status, unlocked.headers.get('Location')]).toEqual([
      303,
      `${pathOf(link)}/${album.inner}`,
    ]);
    const cookie = unlocked.headers.getSetCookie()[0] ?? '';
    expect(cookie).toMatch(new RegExp(`^posthouse-pass=[^;]+; Path=${pathOf(link)}; HttpOnly; SameSite=Lax`));
    const Cookie = cookie.split(';', 1)[0] ?? '';
    expect((await get(pathOf(link), { Cookie })).text).toContain('Secret title');
    expect((await get(`${pathOf(link)}/file/${album.shown[0]}`, { Cookie })).answer.status).toBe(200);
    const other = await newLink({ folderId: album.id, title: 'Another', password: 'pass word' });
    expect((await get(pathOf(other), { Cookie })).text).not.toContain('Another');
    await call('PATCH', `/api/storage/links/${link.id}`, { password: 'changed' });
    expect((await get(pathOf(link), { Cookie })).text).not.toContain('Secret title');
  });

  test('refusals are pages, and a link for uploads alone shows no files', async () => {
    const link = await newLink({ folderId: album.id, title: 'Send me', access: 'upload' });
    const { text } = await get(pathOf(link));
    expect([text.includes('Send me'), text.includes('words.txt')]).toEqual([true, false]);
    expect((await get(`${pathOf(link)}/${album.inner}`)).text).not.toContain('deep.txt');
    await call('PATCH', `/api/storage/links/${link.id}`, { expiresAt: '2020-01-01T00:00:00Z' });
    const expired = await get(pathOf(link));
    expect([expired.answer.status, expired.text.includes('has expired')]).toEqual([410, true]);
    const unknown = await get('/public/folder/unknown');
    expect([unknown.answer.status, unknown.text.includes('This link no longer works')]).toEqual([404, true]);
  });

  describe('in a browser', () => {
    let visitor: BrowserContext;
    let page: Page;
    const errors: string[] = [];
    beforeAll(async () => {
      visitor = await newVisitor(posthouse.url, { width: 390, height: 800 });
      page = await visitor.newPage();
      page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
      page.on('pageerror', (error) => void errors.push(String(error)));
    });
    afterAll(() => visitor.close());

    const open = async (path = pathOf(album.link)) => {
      await page.goto('about:blank');
      await page.goto(path);
    };
    const viewer = () => page.getByRole('dialog', { name: 'Pictures' });
    const counter = () => viewer().locator('.tools span').textContent();

    test('a visitor sends files with a form without script, and sees those of others where the link shows them', async () => {
      const inbox = (await call('POST', '/api/storage/folders', { name: 'Inbox' })).body.id;
      const link = await newLink({ folderId: inbox, title: 'Your photographs', access: 'both' });
      const plain = await newVisitor(posthouse.url, { javaScript: false });
      const page = await plain.newPage();
      await page.goto(pathOf(link));
      await page.getByLabel('Your name').fill('Eve');
      const photos = ['one', 'two'].map((name) => ({
        name: `${name}.txt`,
        mimeType: 'text/plain',
        buffer: Buffer.from(name),
      }));
      await page.getByLabel('Files', { exact: true }).setInputFiles(photos);
      await page.getByRole('button', { name: 'Send files' }).click();
      await page.getByRole('heading', { name: 'Thank you' }).waitFor();
      await page.getByRole('link', { name: 'Send more files' }).click();
      await page.getByRole('link', { name: 'one.txt', exact: true }).waitFor();
      await plain.close();
    });

    test('thumbnails fill rows on a phone, and none is cropped', async () => {
      await open();
      const images = page.getByRole('list', { name: 'Pictures' }).getByRole('img');
      const boxes = await images.evaluateAll((all) =>
        (all as unknown as Shown[]).map((image) => {
          const { top, width, height } = image.getBoundingClientRect();
          return { top, ratio: width / height };
        }),
      );
      const natural = [600 / 900, 900 / 600, 1600 / 500];
      for (const [index, ratio] of natural.entries())
        expect(Math.abs((boxes[index]?.ratio ?? 0) / ratio - 1)).toBeLessThan(0.06);
      const [portrait, landscape, panorama] = boxes.map(({ top }) => top);
      expect(landscape).toBe(portrait ?? 0);
      expect(panorama).toBeGreaterThan(landscape ?? 0);
    });

    test('pictures of all shapes are sharp in a wide window', async () => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await open();
      const images = page.getByRole('list', { name: 'Pictures' }).getByRole('img');
      const widths = () =>
        images.evaluateAll((all) =>
          (all as unknown as Shown[]).map(({ naturalWidth, clientWidth }) => ({ naturalWidth, clientWidth })),
        );
      await until(async () => (await widths()).every(({ naturalWidth }) => naturalWidth > 0));
      const isSharp = (await widths()).map(({ naturalWidth, clientWidth }) => naturalWidth >= clientWidth);
      expect(isSharp).toEqual([true, true, true]);
    });

    test('pictures are shown one by one, with keys, buttons and the browser’s back button', async () => {
      await open();
      await page.getByRole('list', { name: 'Pictures' }).getByRole('link').first().click();
      expect(await counter()).toBe('1 of 3');
      await page.keyboard.press('ArrowRight');
      expect([await counter(), await viewer().locator('figcaption').textContent()]).toEqual([
        '2 of 3',
        '1.png',
      ]);
      await page.keyboard.press('ArrowRight');
      expect(await viewer().locator('figcaption').textContent()).toBe('3.png');
      await viewer().getByRole('button', { name: 'Next picture' }).click();
      expect([await counter(), await viewer().locator('figcaption').textContent()]).toEqual([
        '1 of 3',
        HOSTILE,
      ]);
      await page.keyboard.press('End');
      expect(await counter()).toBe('3 of 3');
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        viewer().getByRole('link', { name: 'Download' }).click(),
      ]);
      expect(download.url()).toEndWith(`/file/${album.shown[2]}`);
      await page.goBack();
      expect([await viewer().isVisible(), new URL(page.url()).hash]).toEqual([false, '']);
      await page.goForward();
      await open(`${pathOf(album.link)}#${album.shown[0]}`);
      expect(await viewer().locator('figcaption').textContent()).toBe('1.png');
      await page.keyboard.press('Escape');
      await viewer().waitFor({ state: 'hidden' });
      expect([await page.title(), errors]).toEqual(['Our <i>summer</i> · Posthouse', []]);
    });

    test('a damaged picture is marked in the list and in the viewer, and can be downloaded', async () => {
      const folder = await newFolder('Damaged');
      const content = await damaged('garbled.jpg');
      const { id } = await files.upload(content, { name: 'garbled.jpg', folder });
      const copy = crypto.randomUUID();
      copyFile(posthouse.settings, id, 1, () => ({
        id: copy,
        original_name: 'failed.jpg',
        thumbnail_state: 'failed',
      }));
      await files.remove(id);
      const link = await newLink({ folderId: folder });
      await open(pathOf(link));
      const entry = page.getByRole('listitem').filter({ hasText: 'failed.jpg' });
      await entry.getByText('The picture cannot be shown. It may be damaged.').waitFor();
      await entry.getByRole('link', { name: 'failed.jpg', exact: true }).click();
      await viewer()
        .getByText('The picture cannot be shown. It may be damaged. You can download it.')
        .waitFor();
      expect([await counter(), await viewer().locator('img').isVisible()]).toEqual(['1 of 1', false]);
      expect(await findViolations(page)).toEqual([]);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        viewer().getByRole('link', { name: 'Download' }).click(),
      ]);
      expect([download.url().endsWith(`/file/${copy}`), download.suggestedFilename()]).toEqual([
        true,
        'failed.jpg',
      ]);
      expect(errors).toEqual([]);
      const plain = await newVisitor(posthouse.url, { javaScript: false, locale: 'de-DE' });
      const german = await plain.newPage();
      await german.goto(pathOf(link));
      await german.getByText('Das Bild kann nicht angezeigt werden. Es ist vielleicht beschädigt.').waitFor();
      const [saved] = await Promise.all([
        german.waitForEvent('download'),
        german.getByRole('link', { name: 'failed.jpg', exact: true }).click(),
      ]);
      expect(saved.suggestedFilename()).toBe('failed.jpg');
      await plain.close();
    });

    test('the viewer shows a picture that the server could not draw, but the browser can', async () => {
      const folder = await newFolder('Large');
      const { id } = await files.upload(await picture('#2f6f4f'), { name: 'large.png', folder });
      copyFile(posthouse.settings, id, 1, () => ({
        id: crypto.randomUUID(),
        original_name: 'failed.png',
        thumbnail_state: 'failed',
      }));
      await files.remove(id);
      await open(pathOf(await newLink({ folderId: folder })));
      await page.getByRole('link', { name: 'failed.png', exact: true }).click();
      await viewer().getByRole('img', { name: 'failed.png' }).waitFor();
      expect(await viewer().getByText('cannot be shown').isVisible()).toBe(false);
      expect(await page.getByRole('button', { name: 'Slide show' }).count()).toBe(1);
    });

    test('pictures follow a swipe, and a slide show until it is stopped', async () => {
      await page.clock.install();
      await open();
      await page.getByRole('button', { name: 'Slide show' }).click();
      const play = viewer().getByRole('button', { name: 'Slide show' });
      expect(await play.getAttribute('aria-pressed')).toBe('true');
      await page.clock.runFor(4000);
      expect(await counter()).toBe('2 of 3');
      await page.keyboard.press('Home');
      await page.clock.runFor(4000);
      expect([await counter(), await play.getAttribute('aria-pressed')]).toEqual(['1 of 3', 'false']);
      const swipe = async (from: number, to: number) => {
        await page.mouse.move(from, 400);
        await page.mouse.down();
        await page.mouse.move(to, 410, { steps: 4 });
        await page.mouse.up();
      };
      await swipe(300, 100);
      expect(await counter()).toBe('2 of 3');
      await swipe(100, 300);
      expect(await counter()).toBe('1 of 3');
    });

    test('has no serious accessibility faults, with the viewer open too', async () => {
      await open();
      expect(await findViolations(page)).toEqual([]);
      await page.getByRole('list', { name: 'Pictures' }).getByRole('link').first().click();
      expect(await findViolations(page)).toEqual([]);
      await open(pathOf(await newLink({ folderId: album.id, password: 'secret' })));
      expect(await findViolations(page)).toEqual([]);
    });

    test('works without script: password, folder, picture', async () => {
      const plain = await newVisitor(posthouse.url, { width: 390, javaScript: false });
      const link = await newLink({ folderId: album.id, password: 'pass word' });
      const view = await plain.newPage();
      await view.goto(pathOf(link));
      await view.getByLabel('Password').fill('pass word');
      await view.getByRole('button', { name: 'Open the link' }).click();
      await view.getByRole('link', { name: '<b>Inner' }).click();
      await view.getByRole('link', { name: 'deep.txt', exact: true }).waitFor();
      await view.getByRole('navigation').getByRole('link', { name: 'Album' }).click();
      await view.getByRole('list', { name: 'Pictures' }).getByRole('link', { name: '1.png' }).click();
      expect(view.url()).toContain(`/preview/${album.shown[0]}`);
      await plain.close();
    });
  });
});
