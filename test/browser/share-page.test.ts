import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { findViolations } from '../harness/accessibility.ts';
import { freshSettings } from '../harness/backends.ts';
import { newVisitor } from '../harness/chromium.ts';
import { copyFile } from '../harness/copy-file.ts';
import { filesOf } from '../harness/files.ts';
import { colorsOf, ENCRYPTED, HOSTILE, manyPages, pdf } from '../harness/pdf.ts';
import { DAMAGED, damaged, picture, pngBomb, thumbnailOf } from '../harness/pictures.ts';
import { addPerson, type Posthouse, startPosthouse } from '../harness/posthouse.ts';
import { until } from '../harness/until.ts';

const RUN = `document.title='run'`;

describe('the page of a file', () => {
  let posthouse: Posthouse;
  let files: ReturnType<typeof filesOf>;
  let visitor: BrowserContext;
  beforeAll(async () => {
    const settings = await freshSettings('sqlite+local');
    posthouse = await startPosthouse(settings);
    files = filesOf(posthouse, (await addPerson(settings, 'ann@example.org')).headers);
    visitor = await newVisitor(posthouse.url);
  });
  afterAll(async () => {
    await visitor.close();
    await posthouse.stop();
  });

  async function share(name: string, content: string | Uint8Array<ArrayBuffer>, change: object = {}) {
    const { id } = await files.upload(content, { name });
    return `/public/file/${(await files.change(id, { visibility: 1, ...change })).uiToken}`;
  }

  /** Shares a file after all attempts to render it. */
  async function shareFailed(name: string, content: Uint8Array<ArrayBuffer>) {
    const token = crypto.randomUUID();
    const { id } = await files.upload(content, { name });
    copyFile(posthouse.settings, id, 1, () => ({
      thumbnail_state: 'failed',
      visibility: 1,
      ui_token: token,
    }));
    return `/public/file/${token}`;
  }

  async function open(path: string, context = visitor): Promise<Page> {
    const page = await context.newPage();
    await page.goto(path);
    return page;
  }

  test('shows an SVG as a picture, whose script does not run', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40" onload="${RUN}">
<script>${RUN}</script><image href="/stolen.png" width="1" height="1"/><rect width="80" height="40"/></svg>`;
    const page = await visitor.newPage();
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await page.goto(await share('drawing.svg', svg));
    const picture = page.getByRole('img', { name: 'drawing.svg' });
    expect(
      await picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
    ).toBe(80);
    expect(await page.title()).toBe('drawing.svg · Posthouse');
    expect(addresses).toHaveLength(2);
    await page.close();
  });

  describe('of a damaged file', () => {
    const sentence = 'The picture cannot be shown. It may be damaged. You can download it.';
    const jpeg = () => picture('#3070c0', { format: 'jpeg' });
    /** Overwrites all bytes after the first `length`. */
    async function garbled(length: number): Promise<Uint8Array<ArrayBuffer>> {
      const bytes = await jpeg();
      return bytes.fill(0x5a, length);
    }

    test.each([
      ['without pixels.png', async () => pngBomb(40, 20).subarray(0, 33)],
      ...DAMAGED.map((name) => [name, () => damaged(name)] as const),
    ])('says so of a picture, and offers the download: %s', async (name, content) => {
      const page = await open(await share(name, await content()));
      await page.getByText(sentence, { exact: true }).waitFor();
      expect(await page.locator('figure img').count()).toBe(0);
      await page.getByRole('link', { name: 'Download' }).waitFor();
      await page.close();
    });

    test('says so of a video, and offers the download', async () => {
      const content = new TextEncoder().encode('\0\0\0\x18ftypmp42\0\0\0\0mp42isom nothing');
      const page = await open(await share('broken.mp4', content));
      await page.getByText('The preview failed. You can download the file.', { exact: true }).waitFor();
      expect(await page.locator('figure video').count()).toBe(0);
      await page.getByRole('link', { name: 'Download' }).waitFor();
      await page.close();
    });

    test('says so without a script, and of a format that browsers do not show', async () => {
      const plain = await newVisitor(posthouse.url, { javaScript: false });
      const page = await open(await shareFailed('animated.gif', await damaged('animated.gif')), plain);
      const notice = page.locator('noscript p');
      await notice.waitFor();
      expect(await notice.textContent()).toStartWith(
        'If the picture is not shown, it is damaged or too large.',
      );
      await page.goto(
        await shareFailed('scan.tiff', (await picture('#333', { format: 'tiff' })).fill(0xff, 8)),
      );
      await page.getByText(sentence, { exact: true }).waitFor();
      await plain.close();
    });

    test('shows a transparent picture, in which nothing is visible', async () => {
      const clear = await sharp({ create: { width: 90, height: 60, channels: 4, background: '#0000' } })
        .gif()
        .toBuffer();
      const { id } = await files.upload(new Uint8Array(clear), { name: 'clear.gif' });
      await thumbnailOf(files, id);
      const page = await visitor.newPage();
      const checked = page.waitForResponse((answer) => answer.url().endsWith('?thumbnail=1'));
      await page.goto(`/public/file/${(await files.change(id, { visibility: 1 })).uiToken}`);
      await (await checked).finished();
      await page.getByRole('img', { name: 'clear.gif' }).waitFor();
      expect(await page.getByText(sentence).isVisible()).toBe(false);
      await page.close();
    });

    test('shows the part of a truncated picture that there is', async () => {
      const bytes = await jpeg();
      const page = await open(await share('cut off.jpg', bytes.subarray(0, bytes.length - 200)));
      await until(() =>
        page
          .getByRole('img', { name: 'cut off.jpg' })
          .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth === 800),
      );
      expect(await page.getByText(sentence).isVisible()).toBe(false);
      await page.close();
    });

    test('has its notice in the language of the reader', async () => {
      const german = await newVisitor(posthouse.url, { locale: 'de-DE' });
      const page = await open(await share('kaputt.jpg', await garbled(20)), german);
      await page.getByText('Das Bild kann nicht angezeigt werden.').waitFor();
      await german.close();
    });
  });

  test('begins on a phone with the text of a short file', async () => {
    const phone = await newVisitor(posthouse.url, { touch: true, width: 390, height: 844 });
    const page = await open(await share('short.txt', 'some words'), phone);
    const [heading, text] = [await page.locator('h1').boundingBox(), await page.locator('pre').boundingBox()];
    expect((text?.y ?? 0) - (heading?.y ?? 0) - (heading?.height ?? 0)).toBeLessThan(40);
    await phone.close();
  });

  test('has the focus in the password field, with the error after a wrong one', async () => {
    const page = await open(await share('locked.txt', 'words', { filePassword: 'open up' }));
    const focused = page.locator('input:focus');
    expect(await focused.getAttribute('name')).toBe('filePassword');
    await page.keyboard.type('guess');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await focused.getAttribute('name')).toBe('filePassword');
    const describing = await page.getByLabel('Password').getAttribute('aria-describedby');
    expect(await page.getByRole('alert').getAttribute('id')).toBe(describing);
    await page.keyboard.type('open up');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'locked.txt' }).waitFor();
    await page.close();
  });

  describe('of a PDF', () => {
    const NO_VIEWER = 'Object.defineProperty(navigator, "pdfViewerEnabled", { get: () => false })';
    const notice = (page: Page) => page.getByText(/cannot display a PDF/);
    const drawn = (page: Page, name: string) =>
      page.locator('[data-state=drawn]').getByRole('img', { name, exact: true }).waitFor();

    /**
     * Opens the page of a file. Collects the addresses that it loads, and the messages of its dialogs and its console
     * except those about the syntax of the file.
     */
    async function openPdf(content: Uint8Array<ArrayBuffer>, context = visitor, viewer = NO_VIEWER) {
      const page = await context.newPage();
      const addresses: string[] = [];
      const messages: string[] = [];
      page.on('request', (request) => addresses.push(request.url().replace(posthouse.url, '')));
      page.on('console', (message) => {
        // The warnings of Canvas2D are about this test, which reads its pixels.
        if (!/^(?:Warning: |Canvas2D: )/.test(message.text())) messages.push(message.text());
      });
      page.on('dialog', (dialog) => messages.push(dialog.message()));
      await page.addInitScript(viewer);
      await page.goto(await share('report.pdf', content));
      return { page, addresses, messages };
    }

    test('has all pages where the browser has no viewer, drawn as they scroll into view', async () => {
      const { page, messages } = await openPdf(manyPages(40));
      await drawn(page, 'Page 1 of 40');
      expect(await colorsOf(page.locator('canvas').first())).toEqual([
        [255, 0, 0],
        [0, 0, 255],
      ]);
      expect(await findViolations(page)).toEqual([]);
      expect(await page.locator('.pages canvas').count()).toBeLessThan(10);
      await page.getByRole('group', { name: 'Preview of report.pdf' }).focus();
      await page.keyboard.press('End');
      await drawn(page, 'Page 40 of 40');
      await until(async () => (await page.locator('.pages canvas').count()) < 10);
      expect(await notice(page).count()).toBe(0);
      expect(messages).toEqual([]);
      await page.close();
    });

    test('has text that can be selected, at the place where it is drawn, in each width', async () => {
      const font = '/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>';
      const { page, messages } = await openPdf(
        pdf({ page: font, content: 'BT /F 8 Tf 20 50 Td (Small print) Tj ET' }),
      );
      const text = page.getByText('Small print', { exact: true });
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 844 });
        const canvas = page.getByRole('img', { name: 'Page 1 of 1' });
        const place = async () => {
          const [sheet, box] = await Promise.all([canvas.boundingBox(), text.boundingBox()]);
          if (!sheet || !box || sheet.width > width) return [];
          const point = sheet.width / 200;
          const bottom = box.y + box.height - sheet.y;
          return [box.x - sheet.x, bottom, box.width].map((pixels) => Math.round(pixels / point));
        };
        await until(async () => {
          const [left = 0, bottom = 0, length = 0] = await place();
          return left === 20 && bottom >= 48 && bottom <= 54 && length >= 35 && length <= 50;
        });
        await text.dblclick({ position: { x: 8, y: 4 } });
        expect(await page.evaluate('getSelection().toString()')).toBe('Small');
      }
      expect(messages).toEqual([]);
      await page.close();
    });

    test('draws the pages again when the window gets another width', async () => {
      const { page } = await openPdf(pdf());
      await drawn(page, 'Page 1 of 1');
      const widthOf = () =>
        page.locator('.pages canvas').evaluate((canvas) => (canvas as unknown as { width: number }).width);
      const before = await widthOf();
      await page.setViewportSize({ width: 390, height: 844 });
      await until(async () => (await widthOf()) < before / 1.5);
      await page.close();
    });

    test('runs nothing, loads nothing and opens nothing', async () => {
      const { page, addresses, messages } = await openPdf(pdf(HOSTILE));
      await drawn(page, 'Page 1 of 1');
      await page.locator('.pdf-sheet').click();
      expect(await page.title()).toBe('report.pdf · Posthouse');
      expect(await page.locator('.file figure').locator('a, input, script, iframe, object').count()).toBe(0);
      expect(addresses.filter((address) => !/^\/(?:public|assets)\//.test(address))).toEqual([]);
      expect(messages).toEqual([]);
      await page.close();
    });

    test('bounds the pages', async () => {
      const { page } = await openPdf(manyPages(2_010));
      await drawn(page, 'Page 1 of 2000');
      await page.getByText('Only the first 2,000 pages are shown.').waitFor();
      await page.close();
    });

    test('says that a file requires a password, without an empty box', async () => {
      const { page } = await openPdf(pdf({ trailer: ENCRYPTED }));
      const sentence = page.getByText('The file requires a password.');
      await sentence.waitFor();
      expect(await notice(page).count()).toBe(0);
      expect((await page.locator('.file figure').boundingBox())?.height).toBeLessThan(100);
      await page.close();
    });

    test.each([
      ['with a script', {}],
      ['without JavaScript', { javaScript: false }],
      ['on a phone', { touch: true, width: 390, height: 844 }],
      ['in German', { javaScript: false, locale: 'de-DE' }],
    ])('says that the server could not draw it without its password: %s', async (_, screen) => {
      const context = await newVisitor(posthouse.url, screen);
      const page = await open(await shareFailed('locked.pdf', pdf({ trailer: ENCRYPTED })), context);
      const sentence =
        'locale' in screen
          ? 'Die Datei ist mit einem Passwort geschützt. Öffnen'
          : 'The file requires a password. Open';
      await page.getByText(sentence).waitFor();
      expect((await page.locator('.file figure').boundingBox())?.height).toBeLessThan(
        'width' in screen ? 600 : 100,
      );
      expect(await page.locator('object').count()).toBe(0);
      if (!('javaScript' in screen)) expect(await findViolations(page)).toEqual([]);
      await context.close();
    });

    test.each([
      ['without an end', pdf().subarray(0, 60)],
      ['without content', new TextEncoder().encode('%PDF-1.7 nothing')],
    ])('says that a file %s is damaged, without an empty box', async (_, content) => {
      const { page } = await openPdf(content);
      await page.getByText('The file is damaged. You can download it.').waitFor();
      expect(await notice(page).count()).toBe(0);
      expect((await page.locator('.file figure').boundingBox())?.height).toBeLessThan(100);
      await page.close();
    });

    test.each([
      ['with a script', {}],
      ['without JavaScript', { javaScript: false }],
      ['on a phone', { touch: true, width: 390, height: 844 }],
      ['on a phone without JavaScript', { touch: true, width: 390, height: 844, javaScript: false }],
      ['in German', { javaScript: false, locale: 'de-DE' }],
    ])('says that the server could not draw it, without an empty box: %s', async (_, screen) => {
      const context = await newVisitor(posthouse.url, screen);
      const page = await open(await shareFailed('cut off.pdf', pdf().subarray(0, 60)), context);
      const [withScript, plain, download] =
        'locale' in screen
          ? ['Die Datei ist beschädigt.', 'Die Datei kann hier nicht angezeigt werden.', 'Herunterladen']
          : ['The file is damaged.', 'The file cannot be shown here.', 'Download'];
      const sentence = page.getByText('javaScript' in screen ? plain : withScript);
      await sentence.waitFor();
      expect((await sentence.boundingBox())?.height).toBeLessThan(120);
      expect(await page.locator('object').count()).toBe(0);
      await page.getByRole('link', { name: download }).waitFor();
      if (!('javaScript' in screen)) expect(await findViolations(page)).toEqual([]);
      await context.close();
    });

    test('has its pages although the server could not draw it', async () => {
      const page = await open(await shareFailed('large.pdf', manyPages(2)));
      await drawn(page, 'Page 1 of 2');
      await page.getByRole('group', { name: 'Preview of large.pdf' }).waitFor();
      await page.close();
    });

    test('has a notice without an empty box on a phone without JavaScript', async () => {
      const phone = await newVisitor(posthouse.url, {
        touch: true,
        width: 390,
        height: 844,
        javaScript: false,
      });
      const { page } = await openPdf(new TextEncoder().encode('%PDF-1.7 nothing'), phone);
      await notice(page).waitFor();
      expect((await page.locator('object').boundingBox())?.height).toBeLessThan(120);
      await phone.close();
    });

    test('stays as it is when the file cannot be drawn', async () => {
      const { page } = await openPdf(pdf({ kids: '2 0 R' }));
      await notice(page).waitFor();
      expect((await page.locator('.file figure').boundingBox())?.height).toBeLessThan(100);
      await page.close();
    });

    test('stays as it is without the script, and without JavaScript', async () => {
      const cut = await newVisitor(posthouse.url);
      await cut.route('**/assets/**', (route) => route.abort());
      const withoutScript = await openPdf(pdf(), cut);
      await notice(withoutScript.page).waitFor();
      await cut.close();
      const plain = await newVisitor(posthouse.url, { javaScript: false });
      const { page, addresses } = await openPdf(pdf(), plain);
      await notice(page).waitFor();
      expect(addresses.filter((address) => address.startsWith('/assets/'))).toEqual([]);
      await plain.close();
    });

    test('loads no script where the browser has a viewer, except on touch screens', async () => {
      const viewer = NO_VIEWER.replace('false', 'true');
      const { page, addresses } = await openPdf(pdf(), visitor, viewer);
      await page.waitForLoadState('networkidle');
      expect(addresses.filter((address) => address.startsWith('/assets/'))).toEqual([]);
      await page.close();
      const phone = await newVisitor(posthouse.url, { touch: true, width: 390 });
      await drawn((await openPdf(pdf(), phone, viewer)).page, 'Page 1 of 1');
      await phone.close();
    });

    test('is in the language of the reader', async () => {
      const german = await newVisitor(posthouse.url, { locale: 'de-DE' });
      await drawn((await openPdf(manyPages(2), german)).page, 'Seite 1 von 2');
      const { page } = await openPdf(pdf({ trailer: ENCRYPTED }), german);
      await page.getByText('Die Datei ist mit einem Passwort geschützt.').waitFor();
      await german.close();
    });
  });

  describe('of a text', () => {
    test('has Markdown, without scripts, styles and pictures', async () => {
      const text = `# Title <script>${RUN}</script>

Some *words* and a [link](https://example.org/), [another](javascript:${RUN}) <img src=/stolen onerror="${RUN}">
<b style="position:fixed" onclick="${RUN}">bold</b> ![picture](/stolen.png) <iframe srcdoc="<script>${RUN}</script>">
`;
      const page = await visitor.newPage();
      const addresses: string[] = [];
      page.on('request', (request) => addresses.push(request.url().replace(posthouse.url, '')));
      await page.goto(await share('notes.md', text));
      const article = page.getByRole('article').getByRole('article');
      await article.getByRole('heading', { name: 'Title' }).waitFor();
      expect(await article.getByRole('link').evaluateAll((links) => links.map(String))).toEqual([
        'https://example.org/',
      ]);
      expect(await findViolations(page)).toEqual([]);
      expect(await article.locator('script, img, iframe, [style], [onclick]').count()).toBe(0);
      expect(addresses.filter((address) => address.includes('stolen'))).toEqual([]);
      expect(await page.title()).toBe('notes.md · Posthouse');
      await page.close();
    });

    test('has the footnotes of Markdown', async () => {
      const page = await open(await share('footnotes.md', 'Text[^1].\n\n[^1]: A note'));
      await page.getByRole('button', { name: 'Footnote 1' }).click();
      const note = page.getByRole('list', { name: 'Footnotes' }).getByRole('listitem');
      expect((await note.textContent())?.trim()).toBe('A note ↩');
      await note.locator('button:focus').click();
      await page.getByRole('button', { name: 'Footnote 1' }).and(page.locator(':focus')).waitFor();
      expect(await findViolations(page)).toEqual([]);
      await page.close();
    });

    test('has the rows of a CSV file, and highlighted code', async () => {
      const table = await open(await share('people.csv', 'name;town\nAda;"<b>London"\n'));
      await table.getByRole('columnheader', { name: 'town' }).waitFor();
      expect(await table.getByRole('cell').allTextContents()).toEqual(['Ada', '<b>London']);
      expect(await findViolations(table)).toEqual([]);
      await table.close();
      const phone = await newVisitor(posthouse.url, { width: 390, touch: true });
      const wide = await open(await share('wide.csv', `${'a column,'.repeat(40)}\n`.repeat(2)), phone);
      await wide.getByRole('columnheader').first().waitFor();
      expect(await wide.evaluate<number>('document.documentElement.scrollWidth')).toBe(390);
      await phone.close();
      const code = await open(await share('program.py', 'def run():\n    return 1\n'));
      await code.locator('.hljs-keyword').first().waitFor();
      expect(await findViolations(code)).toEqual([]);
      expect(await code.locator('.hljs-keyword').first().textContent()).toBe('def');
      expect(await code.locator('pre').textContent()).toBe('def run():\n    return 1\n');
      await code.close();
    });

    test('has tables whose words stay whole, and whose columns are aligned', async () => {
      const row = (cell: (column: number) => string) =>
        Array.from({ length: 30 }, (_, n) => cell(n)).join(',');
      const wide = await open(await share('words.csv', `${row((n) => `column_${n}`)}\n${row(String)}\n`));
      await wide.getByRole('columnheader').first().waitFor();
      const heights = await wide
        .getByRole('columnheader')
        .evaluateAll((cells) => cells.map((cell) => Math.round(cell.getBoundingClientRect().height)));
      const [line] = await wide
        .getByRole('cell')
        .evaluateAll((cells) => cells.map((cell) => Math.round(cell.getBoundingClientRect().height)));
      expect([...new Set(heights)]).toEqual([line ?? 0]);
      await wide.close();
      const aligned = await open(await share('aligned.md', '| a | b | c |\n|---|--:|:-:|\n| 1 | 2 | 3 |\n'));
      await aligned.getByRole('cell').first().waitFor();
      const alignments = await aligned.evaluate<string[]>(
        `[...document.querySelectorAll('.markdown td')].map((cell) => getComputedStyle(cell).textAlign)`,
      );
      expect(alignments).toEqual(['left', 'right', 'center']);
      await aligned.close();
    });

    test('is plain without the script, without JavaScript, and in formats without a form', async () => {
      const cut = await newVisitor(posthouse.url);
      await cut.route('**/assets/**', (route) => route.abort());
      const plain = await newVisitor(posthouse.url, { javaScript: false });
      const path = await share('notes.md', '# Title');
      for (const [context, address] of [
        [cut, path],
        [plain, path],
        [visitor, await share('notes.txt', '# Title')],
      ] as const) {
        const page = await context.newPage();
        const failures: string[] = [];
        page.on('pageerror', (error) => failures.push(error.message));
        await page.goto(address, { waitUntil: 'networkidle' });
        expect(await page.locator('pre').textContent()).toBe('# Title');
        expect(failures).toEqual([]);
        await page.close();
      }
      await cut.close();
      await plain.close();
    });
  });
});
