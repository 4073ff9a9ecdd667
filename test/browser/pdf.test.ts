import { beforeEach, describe, expect, test } from 'bun:test';
import { sharedFilesApp } from '../harness/files-app.ts';
import { colorsOf, ENCRYPTED, HOSTILE, manyPages, pdf } from '../harness/pdf.ts';
import { until } from '../harness/until.ts';
import { openApp } from '../harness/web.ts';

describe('PDF files in a browser without a viewer', () => {
  const { posthouse, email, seat, files } = sharedFilesApp();
  beforeEach(() =>
    seat.page.addInitScript(
      'Object.defineProperty(navigator, "pdfViewerEnabled", { configurable: true, get: () => false })',
    ),
  );

  async function view(name: string, content: Uint8Array<ArrayBuffer>) {
    await files.upload(content, { name });
    await seat.page.goto('/files');
    await seat.page.getByRole('button', { name, exact: true }).click();
  }
  const sheet = (name: string) => seat.page.getByRole('img', { name, exact: true });
  const drawn = (name: string) =>
    seat.page
      .locator('.pdf-page[data-state=drawn]')
      .filter({ has: sheet(name) })
      .waitFor();
  test('are drawn page by page as they scroll into view', async () => {
    await seat.page.setViewportSize({ width: 390, height: 844 });
    await view('long.pdf', manyPages(40));
    await drawn('Page 1 of 40');
    await seat.page.getByText('1 / 40', { exact: true }).waitFor();
    expect(await colorsOf(sheet('Page 1 of 40'))).toEqual([
      [255, 0, 0],
      [0, 0, 255],
    ]);
    expect(await seat.page.locator('.pdf-page').count()).toBeLessThan(10);
    await seat.page.keyboard.press('End');
    await drawn('Page 40 of 40');
    await seat.page.getByText('40 / 40', { exact: true }).waitFor();
    expect(await seat.page.locator('.pdf-page').count()).toBeLessThan(10);
  });

  test('run nothing, load nothing and open nothing', async () => {
    const addresses: string[] = [];
    seat.page.on('request', (request) => addresses.push(request.url()));
    await view('hostile.pdf', pdf(HOSTILE));
    await drawn('Page 1 of 1');
    await seat.page.locator('.pdf-sheet').click();
    expect(await seat.page.title()).not.toBe('run');
    expect(await seat.page.locator('.pdf-view').locator('a, input, script, iframe').count()).toBe(0);
    expect(addresses.filter((address) => !address.startsWith(posthouse.url))).toEqual([]);
    expect(addresses.filter((address) => address.includes('stolen'))).toEqual([]);
  });

  const LINK = (address: string, left: number) =>
    `<</Subtype/Link/Rect[${left} 0 ${left + 20} 20]/A<</S/URI/URI(${address})>>>>`;
  const TEXT = {
    page: `/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>
      /Annots[${LINK('https://example.org/terms', 0)}${LINK('ftp://example.org/', 40)}]`,
    content: 'BT /F 8 Tf 20 50 Td (Small print) Tj ET',
  };

  test('have text that can be selected, at the place where it is drawn', async () => {
    await view('text.pdf', pdf(TEXT));
    const text = seat.page.locator('.pdf-text').getByText('Small print', { exact: true });
    await text.waitFor();
    const sheetBox = await sheet('Page 1 of 1').boundingBox();
    const box = await text.boundingBox();
    if (!sheetBox || !box) throw new Error('the text is not displayed');
    const point = sheetBox.width / 200;
    expect((box.x - sheetBox.x) / point).toBeCloseTo(20, 0);
    expect((box.y + box.height - sheetBox.y) / point).toBeWithin(48, 54);
    expect(box.width / point).toBeWithin(35, 50);
    await text.dblclick({ position: { x: 8, y: 8 } });
    expect(await seat.page.evaluate('getSelection().toString()')).toBe('Small');
  });

  test('have links to other sites, which open in a new window', async () => {
    await view('link.pdf', pdf(TEXT));
    const link = seat.page.locator('.pdf-view a');
    await link.first().waitFor();
    expect(await link.evaluateAll((links) => links.map((each) => each.outerHTML.split(' style')[0]))).toEqual(
      [
        '<a class="pdf-link" href="https://example.org/terms" target="_blank" rel="noopener noreferrer nofollow" title="https://example.org/terms"',
      ],
    );
  });

  test('show the number of the page, and are enlarged by buttons, keys and the wheel', async () => {
    await view('zoomed.pdf', manyPages(8));
    await drawn('Page 1 of 8');
    await seat.page.getByText('1 / 8', { exact: true }).waitFor();
    await seat.page.keyboard.press('End');
    await seat.page.getByText('8 / 8', { exact: true }).waitFor();
    const widthOf = async (name: string) => (await sheet(name).boundingBox())?.width ?? 0;
    const fitting = await widthOf('Page 8 of 8');
    const becomes = (matches: (width: number) => boolean) =>
      until(async () => matches(await widthOf('Page 8 of 8')));
    await seat.page.getByRole('button', { name: 'Zoom in' }).click();
    await becomes((width) => width > 1.2 * fitting);
    await seat.page.getByText('8 / 8', { exact: true }).waitFor();
    await seat.page.getByRole('button', { name: 'Zoom out' }).click();
    await becomes((width) => width === fitting);
    await seat.page.keyboard.press('+');
    await becomes((width) => width > 1.2 * fitting);
    await seat.page.keyboard.press('0');
    await becomes((width) => width === fitting);
    const box = await sheet('Page 8 of 8').boundingBox();
    if (!box) throw new Error('the page is not displayed');
    const corner = { x: box.x + 100, y: box.y + 100 };
    await seat.page.mouse.move(corner.x, corner.y);
    await seat.page.keyboard.down('Control');
    for (let times = 0; times < 4; times++) await seat.page.mouse.wheel(0, -120);
    await seat.page.keyboard.up('Control');
    await becomes((width) => width > 2 * fitting);
    // The point below the pointer stays there.
    await until(async () => {
      const now = await sheet('Page 8 of 8').boundingBox();
      const scale = (now?.width ?? 0) / box.width;
      return (
        now &&
        Math.abs((corner.x - now.x) / scale - 100) < 2 &&
        Math.abs((corner.y - now.y) / scale - 100) < 2
      );
    });
    await drawn('Page 8 of 8');
  });

  test('are enlarged by two fingers', async () => {
    await view('pinched.pdf', manyPages(2));
    await drawn('Page 1 of 2');
    const protocol = await seat.context.newCDPSession(seat.page);
    await protocol.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 });
    const before = await sheet('Page 1 of 2').boundingBox();
    const fingers = (distance: number) => ({
      touchPoints: [
        { x: 600 - distance, y: 400, id: 0 },
        { x: 600 + distance, y: 400, id: 1 },
      ],
    });
    await protocol.send('Input.dispatchTouchEvent', { type: 'touchStart', ...fingers(50) });
    for (const distance of [60, 80, 100])
      await protocol.send('Input.dispatchTouchEvent', { type: 'touchMove', ...fingers(distance) });
    await protocol.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await until(async () => {
      const now = await sheet('Page 1 of 2').boundingBox();
      return (now?.width ?? 0) > 1.8 * (before?.width ?? 0);
    });
  });

  const unusable: [string, Uint8Array<ArrayBuffer>, string][] = [
    ['password.pdf', pdf({ trailer: ENCRYPTED }), 'The file requires a password. You can download it.'],
    ['cut off.pdf', pdf().subarray(0, 60), 'The file is damaged. You can download it.'],
    ['own parent.pdf', pdf({ kids: '2 0 R' }), 'The preview failed. You can download the file.'],
  ];
  for (const [name, content, reason] of unusable)
    test(`are offered for download when they cannot be shown: ${name}`, async () => {
      await view(name, content);
      await seat.page.getByText(reason).waitFor();
      await seat.page.locator('.preview-body').getByRole('button', { name: 'Download' }).waitFor();
    });

  const hostile: [string, Parameters<typeof pdf>[0]][] = [
    ['huge page.pdf', { box: '0 0 2000000000 2000000000' }],
    ['narrow page.pdf', { box: '0 0 1 100000' }],
    ['a million pages.pdf', { count: 1_000_000 }],
    ['nested.pdf', { catalog: `/X ${'<</A '.repeat(100_000)}` }],
    ['endless.pdf', { content: 'q '.repeat(300_000) }],
  ];
  for (const [name, parts] of hostile)
    test(`never hang the app: ${name}`, async () => {
      await view(name, pdf(parts));
      await seat.page.locator('.pdf-page, .preview-body .empty-state-icon').first().waitFor();
      await seat.page.keyboard.press('Escape');
      await seat.page.getByRole('dialog').waitFor({ state: 'detached' });
    });

  test('are drawn on touch screens, whose viewers show one page in a frame', async () => {
    await files.upload(pdf(), { name: 'touch.pdf' });
    const phone = await openApp(posthouse, email, '/files', { touch: true, width: 390 });
    await phone.page.addInitScript(
      'Object.defineProperty(navigator, "pdfViewerEnabled", { get: () => true })',
    );
    await phone.page.reload();
    await phone.page.getByRole('button', { name: 'touch.pdf', exact: true }).click();
    await phone.page.locator('.pdf-page[data-state=drawn]').waitFor();
    await phone.leave();
  });

  test('are shown by the viewer of the browser where there is one', async () => {
    await seat.page.addInitScript(
      'Object.defineProperty(navigator, "pdfViewerEnabled", { get: () => true })',
    );
    await view('viewer.pdf', pdf());
    await seat.page.locator('iframe[title="viewer.pdf"]').waitFor();
    await until(async () => (await seat.page.locator('.pdf-view').count()) === 0);
  });
});
