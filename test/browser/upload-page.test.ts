import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { findViolations, TWO_LOOKS } from '../harness/accessibility.ts';
import { freshDirectory, freshSettings } from '../harness/backends.ts';
import { openBreakingProxy } from '../harness/breaking-proxy.ts';
import { newVisitor } from '../harness/chromium.ts';
import { filesOf } from '../harness/files.ts';
import { jsonOf } from '../harness/json.ts';
import { addPerson, type Posthouse, startPosthouse } from '../harness/posthouse.ts';

const MEGABYTE = 1_048_576;
const HOSTILE = `"><img src=x onerror="document.title='taken'">.txt`;

interface Shown {
  id: string;
  originalName: string;
  sizeBytes: number;
  sender?: string;
}

describe('the page of a link that takes files', () => {
  let posthouse: Posthouse;
  let files: ReturnType<typeof filesOf>;
  let call: ReturnType<typeof jsonOf>;
  beforeAll(async () => {
    const settings = { ...(await freshSettings('sqlite+local')), POSTHOUSE_MAX_FILE_BYTES: '8000000' };
    posthouse = await startPosthouse(settings);
    const owner = await addPerson(settings, 'ann@example.org');
    files = filesOf(posthouse, owner.headers);
    call = jsonOf(posthouse, owner);
  });
  afterAll(() => posthouse.stop());

  let count = 0;
  async function newLink(settings: object = {}) {
    const folderId = (await call('POST', '/api/storage/folders', { name: `Inbox ${count++}` })).body.id;
    const { token } = (
      await call<{ token: string }>('POST', '/api/storage/links', { folderId, access: 'upload', ...settings })
    ).body;
    const list = async () => (await call<Shown[]>('GET', `/api/storage/files/${folderId}`)).body;
    return { path: `/public/folder/${token}`, list };
  }

  /** Opens the page of a link; a problem of its script or its policy fails the test. */
  async function visit(
    path: string,
    work: (page: Page) => Promise<void>,
    { url = posthouse.url, ...screen }: { url?: string } & NonNullable<Parameters<typeof newVisitor>[1]> = {},
  ) {
    const context = await newVisitor(url, screen);
    try {
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('pageerror', (error) => problems.push(String(error)));
      page.on('console', (message) => {
        if (message.text().includes('Content Security Policy')) problems.push(message.text());
      });
      await page.goto(path);
      await work(page);
      expect(problems).toEqual([]);
    } finally {
      await context.close();
    }
  }
  const choose = (page: Page, chosen: readonly (readonly [name: string, content: string | Buffer])[]) =>
    page
      .getByLabel('Files', { exact: true })
      .setInputFiles(
        chosen.map(([name, content]) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })),
      );
  const send = (page: Page) => page.getByRole('button', { name: /^Send/ }).click();

  test('several files arrive with the name of their sender, and can be removed before', async () => {
    const link = await newLink({ title: 'Photos of the <b>wedding</b>', message: 'Thank you for coming.' });
    await visit(link.path, async (page) => {
      await page.getByLabel('Your name').fill('Eve Ünal');
      await choose(page, [
        ['one.txt', 'one'],
        [HOSTILE, 'two'],
      ]);
      await choose(page, [
        ['empty.txt', ''],
        ['wrong.txt', 'wrong'],
      ]);
      await page.getByRole('button', { name: 'Remove wrong.txt' }).click();
      expect(await page.getByRole('listitem').count()).toBe(3);
      expect(await findViolations(page, TWO_LOOKS)).toEqual([]);
      await page.getByRole('button', { name: 'Send 3 files' }).click();
      await page.getByText('Thank you. Your 3 files have arrived.').waitFor();
      expect(await page.title()).toStartWith('Photos of the <b>');
      expect(await findViolations(page, TWO_LOOKS)).toEqual([]);
      await choose(page, [['later.txt', 'later']]);
      await page.getByRole('button', { name: 'Send 1 file' }).click();
      await page.getByText('Thank you. Your 4 files have arrived.').waitFor();
    });
    expect((await link.list()).map(({ originalName, sender }) => [originalName, sender]).sort()).toEqual([
      [HOSTILE, 'Eve Ünal'],
      ['empty.txt', 'Eve Ünal'],
      ['later.txt', 'Eve Ünal'],
      ['one.txt', 'Eve Ünal'],
    ]);
  });

  test('a file continues after its connection broke', async () => {
    const link = await newLink();
    // The browser itself repeats a request whose connection was used before, once.
    const proxy = await openBreakingProxy(posthouse.url, [3 * MEGABYTE, MEGABYTE]);
    const content = Buffer.alloc(6 * MEGABYTE);
    for (let place = 0; place < content.length; place += 4096) content.writeUInt32LE(place, place);
    try {
      await visit(
        link.path,
        async (page) => {
          const offsets: string[] = [];
          page.on('request', (request) => {
            if (request.method() === 'PATCH') offsets.push(request.headers()['upload-offset'] ?? '');
          });
          await choose(page, [['large.bin', content]]);
          await send(page);
          await page.getByText('Thank you. Your file has arrived.').waitFor();
          expect(Number(offsets.at(-1))).toBeGreaterThan(0);
        },
        { url: proxy.url },
      );
    } finally {
      await proxy.close();
    }
    const [stored] = await link.list();
    expect(stored?.originalName).toBe('large.bin');
    const bytes = await (await files.get(`/api/storage/files/${stored?.id}/content`)).bytes();
    expect(content.equals(bytes)).toBe(true);
  });

  test('refused files show the reason, and the others arrive', async () => {
    const link = await newLink({ maxFiles: 2, access: 'both' });
    await visit(link.path, async (page) => {
      await choose(page, [
        ['large.bin', Buffer.alloc(8_000_001)],
        ['1.txt', 'one'],
      ]);
      await send(page);
      await page.getByText('1 of your 2 files arrived, 1 was not accepted.').waitFor();
      const large = page.getByRole('listitem').filter({ hasText: 'large.bin' });
      expect(await large.textContent()).toContain('The file exceeds the limit of 8000000 bytes.');
      await choose(page, [
        ['2.txt', 'two'],
        ['3.txt', 'three'],
      ]);
      await send(page);
      await page.getByText('2 of your 4 files arrived, 2 were not accepted.').waitFor();
      expect(await page.getByText('This link accepts no more files.').count()).toBe(1);
      await page.getByRole('link', { name: 'Show them' }).click();
      await page.getByRole('link', { name: '1.txt', exact: true }).waitFor();
      expect(await page.locator('form').count()).toBe(0);
      await page.getByText('This link accepts no more files.').waitFor();
    });
  });

  const PHONE = { width: 390, touch: true };
  test.each([
    ['one file, in English', 'en-GB', 1, 'Your file was not accepted.'],
    ['one file, in German', 'de-DE', 1, 'Ihre Datei wurde nicht angenommen.'],
    ['two files, in English', 'en-GB', 2, 'None of your 2 files was accepted.'],
    ['two files, in German', 'de-DE', 2, 'Keine Ihrer 2 Dateien wurde angenommen.'],
  ])('a sentence says that nothing has arrived: %s', async (_, locale, count, sentence) => {
    const link = await newLink();
    const directory = freshDirectory();
    const large = Array.from({ length: count }, (_, number) => {
      const path = join(directory, `${number}.bin`);
      writeFileSync(path, Buffer.alloc(8_000_001));
      return path;
    });
    const act = async (page: Page) => {
      await page.locator('[type=file]').setInputFiles(large);
      await page.locator('[type=submit]').click();
    };
    await visit(
      link.path,
      async (page) => {
        await act(page);
        await page.getByText(sentence).waitFor();
        expect(await page.getByRole('status').textContent()).toBe(sentence);
      },
      { ...PHONE, locale },
    );
    if (count === 1) return;
    await visit(
      link.path,
      async (page) => {
        await act(page);
        await page.getByText(sentence).waitFor();
        expect(await page.getByRole('listitem').count()).toBe(count);
      },
      { ...PHONE, locale, javaScript: false },
    );
  });

  test('dropped files are sent, with a password too', async () => {
    const link = await newLink({ password: 'open sesame' });
    await visit(link.path, async (page) => {
      await page.getByLabel('Password').fill('open sesame');
      await page.getByRole('button').click();
      await page.getByText('Or drop files').waitFor();
      await page.evaluate(`{
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(['dropped'], 'dropped.txt', { type: 'text/plain' }));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      }`);
      await page.getByRole('button', { name: 'Send 1 file' }).click();
      await page.getByText('Thank you. Your file has arrived.').waitFor();
    });
    expect((await link.list()).map(({ originalName }) => originalName)).toEqual(['dropped.txt']);
  });
});
