import { beforeEach, describe, expect, test } from 'bun:test';
import { sharedFilesApp } from '../harness/files-app.ts';
import { coloursOf, ENCRYPTED, HOSTILE, manyPages, pdf } from '../harness/pdf.ts';
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
    await view('long.pdf', manyPages(40));
    await drawn('Page 1 of 40');
    expect(await coloursOf(sheet('Page 1 of 40'))).toEqual([
      [255, 0, 0],
      [0, 0, 255],
    ]);
    expect(await seat.page.locator('.pdf-page').count()).toBeLessThan(10);
    await seat.page.keyboard.press('End');
    await drawn('Page 40 of 40');
    expect(await seat.page.locator('.pdf-page').count()).toBeLessThan(10);
  });

  test('run nothing, load nothing and open nothing', async () => {
    const addresses: string[] = [];
    seat.page.on('request', (request) => addresses.push(request.url()));
    await view('hostile.pdf', pdf(HOSTILE));
    await drawn('Page 1 of 1');
    await sheet('Page 1 of 1').click();
    expect(await seat.page.title()).not.toBe('run');
    expect(await seat.page.locator('.pdf-view').locator('a, input, script, iframe').count()).toBe(0);
    expect(addresses.filter((address) => !address.startsWith(posthouse.url))).toEqual([]);
    expect(addresses.filter((address) => address.includes('stolen'))).toEqual([]);
  });

  const unusable: [string, Uint8Array<ArrayBuffer>][] = [
    ['password.pdf', pdf({ trailer: ENCRYPTED })],
    ['cut off.pdf', pdf().subarray(0, 60)],
    ['own parent.pdf', pdf({ kids: '2 0 R' })],
  ];
  for (const [name, content] of unusable)
    test(`are offered for download when they cannot be shown: ${name}`, async () => {
      await view(name, content);
      await seat.page.getByText('The preview failed. You can download the file.').waitFor();
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
