import { describe, expect, test } from 'bun:test';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { findViolations } from '../harness/accessibility.ts';
import { sharedFilesApp } from '../harness/files-app.ts';
import { overflowsOn } from '../harness/narrow.ts';
import { DAMAGED, damaged, picture, thumbnailOf } from '../harness/pictures.ts';
import { until } from '../harness/until.ts';

const COLORS = ['#a02020', '#20a020', '#2020a0', '#a0a020'];

/** Whether the named picture is displayed in the frame after the next: its pixels are there, without a request. */
const IN_TWO_FRAMES = (key: string, name: string) => `new Promise((resolve) => {
  document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', code: '${key}', bubbles: true }));
  requestAnimationFrame(() => requestAnimationFrame(() => {
    const image = document.querySelector('img[alt="${name}"]');
    resolve(Boolean(image) && image.complete && image.naturalWidth > 0 && image.getBoundingClientRect().width > 0);
  }));
})`;

describe('the viewer', () => {
  const { seat, files } = sharedFilesApp(async ({ upload }) => {
    for (const [index, color] of COLORS.entries())
      await upload(await picture(color), { name: `${index}.png` });
  });

  const open = (name: string) => seat.page.getByRole('button', { name, exact: true }).click();
  const shown = (name: string) => seat.page.getByRole('dialog').getByRole('img', { name });
  /** The displayed width of a picture in pixels. */
  const widthOf = async (name: string) => (await shown(name).boundingBox())?.width ?? 0;
  const idOf = async (name: string) =>
    (await files.read<{ id: string; originalName: string }[]>('/api/storage/files/root')).find(
      ({ originalName }) => originalName === name,
    )?.id ?? '';

  test('shows the next and the previous picture within two frames', async () => {
    const ids = await Promise.all(['0.png', '1.png', '2.png'].map(idOf));
    await open('1.png');
    await until(() =>
      seat.page.evaluate(`${JSON.stringify(ids)}.every((id) => performance.getEntriesByType('resource').some(({ name }) =>
        name.includes(id + '/content')))`),
    );
    await seat.context.setOffline(true);
    expect(await seat.page.evaluate(IN_TWO_FRAMES('ArrowRight', '2.png'))).toBe(true);
    expect(await seat.page.evaluate(IN_TWO_FRAMES('ArrowLeft', '1.png'))).toBe(true);
    await seat.context.setOffline(false);
  });

  test('follows the arrow keys after the last picture', async () => {
    await open('2.png');
    await shown('2.png').waitFor();
    const next = seat.page.getByRole('dialog').getByRole('button', { name: 'Next' });
    await next.click();
    await shown('3.png').waitFor();
    await next.and(seat.page.locator(':focus[aria-disabled=true]')).waitFor();
    await seat.page.keyboard.press('Enter');
    await seat.page.keyboard.press('ArrowLeft');
    await shown('2.png').waitFor();
    // As if the element with the focus were removed.
    await seat.page.evaluate('document.activeElement.blur()');
    await seat.page.keyboard.press('ArrowLeft');
    await shown('1.png').waitFor();
  });

  test('enlarges a picture by keys, wheel and double click, and moves it', async () => {
    await open('0.png');
    await shown('0.png').waitFor();
    const fitting = await widthOf('0.png');
    const becomes = async (matches: (width: number) => boolean) =>
      await until(async () => matches(await widthOf('0.png')));
    await seat.page.keyboard.press('+');
    await becomes((width) => width > fitting);
    await seat.page.keyboard.press('0');
    await becomes((width) => width === fitting);
    await shown('0.png').hover();
    await seat.page.mouse.wheel(0, -300);
    await becomes((width) => width > fitting);
    const before = await shown('0.png').boundingBox();
    await seat.page.mouse.down();
    await seat.page.mouse.move(500, 400, { steps: 3 });
    await seat.page.mouse.up();
    expect(await shown('0.png').boundingBox()).not.toEqual(before);
    await seat.page.keyboard.press('0');
    await becomes((width) => width === fitting);
    await shown('0.png').dblclick();
    await becomes((width) => width > fitting);
    await shown('0.png').dblclick();
    await becomes((width) => width === fitting);
    // An enlarged picture does not follow to the next one.
    await seat.page.keyboard.press('+');
    await seat.page.keyboard.press('ArrowRight');
    await shown('1.png').waitFor();
    await until(async () => (await widthOf('1.png')) === fitting);
  });

  test('fits a picture into the window below the header', async () => {
    const large = sharp({ create: { width: 3_000, height: 2_000, channels: 3, background: '#808080' } });
    const file = await files.upload(await large.png().toBuffer(), { name: 'large.png' });
    await seat.page.goto(`/files/root?preview=${file.id}`);
    await shown('large.png').waitFor();
    const box = await shown('large.png').boundingBox();
    const header = await seat.page.locator('.preview-header').boundingBox();
    if (!box || !header) throw new Error('the preview is not displayed');
    expect(box.y).toBeGreaterThanOrEqual(header.y + header.height);
    expect(box.y + box.height).toBeLessThanOrEqual(seat.page.viewportSize()?.height ?? 0);
  });

  test('loads the original of a large picture only when it is enlarged', async () => {
    const noise = await sharp({
      create: {
        width: 900,
        height: 600,
        channels: 3,
        background: '#000',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .jpeg()
      .toBuffer();
    const { id } = await files.upload(new Uint8Array(noise), { name: 'large.jpg' });
    await thumbnailOf(files, id);
    await seat.page.route(`**/${id}/preview*`, (route) =>
      route.fulfill({ body: noise, contentType: 'image/webp' }),
    );
    const requested: string[] = [];
    seat.page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    await seat.page.reload();
    await open('large.jpg');
    await shown('large.jpg').waitFor();
    await until(() => seat.page.evaluate(`document.querySelector('img[alt="large.jpg"]').naturalWidth > 0`));
    expect(requested).toContain(`/api/storage/files/${id}/preview`);
    expect(requested).not.toContain(`/api/storage/files/${id}/content`);
    for (let times = 0; times < 3; times++) await seat.page.keyboard.press('+');
    await until(() =>
      seat.page.evaluate(`document.querySelector('img[alt="large.jpg"]').src.includes('/content?inline=1')`),
    );
  });

  test('goes to the next picture when a finger swipes', async () => {
    await open('0.png');
    await shown('0.png').waitFor();
    const protocol = await seat.context.newCDPSession(seat.page);
    await protocol.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    const swipe = async (from: number, to: number) => {
      const at = (x: number) => ({ touchPoints: [{ x, y: 400 }] });
      await protocol.send('Input.dispatchTouchEvent', { type: 'touchStart', ...at(from) });
      for (const step of [0.25, 0.5, 0.75, 1])
        await protocol.send('Input.dispatchTouchEvent', {
          type: 'touchMove',
          ...at(from + (to - from) * step),
        });
      await protocol.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    };
    await swipe(800, 300);
    await shown('1.png').waitFor();
    await swipe(300, 800);
    await shown('0.png').waitFor();
  });

  /** Uploads a file, which must not change the title of the page, and opens it. */
  async function view(name: string, content: string) {
    const { id } = await files.upload(content, { name });
    // Rows below the window are not in the page.
    await seat.page.goto(`/files/root?preview=${id}`);
  }
  const RUN = "document.title='run'";

  test('renders Markdown without scripts, pictures and styles', async () => {
    const requested: string[] = [];
    seat.page.on('request', (request) => requested.push(request.url()));
    await view(
      'hostile.md',
      [
        '# Title',
        `<script>${RUN}</script><img src="x" onerror="${RUN}"><svg onload="${RUN}"></svg>`,
        `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe><style>body { display: none }</style>`,
        `<div id="root" class="preview-body" style="position: fixed" onclick="${RUN}">fixed</div>`,
        '',
        `[script](javascript:${RUN}) [page](https://example.org/) ![pixel](https://example.org/pixel.png)`,
        '',
        '| a | b |',
        '|---|---|',
        '| 1 | 2 |',
      ].join('\n'),
    );
    const text = seat.page.locator('.markdown');
    await text.getByRole('heading', { name: 'Title' }).waitFor();
    await text.getByRole('cell', { name: '2' }).waitFor();
    const link = text.getByRole('link');
    expect(await text.locator('a').allTextContents()).toEqual(['page']);
    expect(await link.getAttribute('rel')).toContain('noopener');
    const active = text.locator(
      'script, img, svg, iframe, style, [id], [style], [class]:not(.markdown-table, .one-line), [onclick]',
    );
    expect(await active.count()).toBe(0);
    await text.getByText('script page pixel').click({ position: { x: 5, y: 8 } });
    expect(await seat.page.title()).not.toBe('run');
    expect(requested.filter((address) => address.includes('example.org'))).toEqual([]);
    await seat.page.getByText('Text', { exact: true }).click();
    await seat.page.locator('.preview-text pre').getByText('# Title').waitFor();
  });

  test.each([
    [
      'wide.csv',
      ['Datum', 'Betrag', 'Verwendungszweck', 'Empfänger', 'Konto'].join(','),
      '2026-03-01,1,2,3,4',
    ],
    [
      'wide.md',
      '| Datum | Betrag | Verwendungszweck | Auftraggeberin | Kontobezeichnung |\n|---|--:|:-:|---|---|',
      '| 2026-03-01 | 1 | 2 | 3 | 4 |\n\n```\ncode\n```',
    ],
  ])('breaks no word of %s on a phone, and scrolls it sideways', async (name, head, body) => {
    await seat.page.setViewportSize({ width: 390, height: 780 });
    await view(name, `${head}\n${body}`);
    const table = seat.page.locator('.text-table, .markdown-table');
    await table.waitFor();
    const heights = await table
      .locator('th, td')
      .evaluateAll((cells) => cells.map((cell) => (cell as unknown as Box).clientHeight));
    expect(Math.max(...heights)).toBeLessThan(2 * 20);
    const widths = await table.evaluate((element) => {
      const { scrollWidth, clientWidth } = element as unknown as Box;
      return [scrollWidth, clientWidth];
    });
    expect(widths[0]).toBeGreaterThan(widths[1] ?? 0);
    expect(await overflowsOn(seat.page, [390])).toEqual([]);
  });

  test('lists the footnotes of Markdown at its end, without running anything', async () => {
    const lines = [
      `First[^b], second[^a], first again[^b] and none[^none]. \`[^a]\``,
      '',
      `[^a]: Two <img src="x" onerror="${RUN}">[script](javascript:${RUN})`,
      '    ',
      '    Its second paragraph.',
      '[^b]: *One* cites [^c]',
      'on two lines.',
      '[^c]: Three',
      '',
      '    | a table |',
      '    |---|',
      '[^d]: Not cited',
      '',
      'Text after, and a [link [^a]](https://example.org/).',
    ];
    await view('notes.md', [...lines, ...Array.from({ length: 80 }, () => '\nA paragraph.')].join('\n'));
    const text = seat.page.locator('.markdown');
    const notes = text.getByRole('list', { name: 'Footnotes' }).getByRole('listitem');
    await notes.first().waitFor();
    expect(await text.locator('p').first().textContent()).toBe(
      'First1, second2, first again1 and none[^none]. [^a]',
    );
    const shown = await notes.allTextContents();
    expect(shown.map((note) => note.replace(/\s+/g, ' ').trim())).toEqual([
      'One cites 3 on two lines. ↩',
      'Two script Its second paragraph. ↩',
      'Three a table ↩',
    ]);
    expect(await text.locator('img, script, [id], a button').count()).toBe(0);
    expect(await text.locator('a').allTextContents()).toEqual(['link 2']);
    const second = text.getByRole('button', { name: 'Footnote 2' });
    await second.click();
    const back = notes.nth(1).getByRole('button', { name: 'Back to the text' });
    await back.and(seat.page.locator(':focus')).waitFor();
    expect((await back.boundingBox())?.y).toBeWithin(0, 860);
    await back.click();
    await second.and(seat.page.locator(':focus')).waitFor();
    expect(await seat.page.title()).not.toBe('run');
    expect(await findViolations(seat.page)).toEqual([]);
  });

  test('aligns the columns of Markdown tables, and separates them from code', async () => {
    await view('aligned.md', '| a | b | c |\n|---|--:|:-:|\n| 1 | 2 | 3 |\n\n```\ncode\n```\n\n7. seventh');
    const cells = seat.page.locator('.markdown td');
    await cells.first().waitFor();
    expect(
      await seat.page.evaluate(`[...document.querySelectorAll('.markdown td')].map(
        (cell) => getComputedStyle(cell).textAlign.replace('-webkit-', ''))`),
    ).toEqual(['start', 'right', 'center']);
    expect(await seat.page.locator('.markdown ol').getAttribute('start')).toBe('7');
    const table = await seat.page.locator('.markdown table').boundingBox();
    const code = await seat.page.locator('.markdown pre').boundingBox();
    expect((code?.y ?? 0) - (table?.y ?? 0) - (table?.height ?? 0)).toBeGreaterThan(10);
  });

  test('renders the ticks of task lists, and highlights code in Markdown', async () => {
    const lines = [
      '- [x] done',
      '- [ ] open',
      '',
      '```ts',
      `const a = '</code><script>${RUN}</script>';`,
      '```',
    ];
    const long = ['```js', 'let b; '.repeat(15_000), '```'];
    await view('tasks.md', [...lines, '', '```', 'const plain', '```', '', ...long].join('\n'));
    const text = seat.page.locator('.markdown');
    await text.getByRole('listitem').first().waitFor();
    expect(await text.getByRole('listitem').allTextContents()).toEqual(['☑ done', '☐ open']);
    expect(await text.locator('.hljs-keyword').allTextContents()).toEqual(['const']);
    expect(await text.locator('pre').first().textContent()).toBe(lines[4] ?? '');
    expect(await text.locator('script').count()).toBe(0);
    expect(await seat.page.title()).not.toBe('run');
  });

  test('shows CSV as a table with a bound, and highlights code', async () => {
    const rows = Array.from({ length: 5_000 }, (_, index) => `${index},"a, ""b""",<b>${index}</b>`);
    await view('table.csv', ['number,text,html', ...rows].join('\n'));
    await seat.page.getByRole('cell', { name: 'a, "b"' }).first().waitFor();
    await seat.page.getByRole('cell', { name: '<b>0</b>' }).waitFor();
    expect(await seat.page.locator('.text-table tr').count()).toBe(1_000);
    await seat.page.getByText('Only the first 1,000 rows are shown.').waitFor();
    await view('code.ts', `const page = '</pre><script>${RUN}</script>'; // ${RUN}`);
    await seat.page.locator('.hljs-keyword').getByText('const').waitFor();
    await seat.page.locator('.highlighted').getByText('</pre><script>').waitFor();
    expect(await seat.page.title()).not.toBe('run');
  });

  test.each([
    ['a long.csv', '1,2\n'.repeat(400)],
    ['a long.md', 'Line\n\n'.repeat(400)],
    ['a long.ts', 'let a;\n'.repeat(400)],
    ['a long.txt', 'Line\n'.repeat(400)],
  ])('scrolls %s by keys, and follows the arrow keys', async (name, content) => {
    await files.upload(content, { name });
    await seat.page.goto('/files');
    await open(name);
    const region = seat.page.getByRole('dialog').getByRole('region', { name: 'Content' });
    await region.and(seat.page.locator(':focus')).waitFor();
    const top = () => region.evaluate((element) => (element as unknown as { scrollTop: number }).scrollTop);
    await seat.page.keyboard.press('PageDown');
    await until(async () => (await top()) > 100);
    // Chromium ignores the key while it still scrolls.
    await until(async () => {
      await seat.page.keyboard.press('Home');
      return (await top()) === 0;
    });
    await seat.page.keyboard.press('ArrowLeft');
    await seat.page.getByRole('dialog', { name }).waitFor({ state: 'detached' });
    await seat.page.keyboard.press('ArrowRight');
    await seat.page.getByRole('dialog', { name }).waitFor();
    await region.and(seat.page.locator(':focus')).waitFor();
    await seat.page.keyboard.press('Escape');
    await seat.page.getByRole('grid').and(seat.page.locator(':focus')).waitFor();
  });

  test('leaves the focus on the buttons that show the next file', async () => {
    await view('first.txt', 'first');
    await files.upload('second', { name: 'first2.txt' });
    await seat.page.reload();
    const next = seat.page.getByRole('dialog').getByRole('button', { name: 'Next' });
    // Disabled until the list of files is loaded.
    await next.and(seat.page.locator('[aria-disabled=false]')).waitFor();
    await next.focus();
    await seat.page.keyboard.press('Enter');
    await seat.page.getByText('second', { exact: true }).waitFor();
    await next.and(seat.page.locator(':focus')).waitFor();
  });

  test('shows the source of a table by arrow keys', async () => {
    await view('source.csv', 'a;b');
    await seat.page.getByRole('radio', { name: 'Formatted' }).focus();
    await seat.page.keyboard.press('ArrowRight');
    await seat.page.locator('.preview-text pre').getByText('a;b').waitFor();
    await seat.page
      .getByRole('radio', { name: 'Text' })
      .and(seat.page.locator(':focus'))
      .waitFor({ state: 'attached' });
  });

  test.each(['empty.txt', 'empty.md', 'empty.csv'])('says that %s is empty', async (name) => {
    await view(name, '');
    await seat.page.getByText('The file is empty.').waitFor();
  });

  test.each(DAMAGED)('says that a picture cannot be shown, and offers the download: %s', async (name) => {
    const { id } = await files.upload(await damaged(name), { name });
    await seat.page.goto(`/files/root?preview=${id}`);
    const viewer = seat.page.getByRole('dialog');
    await viewer.getByText('The picture cannot be shown. It may be damaged. You can download it.').waitFor();
    await viewer.locator('.preview-body').getByRole('button', { name: 'Download' }).waitFor();
  });

  test('says in the grid that pictures have no preview, and offers the download', async () => {
    const folder = await files.newFolder('Damaged');
    const sent = await Promise.all(
      DAMAGED.map(async (name) => files.upload(await damaged(name), { name, folder })),
    );
    const pathsOf = () => Promise.all(sent.map(async ({ id }) => (await files.metadata(id)).thumbnailPath));
    await until(async () => (await pathsOf()).every((path) => path === null));
    await seat.page.goto(`/files/${folder}`);
    await seat.page.getByTitle('Grid', { exact: true }).click();
    for (const name of DAMAGED) {
      const tile = seat.page.getByRole('gridcell').filter({ hasText: name });
      await tile.getByText('No preview available').waitFor();
      await tile.getByRole('button', { name: `Actions for ${name}` }).click();
      await seat.page.getByRole('menuitem', { name: 'Download' }).waitFor();
      await seat.page.keyboard.press('Escape');
    }
    expect(await findViolations(seat.page)).toEqual([]);
    await seat.page.getByTitle('List', { exact: true }).click();
  });

  test('says that a picture is too large', async () => {
    const huge = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#808080' } })
      .png()
      .toBuffer();
    // PNG (3rd edition) §11.2.1: width and height, and after the chunk of 13 bytes its CRC.
    huge.writeUInt32BE(60_000, 16);
    huge.writeUInt32BE(60_000, 20);
    huge.writeUInt32BE(crc32(huge.subarray(12, 29)), 29);
    const { id } = await files.upload(new Uint8Array(huge), { name: 'huge.png' });
    await seat.page.goto(`/files/root?preview=${id}`);
    await seat.page.getByText('The picture is too large to be shown. You can download it.').waitFor();
  });

  test('shows SVG as a picture, which runs nothing', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" onload="${RUN}">
      <script>${RUN}; parent.${RUN}</script><image href="https://example.org/pixel.png"/></svg>`;
    const requested: string[] = [];
    seat.page.on('request', (request) => requested.push(request.url()));
    await view('hostile.svg', svg);
    await until(() =>
      seat.page.evaluate(`document.querySelector('img[alt="hostile.svg"]')?.naturalWidth > 0`),
    );
    expect(await seat.page.title()).not.toBe('run');
    expect(requested.filter((address) => address.includes('example.org'))).toEqual([]);
  });

  test.each([
    ['a line of 50 MB', 'line.txt', 'x'.repeat(50_000_000)],
    ['a CSV file of one line', 'line.csv', 'x,'.repeat(1_000_000)],
    ['nested Markdown', 'nested.md', `${'>'.repeat(50_000)}${'[('.repeat(50_000)}`],
    ['code of many words', 'words.js', 'a '.repeat(49_000)],
  ])('shows %s without hanging', async (_, name, content) => {
    await view(name, content);
    await seat.page.locator('.preview-text').locator('pre, article, table').first().waitFor();
    await seat.page.keyboard.press('Escape');
    await seat.page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

interface Box {
  clientHeight: number;
  clientWidth: number;
  scrollWidth: number;
}
