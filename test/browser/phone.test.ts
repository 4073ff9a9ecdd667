import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { freshSettings } from '../harness/backends.ts';
import { filesOf } from '../harness/files.ts';
import { addAdmin, addPerson, type Posthouse, startPosthouse } from '../harness/posthouse.ts';
import { until } from '../harness/until.ts';
import { openUpdatingProxy } from '../harness/updating-proxy.ts';
import { openApp } from '../harness/web.ts';

const EMAIL = 'ada@example.org';
const PHONE = { width: 390, height: 780, touch: true, serviceWorker: true };

let posthouse: Posthouse;
let files: ReturnType<typeof filesOf>;
beforeAll(async () => {
  posthouse = await startPosthouse(await freshSettings('sqlite+local'));
  // Without an administrator, the page for visitors is that of the set-up.
  await addAdmin(posthouse.settings, 'admin@example.org');
  files = filesOf(posthouse, (await addPerson(posthouse.settings, EMAIL)).headers);
});
afterAll(() => posthouse.stop());

/** Returns the paths that the service worker has stored, once the page itself is among them. */
const kept = (page: Page) =>
  until(async () => {
    const paths = await page.evaluate<string[]>(`(async () => {
      await navigator.serviceWorker.ready;
      const cache = await caches.open('app');
      return (await cache.keys()).map((request) => new URL(request.url).pathname);
    })()`);
    return paths.includes('/') && paths;
  });

describe('the app on a phone', () => {
  test('has a manifest with which Chromium installs it', async () => {
    const seat = await openApp(posthouse, EMAIL, '/', PHONE);
    const protocol = await seat.context.newCDPSession(seat.page);
    const { url, data, errors } = await protocol.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    const manifest = JSON.parse(data ?? '');
    expect(manifest).toMatchObject({ name: 'Posthouse', start_url: '/', display: 'standalone', lang: 'en' });
    const answer = await posthouse.fetch(new URL(url).pathname);
    expect(answer.headers.get('Content-Type')).toBe('application/manifest+json');
    const pictures = manifest.icons.filter(({ type }: { type: string }) => type === 'image/png');
    expect(pictures.map(({ purpose }: { purpose: string }) => purpose)).toEqual(['any', 'any', 'maskable']);
    for (const { src, sizes } of pictures) {
      const { width, height } = await sharp(await (await posthouse.fetch(src)).bytes()).metadata();
      expect(`${width}x${height}`).toBe(sizes);
    }
    const { installabilityErrors } = await protocol.send('Page.getInstallabilityErrors');
    // The windows of tests are private ones.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
    await seat.leave();
  });

  test('takes a picture with the camera, which other devices do not offer', async () => {
    for (const screen of [PHONE, { width: 1280 }]) {
      const seat = await openApp(posthouse, EMAIL, '/files', screen);
      await seat.page.getByRole('button', { name: 'Upload' }).click();
      await seat.page.getByRole('menuitem', { name: 'Upload files' }).waitFor();
      const camera = seat.page.getByRole('menuitem', { name: 'Take photo' });
      expect(await camera.count()).toBe(screen === PHONE ? 1 : 0);
      if (screen === PHONE) {
        const [chooser] = await Promise.all([seat.page.waitForEvent('filechooser'), camera.click()]);
        const input = chooser.element();
        expect(await input.getAttribute('accept')).toBe('image/*');
        expect(await input.getAttribute('capture')).toBe('environment');
        await chooser.setFiles([{ name: 'taken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('x') }]);
        await seat.page.getByRole('button', { name: 'taken.jpg', exact: true }).waitFor();
      }
      await seat.leave();
    }
  });
});

describe('without a connection', () => {
  const second = '/assets/main-second.js';
  const openProxy = () =>
    openUpdatingProxy(posthouse.url, {
      scripts: { [second]: '' },
      page: (html) => html.replaceAll(/\/assets\/main-\w+\.js/g, second),
    });

  test('the app opens and says so, and only its own files are kept', async () => {
    const shared = await files.change((await files.upload('shared')).id, { visibility: 1 });
    const proxy = await openProxy();
    const seat = await openApp({ ...posthouse, url: proxy.url }, EMAIL, '/files', PHONE);
    const { page } = seat;
    await kept(page);
    const link = `/public/file/${shared.uiToken}`;
    await page.goto(link);
    await page.goto('/account');
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
    expect((await kept(page)).filter((path) => !path.startsWith('/assets/'))).toEqual(['/']);

    proxy.stop();
    await page.goto('/files');
    await page.getByRole('heading', { name: 'No connection' }).waitFor();
    await page.getByText('Cannot reach the server. Check your connection, or try again later.').waitFor();
    const stranger = await seat.context.newPage();
    await expect(stranger.goto(link)).rejects.toThrow(/net::ERR_/);
    proxy.start();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'My files' }).waitFor();
    await seat.leave();
    await proxy.close();
  });

  test('an open app says so, and continues when the device is connected again', async () => {
    const folder = await files.newFolder('Unread');
    await files.upload('x', { name: 'inside.txt', folder });
    const seat = await openApp(posthouse, EMAIL, '/files', { ...PHONE, serviceWorker: false });
    const { page } = seat;
    await page.getByRole('link', { name: 'Unread', exact: true }).waitFor();
    await seat.context.setOffline(true);
    await page.getByRole('button', { name: 'New folder' }).click();
    await page.getByRole('textbox', { name: 'Folder name' }).fill('Later');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('This device is offline.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Unread', exact: true }).click();
    await page.getByText('Cannot reach the server. Trying again').waitFor();
    await seat.context.setOffline(false);
    await page.getByRole('button', { name: 'inside.txt', exact: true }).waitFor();
    await seat.leave();
  });

  test.each([
    ['/files', 390],
    ['/files', 320],
    ['/timeline', 390],
    ['/', 390],
    ['/files', 1280],
  ])('the notice of an outage covers nothing on %s, %d pixels wide', async (path, width) => {
    const seat = await openApp(posthouse, EMAIL, path, { ...PHONE, width, serviceWorker: false });
    const { page } = seat;
    await page.locator('h1').first().waitFor();
    const heightOf = () => page.evaluate<number>('document.scrollingElement.scrollHeight');
    const before = await heightOf();
    await page.route('**/api/**', (route) => route.abort());
    // The page reads its data again.
    await files.upload('x', { name: 'new.txt' });
    const notice = page.locator('.outage');
    await notice.waitFor();
    const covered = await notice.evaluate((outage) => {
      const [bar, heading, main] = ['header', 'h1', '.outage-place'].map((name) =>
        outage.ownerDocument.querySelector(name)?.getBoundingClientRect(),
      );
      const { top, bottom, width: across } = outage.getBoundingClientRect();
      const isTextInside = outage.scrollHeight <= outage.clientHeight;
      return {
        below: top - (bar?.bottom ?? 0),
        above: (heading?.top ?? 0) - bottom,
        isWhole: across === main?.width,
        isTextInside,
      };
    });
    expect(covered).toMatchObject({ below: 0, isWhole: true, isTextInside: true });
    expect(covered.above).toBeGreaterThan(0);
    if (path !== '/') expect(await heightOf()).toBe(before);
    await seat.leave();
  });

  test('the app is the version of the last update, which the first page after it shows already', async () => {
    const proxy = await openProxy();
    const seat = await openApp({ ...posthouse, url: proxy.url }, EMAIL, '/', PHONE);
    const { page } = seat;
    const first = await kept(page);
    const main = first.filter((path) => path.startsWith('/assets/main-') && path.endsWith('.js'));
    expect(main).toHaveLength(1);
    proxy.update();
    await page.reload();
    expect(await page.locator('script[type=module]').getAttribute('src')).toBe(second);
    await until(async () => !(await kept(page)).includes(main[0] ?? ''));
    expect(await kept(page)).toContain(second);
    proxy.stop();
    await page.goto('/files');
    expect(await page.locator('script[type=module]').getAttribute('src')).toBe(second);
    await seat.leave();
    await proxy.close();
  });
});

describe('navigations that the service worker leaves to the browser', () => {
  const worker = '/service-worker.js';

  /** Returns the state of the navigation preload, after `change`. */
  const preload = (page: Page, change = 'undefined') =>
    page.evaluate<{ enabled: boolean }>(`navigator.serviceWorker.ready.then(async (registration) => {
      await ${change};
      return await registration.navigationPreload.getState();
    })`);

  test('reach the server once', async () => {
    const shared = await files.change((await files.upload('shared')).id, { visibility: 1 });
    const proxy = await openUpdatingProxy(posthouse.url, { scripts: {}, page: (html) => html });
    const seat = await openApp({ ...posthouse, url: proxy.url }, EMAIL, '/account', PHONE);
    const { page } = seat;
    await kept(page);
    for (const path of [`/public/file/${shared.uiToken}`, '/login', '/docs']) {
      await page.goto(path);
      expect(`${path}: ${proxy.countOf(path)}`).toBe(`${path}: 1`);
    }
    await seat.leave();
    await proxy.close();
  });

  test('are not preloaded once an update has replaced the worker of an earlier version', async () => {
    const current = await (await posthouse.fetch(worker)).text();
    const proxy = await openUpdatingProxy(posthouse.url, {
      scripts: { [worker]: `${current}\n// updated` },
      page: (html) => html,
    });
    const seat = await openApp({ ...posthouse, url: proxy.url }, EMAIL, '/account', PHONE);
    const { page } = seat;
    await kept(page);
    expect(await preload(page, 'registration.navigationPreload.enable()')).toMatchObject({ enabled: true });
    proxy.update();
    await preload(page, 'registration.update()');
    await until(async () => !(await preload(page)).enabled);
    await seat.leave();
    await proxy.close();
  });
});

describe('files that another app shares', () => {
  const pictures = ['one.jpg', 'two.jpg'].map((name) => ({
    name,
    mimeType: 'image/jpeg',
    buffer: Buffer.from(`content of ${name}`),
  }));

  /** Sends files as a phone does: a form with the names of the manifest. */
  async function share(page: Page): Promise<void> {
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend',
      '<form method="post" action="/share" enctype="multipart/form-data"><input type="file" name="files" id="shared" multiple></form>')`);
    await page.locator('#shared').setInputFiles(pictures);
    await Promise.all([
      page.waitForEvent('load'),
      page.evaluate(`document.querySelector('form[action="/share"]').submit()`),
    ]);
  }

  test('are uploaded to the chosen folder, also after a sign-in', async () => {
    const folder = await files.newFolder('Holiday');
    const seat = await openApp(posthouse, EMAIL, '/account', PHONE);
    const { page, context } = seat;
    await kept(page);
    const cookies = await context.cookies();
    await context.clearCookies();
    await share(page);
    expect(new URL(page.url()).pathname).toBe('/share');
    expect(await page.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toContain('%2Fshare');
    await context.addCookies(cookies);
    await page.reload();
    await page.getByText('2 files').waitFor();
    await page.getByRole('button', { name: 'Holiday' }).click();
    await page.getByRole('button', { name: 'Upload to “Holiday”' }).dblclick();
    await page.getByText('2 uploaded').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/files/${folder}`);
    const stored = await files.read<{ originalName: string; sizeBytes: number }[]>(
      `/api/storage/files/${folder}`,
    );
    expect(stored.map(({ originalName }) => originalName).sort()).toEqual(['one.jpg', 'two.jpg']);
    await page.goto('/share');
    await page.getByText('Nothing to upload').waitFor();
    await seat.leave();
  });

  test('wait with those of the next share, and are removed one by one', async () => {
    const seat = await openApp(posthouse, EMAIL, '/account', PHONE);
    const { page } = seat;
    await kept(page);
    await share(page);
    await page.getByText('2 files').waitFor();
    await share(page);
    await page.getByText('4 files').waitFor();
    for (const left of ['3 files', '2 files']) {
      await page.getByRole('button', { name: 'Remove one.jpg' }).first().click();
      await page.getByText(left).waitFor();
    }
    await page.reload();
    await page.getByText('2 files').waitFor();
    expect(await page.getByText('two.jpg').count()).toBe(2);
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('heading', { name: 'My files' }).waitFor();
    await page.goto('/share');
    await page.getByText('Nothing to upload').waitFor();
    await seat.leave();
  });

  test('that the service worker of an earlier version stored as one record wait as well', async () => {
    const seat = await openApp(posthouse, EMAIL, '/account', PHONE);
    const { page } = seat;
    await kept(page);
    await share(page);
    await page.getByText('2 files').waitFor();
    await page.evaluate(`new Promise((stored) => {
      const files = ['three.txt', 'four.txt'].map((name) => new File(['x'], name));
      indexedDB.open('posthouse-shared', 1).onsuccess = ({ target }) => {
        const transaction = target.result.transaction('files', 'readwrite');
        transaction.objectStore('files').put(files, 'latest');
        transaction.oncomplete = stored;
      };
    })`);
    await page.reload();
    await page.getByText('4 files').waitFor();
    await page.getByRole('button', { name: 'Remove four.txt' }).click();
    await page.getByText('3 files').waitFor();
    await seat.leave();
  });

  test('without a service worker, the page says how to share', async () => {
    const seat = await openApp(posthouse, EMAIL, '/account');
    await share(seat.page);
    await seat.page.getByText('Nothing to upload').waitFor();
    await seat.leave();
  });
});
