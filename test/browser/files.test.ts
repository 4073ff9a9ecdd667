import { describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileChooser } from 'playwright-core';
import { freshDirectory } from '../harness/backends.ts';
import { copyFile } from '../harness/copy-file.ts';
import { filesApp } from '../harness/files-app.ts';
import { picture } from '../harness/pictures.ts';
import { until } from '../harness/until.ts';
import { wav } from '../harness/wav.ts';
import { dropFromDesktop } from '../harness/web.ts';

describe('files in the web app', () => {
  const { files, open, person, posthouse, seat } = filesApp('/files');
  const names = async (folder = 'root') =>
    (await files.read<{ originalName: string }[]>(`/api/storage/files/${folder}`)).map(
      ({ originalName }) => originalName,
    );
  /** Returns the ID of a folder at the root; '' = none. */
  const folderNamed = async (wanted: string) => {
    const { folders } = await files.read<{ folders: { id: string; name: string }[] }>(
      '/api/storage/folders/root',
    );
    return folders.find(({ name }) => name === wanted)?.id ?? '';
  };
  const row = (name: string) =>
    seat.page.getByRole('row').filter({ has: seat.page.getByText(name, { exact: true }) });
  const listed = () => seat.page.locator('.listing-rows .entry-name').allTextContents();

  /** Whether all actions on the selection are visible. */
  const isToolbarWhole = () =>
    seat.page.evaluate<boolean>(
      '((bar) => bar.scrollWidth <= bar.clientWidth)(document.querySelector("[role=toolbar]"))',
    );

  test('an empty folder shows a hint, and uploads picked files', async () => {
    const page = await open();
    await page.getByText('This folder is empty').waitFor();
    await page.getByTestId('files').setInputFiles([
      { name: 'first.txt', mimeType: 'text/plain', buffer: Buffer.from('one') },
      { name: 'zweite Datei – größer.txt', mimeType: 'text/plain', buffer: Buffer.from('two') },
    ]);
    await page.getByText('2 uploaded').waitFor();
    await row('zweite Datei – größer.txt').waitFor();
    expect(await names()).toEqual(['first.txt', 'zweite Datei – größer.txt']);
  });

  test('a folder is requested while the scripts of the page are loaded', async () => {
    await files.upload('text', { name: 'file.txt' });
    const page = await open('/account');
    const expected = new Set(['/workspaces', '/folders/', '/files/']);
    const requested = Promise.withResolvers<void>();
    page.on('request', (request) => {
      for (const part of expected) if (request.url().includes(`/api/storage${part}`)) expected.delete(part);
      if (expected.size === 0) requested.resolve();
    });
    await page.route('**/assets/*.js', async (route) => {
      const answer = await route.fetch();
      if ((await answer.text()).includes('files-main')) await requested.promise;
      await route.fulfill({ response: answer });
    });
    await page.goto('/files');
    await row('file.txt').waitFor();
  });

  test('a dropped folder is uploaded with its files and empty folders', async () => {
    const desktop = join(freshDirectory(), 'Trip');
    mkdirSync(join(desktop, 'Day 1', 'Evening'), { recursive: true });
    mkdirSync(join(desktop, 'Nothing yet'));
    writeFileSync(join(desktop, 'plan.txt'), 'the plan');
    writeFileSync(join(desktop, 'Day 1', 'notes.txt'), 'sunny');
    for (let index = 0; index < 120; index++)
      writeFileSync(join(desktop, 'Day 1', 'Evening', `${index}.txt`), String(index));
    const page = await open();
    await page.getByText('This folder is empty').waitFor();
    await dropFromDesktop(page, '.files-main', [desktop]);
    await page.getByText('122 uploaded').waitFor();
    await page.getByRole('link', { name: 'Trip' }).last().click();
    await row('plan.txt').waitFor();
    expect(await listed()).toEqual(['Day 1', 'Nothing yet', 'plan.txt']);
    await row('Day 1').getByRole('link').click();
    await row('Evening').getByRole('link').click();
    await row('0.txt').waitFor();
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('121');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Evening');
    await page.getByRole('navigation', { name: 'Folder path' }).getByRole('link', { name: 'Day 1' }).click();
    await row('notes.txt').waitFor();
  });

  test('a folder that was renamed or deleted is uploaded again under its name', async () => {
    const desktop = join(freshDirectory(), 'Trip');
    mkdirSync(desktop);
    for (const name of ['plan.txt', 'notes.txt']) writeFileSync(join(desktop, name), name);
    const page = await open();
    const trip = () => folderNamed('Trip');
    const upload = async () => {
      await page.getByTestId('folder').setInputFiles(desktop);
      await until(async () => (await trip()) !== '' && (await names(await trip())).length === 2);
      await page.getByText('2 uploaded').waitFor();
    };
    await upload();
    const first = await trip();
    await row('Trip').click({ button: 'right' });
    await page.getByRole('menuitem', { name: /^Rename/ }).click();
    await page.getByLabel('New name').fill('Trip 2025');
    await page.getByRole('button', { name: 'Rename' }).click();
    await row('Trip 2025').waitFor();
    await upload();
    expect(await names(first)).toHaveLength(2);
    await files.removeFolder(await trip());
    await upload();
  });

  test('a folder that is deleted during its upload is created again by a retry', async () => {
    const desktop = join(freshDirectory(), 'Trip');
    mkdirSync(join(desktop, 'Day 1'), { recursive: true });
    writeFileSync(join(desktop, 'Day 1', 'plan.txt'), 'the plan');
    const page = await open();
    let isDeleted = false;
    await page.route('**/api/storage/files/*', async (route) => {
      const isUpload = route.request().method() === 'POST';
      if (isUpload && !isDeleted) await files.removeFolder(await folderNamed('Trip'));
      isDeleted ||= isUpload;
      await route.continue();
    });
    await page.getByTestId('folder').setInputFiles(desktop);
    await page.getByRole('button', { name: 'Retry plan.txt' }).click();
    await page.getByText('1 uploaded').waitFor();
    await row('Trip').getByRole('link').click();
    await row('Day 1').getByRole('link').click();
    await row('plan.txt').waitFor();
  });

  test('a file is renamed, and an invalid name shows an error', async () => {
    await files.upload('text', { name: 'draft.txt' });
    const page = await open();
    await row('draft.txt').click({ button: 'right' });
    await page.getByRole('menuitem', { name: /^Rename/ }).click();
    const field = page.getByLabel('New name');
    await field.and(page.locator(':focus')).waitFor();
    // Typing replaces the name and keeps the extension.
    await page.keyboard.type('plan');
    expect(await field.inputValue()).toBe('plan.txt');
    await field.fill('.');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page
      .getByText(/originalName|name/i)
      .getByText(/must|may/i)
      .first()
      .waitFor();
    await page.getByLabel('New name').fill('2026/final.txt');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByText('must not contain / or \\').waitFor();
    await page.getByLabel('New name').fill('final.txt');
    await page.getByRole('button', { name: 'Rename' }).click();
    await row('final.txt').waitFor();
    expect(await names()).toEqual(['final.txt']);
  });

  test('files are moved with a dialog and by drag and drop', async () => {
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await files.upload('x', { name });
    const archive = await files.newFolder('Archive');
    const inner = await files.newFolder('2026', archive);
    const page = await open();
    await row('a.txt').getByRole('checkbox').click();
    await page.getByRole('toolbar').getByRole('button', { name: 'Move' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '2026' }).click();
    await page.getByRole('button', { name: 'Move to “2026”' }).click();
    await row('a.txt').waitFor({ state: 'detached' });
    expect(await names(inner)).toEqual(['a.txt']);
    await row('b.txt').click();
    await row('c.txt').click({ modifiers: ['ControlOrMeta'] });
    await row('c.txt').dragTo(row('Archive'));
    await page.getByText('Moved 2 items to “Archive”').waitFor();
    expect(await names(archive)).toEqual(['b.txt', 'c.txt']);
    await page.getByRole('treeitem', { name: 'Archive' }).getByRole('link').click();
    await row('b.txt').dragTo(page.getByRole('treeitem', { name: 'My files' }));
    await row('b.txt').waitFor({ state: 'detached' });
    expect(await names()).toEqual(['b.txt']);
  });

  test('a drop into the folder that the entry is in moves nothing', async () => {
    for (const name of ['a.txt', 'b.txt']) await files.upload('x', { name });
    await files.newFolder('Archive');
    const page = await open();
    const changes: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') changes.push(new URL(request.url()).pathname.split('/').at(-1) ?? '');
    });
    await row('a.txt').dragTo(row('b.txt'));
    await row('Archive').dragTo(row('Archive'), { targetPosition: { x: 300, y: 5 } });
    await row('Archive').dragTo(page.getByRole('heading', { level: 1 }));
    await row('a.txt').dragTo(page.getByRole('treeitem', { name: 'My files' }));
    await row('a.txt').dragTo(row('Archive'));
    await page.getByText('Moved “a.txt” to “Archive”').waitFor();
    expect(changes).toEqual(['move']);
  });

  test('deleted files are restored with “Undo” and from the trash', async () => {
    for (const name of ['keep.txt', 'lost.txt']) await files.upload('x', { name });
    const page = await open();
    await row('lost.txt').click();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Delete');
    // The row disappears before the server has deleted the file; the notification appears afterwards.
    await page.getByText('Deleted “lost.txt”').waitFor();
    await row('lost.txt').waitFor({ state: 'detached' });
    expect(await names()).toEqual(['keep.txt']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('lost.txt').waitFor();
    await row('lost.txt').click();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await row('lost.txt').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByRole('button', { name: 'Restore lost.txt' }).click();
    await page.getByText('The trash is empty').waitFor();
    expect(await names()).toEqual(['keep.txt', 'lost.txt']);
  });

  test('a folder is deleted after a confirmation that states its content', async () => {
    const id = await files.newFolder('Old');
    for (const name of ['a', 'b', 'c']) await files.upload('12345', { name, folder: id });
    const page = await open();
    await row('Old').click();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('This deletes 3 files (15 B).').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('This folder is empty').waitFor();
    expect((await files.get(`/api/storage/folders/${id}`)).status).toBe(404);
  });

  test('entries are browsed, selected, opened and created by keyboard', async () => {
    for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt']) await files.upload(`text of ${name}`, { name });
    const page = await open();
    // No Tab is needed.
    const grid = page.getByRole('grid');
    await grid.and(page.locator(':focus')).waitFor();
    await page.locator('[role=grid][data-quiet]').waitFor();
    const ring = () =>
      page.evaluate<string>("getComputedStyle(document.querySelector('[role=grid]')).boxShadow");
    expect(await ring()).toBe('none');
    await page.keyboard.press('ArrowDown');
    await page.locator('[role=grid]:focus-visible:not([data-quiet])').waitFor();
    expect(await ring()).not.toBe('none');
    await page.keyboard.press('ArrowDown');
    expect(
      await page.locator(`#${await grid.getAttribute('aria-activedescendant')}`).textContent(),
    ).toContain('b.txt');
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByRole('toolbar', { name: '2 selected' }).waitFor();
    expect(await isToolbarWhole()).toBe(true);
    await page.keyboard.press('ControlOrMeta+a');
    await page.getByRole('toolbar', { name: '4 selected' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.getByText('text of a.txt').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByText('text of b.txt').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await grid.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('F2');
    await page.getByLabel('New name').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'New folder' }).press('Enter');
    await page.getByLabel('Folder name').fill('By keyboard');
    await page.keyboard.press('Enter');
    await row('By keyboard').waitFor();
  });

  test('shortcuts apply to the list only while it has the focus', async () => {
    for (const name of ['a.txt', 'b.txt']) await files.upload('x', { name });
    const page = await open();
    await row('a.txt').waitFor();
    await page.keyboard.press('Home');
    await page.getByRole('treeitem', { name: 'My files' }).focus();
    for (const key of ['Delete', 'F2', 'm']) await page.keyboard.press(key);
    await page.getByRole('grid').focus();
    await page.keyboard.press('Delete');
    await page.getByText('Deleted “a.txt”').waitFor();
    expect(await names()).toEqual(['b.txt']);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('folders of the tree are opened, closed and visited by keyboard', async () => {
    const id = await files.newFolder('Archive');
    await files.newFolder('2026', id);
    const page = await open();
    const item = (name: string) => page.getByRole('treeitem', { name });
    await item('Archive').waitFor();
    await item('My files').focus();
    await page.keyboard.press('ArrowDown');
    await item('Archive').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ArrowRight');
    await item('2026').waitFor();
    expect(await item('2026').getAttribute('aria-level')).toBe('3');
    await page.keyboard.press('ArrowLeft');
    await item('2026').waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowRight');
    await item('2026').waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: '2026' }).waitFor();
  });

  test('one step back closes the preview after several files', async () => {
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await files.upload(`text of ${name}`, { name });
    const page = await open();
    await page.getByRole('button', { name: 'a.txt', exact: true }).click();
    for (const name of ['a.txt', 'b.txt', 'c.txt']) {
      await page.getByText(`text of ${name}`).waitFor();
      await page.keyboard.press('ArrowRight');
    }
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await row('a.txt').waitFor();
  });

  test('the entry menu opens by keyboard, and content is replaced from it and by shortcut', async () => {
    const { id } = await files.upload('old', { name: 'page.txt' });
    const page = await open();
    await row('page.txt').waitFor();
    const grid = page.getByRole('grid');
    await grid.focus();
    await page.keyboard.press('Home');
    const openMenu = async (key: string) => {
      await page.keyboard.press(key);
      await page.locator('[role=menu]:focus-within').waitFor();
    };
    await openMenu('Shift+F10');
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await openMenu('ContextMenu');
    // One listener for the whole test, so that Chromium never opens its own dialog.
    let choosing = Promise.withResolvers<FileChooser>();
    page.on('filechooser', (chooser) => choosing.resolve(chooser));
    await page.getByRole('menuitem', { name: /^Replace content/ }).press('Enter');
    await (await choosing.promise).setFiles([
      { name: 'page.txt', mimeType: 'text/plain', buffer: Buffer.from('newer text') },
    ]);
    await row('page.txt').getByText('10 B').first().waitFor({ state: 'attached' });
    await page.locator('[role=grid]:focus').waitFor();
    choosing = Promise.withResolvers();
    await page.keyboard.press('r');
    await (await choosing.promise).setFiles([
      { name: 'page.txt', mimeType: 'text/plain', buffer: Buffer.from('newest') },
    ]);
    await row('page.txt').getByText('6 B').first().waitFor({ state: 'attached' });
    expect(await (await files.get(`/api/storage/files/${id}/content`)).text()).toBe('newest');
  });

  test('several files are deleted and restored together', async () => {
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await files.upload('x', { name });
    const page = await open();
    await row('a.txt').click();
    await row('c.txt').click({ modifiers: ['Shift'] });
    await page.getByRole('toolbar', { name: '3 selected' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted 3 items').waitFor();
    expect(await names()).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Restored 3 items').waitFor();
    await row('c.txt').waitFor();
    expect(await names()).toEqual(['a.txt', 'b.txt', 'c.txt']);
  });

  test('the usage bar shows used and free space', async () => {
    await files.upload('x'.repeat(2048), { name: 'a.txt' });
    const page = await open();
    const usage = page.locator('.usage:visible');
    await usage.getByText('2 KiB of 2 GiB').waitFor();
    await usage.getByText('2 GiB left').waitFor();
    await row('a.txt').click();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await usage.getByText(/^(0 B|2 KiB) of 2 GiB$/).waitFor();
    expect(
      await page.getByRole('progressbar', { name: 'Space used' }).first().getAttribute('aria-valuenow'),
    ).toMatch(/^0/);
  });

  test('search, order and view apply, and the view is remembered', async () => {
    await files.upload('xxxxxxxx', { name: 'b large.txt' });
    await files.upload('x', { name: 'a small.txt' });
    await files.upload('xxx', { name: 'c other.txt' });
    const page = await open();
    await row('a small.txt').waitFor();
    expect(await listed()).toEqual(['a small.txt', 'b large.txt', 'c other.txt']);
    await page.getByRole('columnheader', { name: 'Size' }).getByRole('button').click();
    await page.locator('.listing-rows .entry-row').first().getByText('b large.txt').waitFor();
    expect(await listed()).toEqual(['b large.txt', 'c other.txt', 'a small.txt']);
    await page.getByRole('searchbox', { name: 'Search files' }).fill('LAR');
    await page.getByText('This folder', { exact: true }).click();
    await row('c other.txt').waitFor({ state: 'detached' });
    expect(await listed()).toEqual(['b large.txt']);
    await page.getByRole('searchbox').fill('nothing like this');
    await page.getByText('No matches').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByTitle('Grid').click();
    await page.locator('.tile').first().waitFor();
    await page.reload();
    await page.locator('.tile').nth(2).waitFor();
    expect(await listed()).toEqual(['b large.txt', 'c other.txt', 'a small.txt']);
  });

  test('pictures, texts and PDF files have a preview; HTML is shown as text and never runs', async () => {
    await files.upload(await picture('#3070c0'), { name: 'picture.png' });
    await files.upload('<script>document.title = "run"</script>', { name: 'hostile.html' });
    const paper = await files.upload(
      '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>',
      {
        name: 'paper.pdf',
      },
    );
    const page = await open();
    await page.addInitScript('Object.defineProperty(navigator, "pdfViewerEnabled", { get: () => true })');
    await page.reload();
    await page.getByRole('button', { name: 'picture.png', exact: true }).click();
    const image = page.getByRole('img', { name: 'picture.png' });
    await image.waitFor();
    const width = await image.evaluate(
      async (element: { decode?(): Promise<void>; naturalWidth?: number }) => {
        await element.decode?.();
        return element.naturalWidth;
      },
    );
    expect(width).toBe(800);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'hostile.html', exact: true }).click();
    await page.locator('.preview-text pre').getByText('<script>').waitFor();
    expect(await page.title()).not.toBe('run');
    await page.keyboard.press('Escape');
    const [answer] = await Promise.all([
      page.waitForResponse(
        (response) => response.url().includes('inline=1') && response.url().includes(`${paper.id}/content`),
      ),
      page.getByRole('button', { name: 'paper.pdf', exact: true }).click(),
    ]);
    expect(answer.headers()['content-type']).toBe('application/pdf');
    await page.locator('iframe[title="paper.pdf"]').waitFor();
  });

  test('audio and video are played', async () => {
    await files.upload(wav(0.5), { name: 'tone.wav' });
    const page = await open();
    await page.getByRole('button', { name: 'tone.wav', exact: true }).click();
    const loaded = async (kind: string, fact: string) => {
      await page.locator(kind).waitFor();
      return await page.evaluate<number>(`new Promise((resolve, reject) => {
        const medium = document.querySelector('${kind}');
        const look = () => resolve(medium.${fact});
        if (medium.readyState > 0) return look();
        medium.addEventListener('loadedmetadata', look);
        medium.addEventListener('error', () => reject(medium.error));
      })`);
    };
    expect(await loaded('audio', 'duration')).toBeCloseTo(0.5);
    await page.keyboard.press('Escape');
    // Jumps over what is not loaded.
    await files.upload(wav(2_000), { name: 'long.wav' });
    await page.reload();
    const starts: number[] = [];
    page.on('response', (response) => {
      const [, start] = /^bytes (\d+)-/.exec(response.headers()['content-range'] ?? '') ?? [];
      if (start) starts.push(Number(start));
    });
    await page.getByRole('button', { name: 'long.wav', exact: true }).click();
    expect(await loaded('audio', 'duration')).toBeCloseTo(2_000);
    const place = await page.evaluate<number>(`new Promise((resolve) => {
      const medium = document.querySelector('audio');
      medium.addEventListener('seeked', () => resolve(medium.currentTime));
      medium.currentTime = 1990;
    })`);
    expect(place).toBeCloseTo(1990);
    await until(() => starts.some((start) => start > 8_000_000));
    await page.keyboard.press('Escape');
    // Chromium records the video itself.
    const film = await page.evaluate<string>(FILM);
    await files.upload(new Uint8Array(Buffer.from(film, 'base64')), { name: 'film.webm' });
    await page.reload();
    await page.getByRole('button', { name: 'film.webm', exact: true }).click();
    expect(await loaded('video', 'videoWidth')).toBe(64);
  });

  test('a thumbnail appears automatically, also after the content is replaced', async () => {
    const page = await open();
    await page
      .getByTestId('files')
      .setInputFiles([
        { name: 'view.png', mimeType: 'image/png', buffer: Buffer.from(await picture('#c03030')) },
      ]);
    const thumbnail = row('view.png').locator('img.thumbnail');
    await thumbnail.waitFor();
    const first = await thumbnail.getAttribute('src');
    await row('view.png').click({ button: 'right' });
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('menuitem', { name: 'Replace content' }).click();
    await (await chooser).setFiles([
      { name: 'view.png', mimeType: 'image/png', buffer: Buffer.from(await picture('#30c030')) },
    ]);
    await row('view.png').locator(`img.thumbnail:not([src="${first}"])`).waitFor();
    expect(await names()).toEqual(['view.png']);
  });

  test('the icons of files without a thumbnail have the same size', async () => {
    const named = ['broken.pdf', 'words.txt', 'data.json', 'table.csv'];
    for (const name of named) await files.upload(name === 'broken.pdf' ? '%PDF-1.7' : 'words', { name });
    await open();
    const sizes = new Set<string>();
    for (const name of named) {
      const icon = row(name).locator('.entry-icon').first();
      await icon.waitFor();
      const { width, height } = (await icon.boundingBox()) ?? {};
      sizes.add(`${width}x${height}`);
    }
    expect([...sizes]).toEqual(['22x22']);
  });

  test('downloads have the exact name, and a folder is downloaded as ZIP', async () => {
    await files.upload('the text', { name: 'naïve – 数据.txt' });
    const id = await files.newFolder('Bundle');
    await files.upload('inside', { name: 'inside.txt', folder: id });
    const page = await open();
    await row('naïve – 数据.txt').click();
    const [one] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('toolbar').getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(one.suggestedFilename()).toBe('naïve – 数据.txt');
    await row('Bundle').click({ button: 'right' });
    const [zip] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: /ZIP/ }).click(),
    ]);
    expect(zip.suggestedFilename()).toBe('Bundle.zip');
  });

  test('a folder without files is not downloaded, and a message says why', async () => {
    await files.newFolder('Inner', await files.newFolder('Bare'));
    const page = await open();
    await row('Bare').click({ button: 'right' });
    await page.getByRole('menuitem', { name: /ZIP/ }).click();
    await page.getByText('“Bare” contains no files to download.').waitFor();
  });

  test('on a phone, a tap opens and the checkbox selects', async () => {
    const id = await files.newFolder('Pocket');
    await files.upload('small screen', { name: 'small.txt', folder: id });
    const page = await open('/files', { width: 390, height: 780 });
    await row('Pocket').getByRole('link').click();
    await row('small.txt').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await row('small.txt').getByRole('checkbox').click();
    await page.getByRole('toolbar', { name: '1 selected' }).waitFor();
    expect(await isToolbarWhole()).toBe(true);
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page
      .getByRole('link', { name: 'Account' })
      .or(page.getByRole('link', { name: person.email }))
      .click();
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
  });

  test('only the visible rows of 10,000 files are rendered', async () => {
    const { id } = await files.upload('x', { name: 'file-00000.txt' });
    copyFile(posthouse.settings, id, 9_999, (number) => {
      const name = `file-${String(number).padStart(5, '0')}.txt`;
      return { original_name: name, name_key: name };
    });
    const page = await open();
    await row('file-00000.txt').waitFor();
    await page.locator('[role=grid][aria-rowcount="10001"]').waitFor();
    const grid = page.getByRole('grid');
    await grid.focus();
    await page.keyboard.press('End');
    await row('file-09999.txt').waitFor();
    expect(await page.locator('.listing-rows .entry-row').count()).toBeLessThan(60);
    await page.keyboard.press('ControlOrMeta+a');
    await page.getByRole('toolbar', { name: '10,000 selected' }).waitFor();
    await page.keyboard.press('Home');
    await row('file-00000.txt').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox').fill('file-0777');
    await page.getByRole('link', { name: 'file-07770.txt', exact: true }).waitFor();
    await page.getByText('10 files', { exact: true }).waitFor();
  });

  test('rows stay visible during an outage, after which they are loaded automatically', async () => {
    await files.upload('x', { name: 'before.txt' });
    const page = await open();
    await row('before.txt').waitFor();
    await page.route(/\/api\/storage\/(files|folders)\//, (route) =>
      route.request().method() === 'GET' ? route.abort() : route.continue(),
    );
    await page
      .getByTestId('files')
      .setInputFiles([{ name: 'during.txt', mimeType: 'text/plain', buffer: Buffer.from('x') }]);
    await page.getByText('Cannot reach the server. Trying again …').waitFor();
    expect(await listed()).toEqual(['before.txt']);
    await page.unroute(/\/api\/storage\/(files|folders)\//);
    await row('during.txt').waitFor();
    await page.getByText('Cannot reach the server. Trying again …').waitFor({ state: 'detached' });
  });

  test('the first page reports an outage after one attempt, and continues automatically', async () => {
    await files.upload('x', { name: 'before.txt' });
    const page = await open('/account');
    let attempts = 0;
    await page.route('**/api/me', (route) => {
      attempts++;
      return route.abort();
    });
    await page.goto('/files');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    // The time between attempts is a second at least; there were six before the report.
    expect(attempts).toBeLessThan(3);
    await page.getByText('Cannot reach the server. Check your connection').waitFor();
    await page.unroute('**/api/me');
    await row('before.txt').waitFor();
  });

  test('a long name is cut in the middle', async () => {
    const name = `Annual report of the whole company ${'with many words '.repeat(10)}final version 12.pdf`;
    await files.upload('x', { name });
    const page = await open('/files', { width: 390, height: 780 });
    const [head, tail] = [page.locator('.cut-name > :first-child'), page.locator('.cut-name > :last-child')];
    expect(await tail.textContent()).toBe('sion 12.pdf'.padStart(12, 'r'));
    const [row, end] = [await page.locator('.cell-title').boundingBox(), await tail.boundingBox()];
    expect((end?.x ?? 0) + (end?.width ?? 0)).toBeLessThanOrEqual((row?.x ?? 0) + (row?.width ?? 0) + 1);
    expect(
      await head.evaluate((element: { scrollWidth: number; clientWidth: number }) => {
        return element.scrollWidth > element.clientWidth;
      }),
    ).toBe(true);
    await page.getByRole('button', { name, exact: true }).waitFor();
  });

  test('a missing or inaccessible folder shows an error', async () => {
    const page = await open(`/files/${crypto.randomUUID()}`);
    await page.getByRole('heading', { name: 'Folder not found' }).waitFor();
    await page.getByRole('link', { name: 'My files' }).click();
    await page.getByText('This folder is empty').waitFor();
  });
});

/** Records a few frames; returns a WebM file in base64. */
const FILM = `(async () => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 48 });
  const brush = canvas.getContext('2d');
  const recorder = new MediaRecorder(canvas.captureStream(), { mimeType: 'video/webm' });
  const parts = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const stopped = new Promise((resolve) => { recorder.onstop = resolve; });
  recorder.start();
  for (let picture = 0; picture < 20; picture++) {
    brush.fillStyle = picture % 2 ? 'red' : 'blue';
    brush.fillRect(0, 0, 64, 48);
    await new Promise(requestAnimationFrame);
  }
  recorder.stop();
  await stopped;
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
})()`;
