import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { BrowserContext, Page } from 'playwright-core';
import { freshSettings } from '../harness/backends.ts';
import { newVisitor } from '../harness/chromium.ts';
import { filesOf } from '../harness/files.ts';
import { addPerson, type Posthouse, startPosthouse } from '../harness/posthouse.ts';

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
});
